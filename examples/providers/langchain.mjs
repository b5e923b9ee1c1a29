// LangChain and LangGraph: message instances go in, message instances come out.
import { isDeepStrictEqual } from 'node:util';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { prune, restore, validate } from 'palimpsest';

const file = Array.from({ length: 40 }, (_, line) => `export const limit${line} = ${line};`).join('\n');
const call = (id, name, args) => new AIMessage({ content: '', tool_calls: [{ id, name, args, type: 'tool_call' }] });
const messages = [
  new HumanMessage('Raise the first limit.'),
  call('call_1', 'read_file', { path: 'src/limits.ts' }),
  new ToolMessage({ tool_call_id: 'call_1', content: file }),
  call('call_2', 'write_file', { path: 'src/limits.ts', content: file.replace('= 0;', '= 10;') }),
  new ToolMessage({ tool_call_id: 'call_2', content: 'written' }),
  new AIMessage('It is 10 now.'),
];

const pruned = prune(messages, { keep: { recent: 2 } });
console.log(String(pruned.report));
console.log(`${pruned.messages[2] instanceof ToolMessage}, ${validate(pruned.messages).length} problems`);
// await model.invoke(pruned.messages);

const { messages: restored } = restore(pruned.messages, pruned.originals);
console.log(`restored: ${isDeepStrictEqual(restored, messages)}`);
