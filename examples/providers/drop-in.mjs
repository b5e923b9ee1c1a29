// Messages with ids, as `compress` takes them: prune first, compress the rest, and undo both.
import { compress, prune, restore, uncompress } from 'palimpsest';

const file = Array.from({ length: 40 }, (_, line) => `export const limit${line} = ${line};`).join('\n');
const talk = 'We talked about the limits for a while, and nobody remembered why there are so many of them. '.repeat(6);
const call = (id, name, args) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});
const messages = [
  { role: 'user', content: talk },
  { role: 'assistant', content: talk.replace('We', 'They') },
  call('call_1', 'Read', { file_path: 'src/limits.ts' }),
  { role: 'tool', tool_call_id: 'call_1', content: file },
  call('call_2', 'Write', { file_path: 'src/limits.ts', content: 'export const limit = 39;' }),
  { role: 'tool', tool_call_id: 'call_2', content: 'The file was written.' },
  { role: 'assistant', content: 'One limit is left.' },
].map((message, index) => ({ id: `m${index}`, index, ...message }));

const pruned = prune(messages, { keep: { recent: 2 } });
const compressed = compress(pruned.messages, { recencyWindow: 2, tokenizer: 'o200k_base' });
console.log(String(pruned.report));
console.log(`compressed ${compressed.compression.token_ratio.toFixed(1)} : 1 on top`);

const { messages: uncompressed } = uncompress(compressed.messages, compressed.verbatim);
const { messages: restored } = restore(uncompressed, pruned.originals);
console.log(`restored: ${JSON.stringify(restored) === JSON.stringify(messages)}`);
