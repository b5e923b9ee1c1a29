// The Gemini API: `contents` with function calls and responses.
import { countTokens, prune, restore, validate } from 'palimpsest';

const listing = Array.from({ length: 40 }, (_, line) => `src/module${line}.ts`).join('\n');
const call = (id) => ({
  role: 'model',
  parts: [{ functionCall: { id, name: 'run_shell_command', args: { command: 'ls -R src' } }, thoughtSignature: 'c2lnbmF0dXJl' }],
});
const response = (id, output) => ({ role: 'user', parts: [{ functionResponse: { id, name: 'run_shell_command', response: { output } } }] });

/** @type {import('@google/genai').Content[]} */
const contents = [
  { role: 'user', parts: [{ text: 'How many modules are there?' }] },
  call('call_1'),
  response('call_1', listing),
  { role: 'model', parts: [{ text: 'There are 40.' }] },
  { role: 'user', parts: [{ text: 'And now?' }] },
  call('call_2'),
  response('call_2', `${listing}\nsrc/new.ts`),
  { role: 'model', parts: [{ text: 'There are 41.' }] },
];

const pruned = prune(contents, { format: 'gemini', keep: { recent: 3 } });
console.log(String(pruned.report));
console.log(`${countTokens(pruned.messages)} tokens, ${validate(pruned.messages).length} problems`);
// await client.models.generateContent({ model: 'gemini-2.5-pro', contents: pruned.messages });

const { messages: restored } = restore(pruned.messages, pruned.originals);
console.log(`restored: ${JSON.stringify(restored) === JSON.stringify(contents)}`);
