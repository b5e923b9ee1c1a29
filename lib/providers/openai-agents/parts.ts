import { isObject } from '../../checks.js';
import {
  leads,
  readingWith,
  readCall,
  readHosted,
  readLoadedTools,
  readMessage,
  readOther,
  readOutput,
  readOutputPart,
  readReasoning,
  readScreenshot,
  readShellCall,
  readShellOutput,
  readToolSearch,
  without,
} from '../openai-responses/items.js';
import { isMessage } from '../openai-responses/recognise.js';
import { replaceText } from '../shared/write.js';
import type { Fields } from '../shared/shapes.js';
import type { FormatModule, Part } from '../../types.js';
import type { Reader } from '../shared/reader.js';

/** Items of OpenAI's Agents SDK (`AgentInputItem`): its `Session`, `result.history`, and the input of its models. */
const openaiAgents: FormatModule = {
  reading: readingWith(readItem),
  replace,
  resultText: 'input_text',
  without,
  leads,
};

/** What the SDK writes to Chat Completions where a result has no text. */
const NO_TEXT = '[tool output omitted]';

function readItem(reader: Reader, item: Fields, locked?: string) {
  readSent(reader, item, locked);
  if (reader.adapter?.api === 'chat') dropForChat(reader.parts.slice(reader.first), item);
}

/** Marks what the SDK leaves out for Chat Completions: of a result all but its texts, of reasoning all but the first text of its raw content. */
function dropForChat(parts: readonly Part[], { type, rawContent }: Fields) {
  if (type === 'reasoning') {
    const text = (rawContent as Fields[] | undefined)?.[0]?.text;
    if (typeof text === 'string') parts[0].sent = () => text;
    else parts[0].unsent = true;
  } else if (type === 'function_call_result') {
    const files = parts.filter(({ kind, isFile }) => kind !== 'result' || isFile);
    for (const part of files) part.unsent = true;
    if (files.length < parts.length) return;
    delete parts[0].unsent;
    parts[0].sent = () => NO_TEXT;
  }
}

function readSent(reader: Reader, item: Fields, locked?: string) {
  const { type } = item;
  if (isMessage(item)) return readMessage(reader, item, locked);
  if (type === 'function_call') {
    const [text, id] = [reader.string(item.arguments, ['arguments']), reader.string(item.callId, ['callId'])];
    return reader.call(['arguments'], text, item.name, id, locked);
  }
  if (type === 'function_call_result') {
    const id = reader.string(item.callId, ['callId']);
    return isObject(item.output) ? readOutputPart(reader, item.output, ['output'], id) : readOutput(reader, item.output, id);
  }
  if (type === 'shell_call') return readShellCall(reader, item, reader.string(item.callId, ['callId']));
  if (type === 'shell_call_output') return readShellOutput(reader, item, reader.string(item.callId, ['callId']));
  if (type === 'computer_call')
    return readCall(reader, item.action ?? item.actions, ['action'], 'computer', reader.string(item.callId, ['callId']));
  if (type === 'computer_call_result') return readScreenshot(reader, item, reader.string(item.callId, ['callId']));
  if (type === 'apply_patch_call')
    return readCall(reader, item.operation, ['operation'], 'apply_patch', reader.string(item.callId, ['callId']));
  if (type === 'apply_patch_call_output') return readOutput(reader, item.output ?? '', reader.string(item.callId, ['callId']));
  if (type === 'reasoning') return readReasoning(reader, item, ['content', 'rawContent']);
  if (type === 'tool_search_call') return readToolSearch(reader, item, item.callId ?? item.call_id);
  if (type === 'tool_search_output') return readLoadedTools(reader, item.callId ?? item.call_id);
  if (type === 'hosted_tool_call') return readHostedItem(reader, item);
  return readOther(reader, item, type === 'unknown' ? ['providerData'] : []);
}

/**
 * Reads a call that ran at the provider, or an approval: its request, the response, the approved call. Only what `providerData` holds is sent again:
 * the SDK leaves the `output` out.
 */
function readHostedItem(reader: Reader, item: Fields) {
  const data = (item.providerData ?? {}) as Fields;
  const type = data.type ?? item.name;
  if (type === 'mcp_approval_response') return reader.answers(reader.known('user', ['providerData'], 'approval'), data.approval_request_id);
  const id = data.id ?? item.id;
  const isWhole = typeof id === 'string' && (type !== 'mcp_call' || typeof data.arguments === 'string');
  if (isWhole && readHosted(reader, data, ['providerData'], id)) return;
  const approved = type === 'mcp_call' && data.approval_request_id != null;
  reader.known('assistant', ['providerData'], `item of type ${item.type}`, approved ? 'withPrevious' : undefined);
  if (type === 'mcp_approval_request') reader.named(id as string);
}

/** A single output that is no list has another type of text than the parts of one. */
function replace(item: Fields, part: Part, text: string) {
  if (part.kind === 'media' && item.role === 'assistant') return [{ path: part.path, value: { type: 'output_text', text } }];
  if ((part.kind === 'media' || part.isFile) && part.path.length === 1) return [{ path: part.path, value: { type: 'text', text } }];
  return replaceText.call(openaiAgents, item, part, text);
}

export default openaiAgents;
