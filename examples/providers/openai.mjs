// OpenAI's chat completions: prune the history before each request, keep the originals.
import { countTokens, prune, restore, validate } from 'palimpsest';

const file = Array.from({ length: 40 }, (_, line) => `export const limit${line} = ${line};`).join('\n');

/** @type {import('openai').OpenAI.ChatCompletionMessageParam[]} */
const messages = [
  { role: 'system', content: 'You are a careful programmer.' },
  { role: 'user', content: 'Raise the last limit to 100.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'Read', arguments: '{"file_path":"src/limits.ts"}' } }],
  },
  { role: 'tool', tool_call_id: 'call_1', content: file },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id: 'call_2',
        type: 'function',
        function: { name: 'Write', arguments: JSON.stringify({ file_path: 'src/limits.ts', content: file.replace('= 39;', '= 100;') }) },
      },
    ],
  },
  { role: 'tool', tool_call_id: 'call_2', content: 'The file was written.' },
  { role: 'assistant', content: 'The last limit is 100 now.' },
];

const pruned = prune(messages, { keep: { recent: 2 } });
console.log(String(pruned.report));
console.log(`${countTokens(pruned.messages)} tokens, ${validate(pruned.messages).length} problems`);
// await client.chat.completions.create({ model: 'gpt-4.1', messages: pruned.messages });

const { messages: restored } = restore(pruned.messages, pruned.originals);
console.log(`restored: ${JSON.stringify(restored) === JSON.stringify(messages)}`);
