// Anthropic's Messages API: the system prompt is sent beside the messages, and user messages contain the tool results.
import { countTokens, prune, restore, validate } from 'palimpsest';

const log = Array.from({ length: 40 }, (_, line) => `test ${line} passed in ${line} ms`).join('\n');

/** @type {import('@anthropic-ai/sdk').Anthropic.MessageParam[]} */
const messages = [
  { role: 'user', content: 'Do the tests pass?' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I will run them.' },
      { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'npm test' } },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: log }] },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_2', name: 'Bash', input: { command: 'npm test' } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_2', content: `${log}\ntest 40 passed in 2 ms` }] },
  { role: 'assistant', content: 'All 41 pass.' },
];

const pruned = prune(messages, { keep: { recent: 2 } });
console.log(String(pruned.report));
console.log(`${countTokens(pruned.messages)} tokens, ${validate(pruned.messages).length} problems`);
// await client.messages.create({ model: 'claude-sonnet-4-5', max_tokens: 1024, system, messages: pruned.messages });

const { messages: restored } = restore(pruned.messages, pruned.originals);
console.log(`restored: ${JSON.stringify(restored) === JSON.stringify(messages)}`);
