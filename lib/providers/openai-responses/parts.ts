import {
  leads,
  readingWith,
  readCall,
  readHosted,
  readLoadedTools,
  readMessage,
  readOther,
  readOutput,
  readReasoning,
  readScreenshot,
  readShellCall,
  readShellOutput,
  readToolSearch,
  without,
} from './items.js';
import { isMessage } from './recognise.js';
import { replaceText } from '../shared/write.js';
import type { Fields } from '../shared/shapes.js';
import type { FormatModule, Part } from '../../types.js';
import type { Reader } from '../shared/reader.js';

const CALLS: Map<unknown, string> = new Map([
  ['function_call', 'arguments'],
  ['custom_tool_call', 'input'],
]);
const OUTPUTS = new Set<unknown>(['function_call_output', 'custom_tool_call_output']);

/** Items of OpenAI's Responses API, as `input` takes them and `output` gives them. */
const openaiResponses: FormatModule = {
  reading: readingWith(readItem),
  replace: replaceText,
  resultText: 'input_text',
  freeForm,
  without,
  leads,
};

function readItem(reader: Reader, item: Fields, locked?: string) {
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
  if (type === 'computer_call_output') return readScreenshot(reader, item, reader.string(item.call_id, ['call_id']));
  if (READERS.has(type)) return READERS.get(type)?.(reader, item);
  if (type === 'reasoning') return readReasoning(reader, item, ['summary', 'content']);
  return readOther(reader, item);
}

/** Items of calls that have no arguments of a function, of their results, and of tools that run at the provider: an item of those is both. */
const READERS = new Map<unknown, (reader: Reader, item: Fields) => unknown>([
  ['computer_call', (reader, item) => readCallOf(reader, item, 'actions' in item ? 'actions' : 'action', 'computer')],
  ['local_shell_call', (reader, item) => readCallOf(reader, item, 'action', 'local_shell')],
  ['local_shell_call_output', (reader, item) => readOutput(reader, item.output ?? '', item.call_id ?? item.id)],
  ['apply_patch_call', (reader, item) => readCallOf(reader, item, 'operation', 'apply_patch')],
  ['apply_patch_call_output', (reader, item) => readOutput(reader, item.output ?? '', item.call_id)],
  ['tool_search_call', (reader, item) => readToolSearch(reader, item, item.call_id)],
  ['tool_search_output', (reader, item) => readLoadedTools(reader, item.call_id)],
  // The developer gives them, in the middle of a conversation.
  ['additional_tools', (reader) => reader.known('system', [], 'tools')],
  ['mcp_approval_request', readApprovalRequest],
  ['mcp_approval_response', (reader, item) => reader.answers(reader.known('user', [], 'approval'), item.approval_request_id)],
  ['mcp_call', (reader, item) => readHosted(reader, item, [], reader.string(item.id, ['id']))],
  ['file_search_call', (reader, item) => readHosted(reader, item, [], reader.string(item.id, ['id']))],
  ['code_interpreter_call', (reader, item) => readHosted(reader, item, [], reader.string(item.id, ['id']))],
]);

/** A local shell's output names the call's item, those of others the call. */
function readCallOf(reader: Reader, item: Fields, key: string, name: string) {
  const call = readCall(reader, item[key], [key], name, reader.string(item.call_id, ['call_id']));
  if (typeof item.id === 'string') reader.named(item.id);
  return call;
}

function readApprovalRequest(reader: Reader, item: Fields) {
  reader.known('assistant', [], 'approval');
  reader.named(reader.string(item.id, ['id']));
}

/** The input of a custom tool is any text. */
function freeForm({ path }: Part) {
  return path[0] === 'input';
}

export default openaiResponses;
