import {
  leads,
  readingWith,
  readMessage,
  readOther,
  readOutput,
  readReasoning,
  readScreenshot,
  readShellCall,
  readShellOutput,
  without,
} from './openai-items.js';
import { isMessage } from './recognises/openai-items.js';
import { replaceText } from './write.js';
import type { Foreign, FormatModule, Part } from '../types.js';
import type { Reader } from './reader.js';

const CALLS = new Map([
  ['function_call', 'arguments'],
  ['custom_tool_call', 'input'],
]);
const OUTPUTS = new Set(['function_call_output', 'custom_tool_call_output']);

/** Items of OpenAI's Responses API, as `input` takes them and `output` gives them. */
const openaiResponses: FormatModule = {
  reading: readingWith(readItem),
  replace: replaceText,
  resultText: 'input_text',
  freeForm,
  without,
  leads,
};

function readItem(reader: Reader, item: Foreign, locked?: string) {
  const { type } = item;
  if (isMessage(item)) return readMessage(reader, item, locked);
  const key = CALLS.get(type);
  if (key !== undefined) {
    const [text, id] = [reader.string(item[key], [key]), reader.string(item.call_id, ['call_id'])];
    return key === 'input' ? reader.input([key], text, item.name, id, locked) : reader.call([key], text, item.name, id, locked);
  }
  if (OUTPUTS.has(type)) return readOutput(reader, item.output, reader.string(item.call_id, ['call_id']));
  if (type === 'shell_call') return readShellCall(reader, item, reader.string(item.call_id, ['call_id']));
  if (type === 'shell_call_output') return readShellOutput(reader, item, reader.string(item.call_id, ['call_id']));
  if (type === 'computer_call_output') return readScreenshot(reader, item);
  if (type === 'reasoning') return readReasoning(reader, item, ['summary', 'content']);
  return readOther(reader, item);
}

/** The input of a custom tool is any text. */
function freeForm({ path }: Part) {
  return path[0] === 'input';
}

export default openaiResponses;
