// The Vercel AI SDK: prune the UIMessages that you store, or (as here) the ModelMessages that you send.
import { prune, restore, validate } from 'palimpsest';

const value = Array.from({ length: 40 }, (_, line) => `export const limit${line} = ${line};`).join('\n');
/** @type {(id: string, tool: string, input: unknown) => import('ai').ModelMessage} */
const call = (toolCallId, toolName, input) => ({ role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] });
/** @type {(id: string, tool: string, text: string) => import('ai').ModelMessage} */
const result = (toolCallId, toolName, text) => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: text } }],
});

/** @type {import('ai').ModelMessage[]} */
const messages = [
  { role: 'user', content: 'Delete what nobody uses.' },
  call('call_1', 'loadFile', { file: 'src/limits.ts' }),
  result('call_1', 'loadFile', value),
  call('call_2', 'saveFile', { file: 'src/limits.ts', text: 'export const limit = 39;' }),
  result('call_2', 'saveFile', 'saved'),
  { role: 'assistant', content: 'One limit is left.' },
];

// Describe your own tools.
/** @type {import('palimpsest').ToolMap} */
const toolMap = { loadFile: { kind: 'read', path: 'file' }, saveFile: { kind: 'write', path: 'file' } };
const pruned = prune(messages, { toolMap, mode: 'remove', keep: { recent: 2 } });
console.log(String(pruned.report));
console.log(`${pruned.messages.length} messages, ${validate(pruned.messages).length} problems`);
// await generateText({ model, messages: pruned.messages });

const { messages: restored } = restore(pruned.messages, pruned.originals);
console.log(`restored: ${JSON.stringify(restored) === JSON.stringify(messages)}`);
