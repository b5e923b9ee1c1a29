// The parts of a message, told by their shape alone, so that one reader serves every format: the names of the formats' fields don't collide.
import { isObject } from '../transcripts/values.js';
import type { MessageData, PartData } from '../types.js';
import type { Json } from '../transcripts/values.js';

export interface Part {
  label: PartData['label'];
  text: string;
  /** place inside the message */
  path: (string | number)[];
  /** name, in calls and some results */
  tool?: string;
  callId?: string;
  /** path that a call names */
  file?: string;
  /** of a result, where it is known */
  call?: Part;
}

/** Keys of arguments that name a file. */
const FILE_KEYS = ['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path', 'filename', 'file', 'target_file', 'uri'];
/** The first file of a patch. */
const PATCHED = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/m;

/** Arguments of a call as an object. */
function argumentsOf(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

/** @returns the file that a call's arguments name */
export function fileOf(given: unknown): string | undefined {
  const input = argumentsOf(given);
  if (typeof input === 'string') return PATCHED.exec(input)?.[1];
  if (!isObject(input)) return undefined;
  for (const key of FILE_KEYS) if (typeof input[key] === 'string' && input[key] !== '') return input[key];
  const patch = input.patch ?? input.input;
  return typeof patch === 'string' ? PATCHED.exec(patch)?.[1] : undefined;
}

const asText = (value: unknown) => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value));

/** The texts of content that may be nested: strings, blocks with a text, and lists of them. */
function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content))
    return content
      .map(textIn)
      .filter((text) => text !== '')
      .join('\n');
  if (!isObject(content)) return content === undefined || content === null ? '' : String(content);
  if (typeof content.text === 'string') return content.text;
  if (isMedia(content)) return `[${content.type ?? 'media'}]`;
  // The AI SDK's output of a tool, and results of the same kind.
  if ('value' in content && typeof content.type === 'string')
    return textIn(content.type === 'content' ? content.value : asText(content.value));
  return JSON.stringify(content);
}

const isMedia = (block: Json) =>
  /^(?:image|input_image|image_url|document|file|input_file|audio|input_audio|media)$/.test(block.type ?? '') ||
  isObject(block.inlineData) ||
  isObject(block.fileData);

function callOf(tool: string, input: unknown, callId: unknown, path: (string | number)[]): Part {
  const file = fileOf(input);
  return {
    label: 'call',
    text: asText(input ?? {}),
    path,
    tool,
    ...(typeof callId === 'string' && { callId }),
    ...(file !== undefined && { file }),
  };
}

const resultOf = (content: unknown, callId: unknown, path: (string | number)[], tool?: unknown): Part => ({
  label: 'result',
  text: textIn(content),
  path,
  ...(typeof callId === 'string' && { callId }),
  ...(typeof tool === 'string' && { tool }),
});

/** A call with its result in one, of the AI SDK's UI messages and of Mastra. */
function callWithResult(block: Json, tool: string, path: (string | number)[]) {
  const result = block.output ?? block.result ?? block.errorText;
  return [
    callOf(tool, block.input ?? block.args, block.toolCallId, [...path, 'input' in block ? 'input' : 'args']),
    ...(result === undefined || result === null ? [] : [resultOf(result, block.toolCallId, path, tool)]),
  ];
}

/** The parts of a block of content, or of an item. */
function partsOfBlock(block: Json, path: (string | number)[]): Part[] {
  const { type } = block;
  if (isObject(block.functionCall)) return [callOf(String(block.functionCall.name), block.functionCall.args, block.functionCall.id, path)];
  if (isObject(block.functionResponse)) {
    const { response, id, name } = block.functionResponse;
    return [resultOf(isObject(response) && Object.keys(response).length === 1 ? Object.values(response)[0] : response, id, path, name)];
  }
  if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use')
    return [callOf(String(block.name), block.input, block.id, path)];
  if (type === 'tool-call') return [callOf(String(block.toolName), block.input ?? block.args, block.toolCallId, path)];
  if (type === 'tool-result') return [resultOf(block.output ?? block.result, block.toolCallId, path, block.toolName)];
  if (type === 'tool-invocation' && isObject(block.toolInvocation)) {
    return callWithResult(block.toolInvocation, String(block.toolInvocation.toolName), [...path, 'toolInvocation']);
  }
  if (typeof type === 'string' && typeof block.toolCallId === 'string' && (type === 'dynamic-tool' || type.startsWith('tool-'))) {
    return callWithResult(block, type === 'dynamic-tool' ? String(block.toolName) : type.slice('tool-'.length), path);
  }
  if (typeof type === 'string' && (type.endsWith('tool_result') || type === 'function_call_result' || type.endsWith('_call_output'))) {
    return [resultOf(block.content ?? block.output, block.tool_use_id ?? block.call_id ?? block.callId, path, block.name)];
  }
  if (type === 'function_call' || type === 'custom_tool_call') {
    return [callOf(String(block.name), block.arguments ?? block.input, block.call_id ?? block.callId, path)];
  }
  if (type === 'thinking' || type === 'reasoning' || type === 'redacted_thinking' || block.thought === true) {
    const text =
      block.thinking ?? block.text ?? block.data ?? textIn([block.summary ?? [], block.content ?? [], block.encrypted_content ?? []]);
    return [{ label: 'thinking', text: asText(text), path }];
  }
  if (typeof type === 'string' && type.endsWith('_call')) {
    return [callOf(type.slice(0, -'_call'.length), block.action ?? block.queries ?? {}, block.call_id ?? block.callId, path)];
  }
  if (typeof block.text === 'string') return [{ label: 'text', text: block.text, path }];
  if (typeof block.refusal === 'string') return [{ label: 'text', text: block.refusal, path }];
  if (isMedia(block)) return [{ label: 'media', text: `[${block.type ?? 'media'}]`, path }];
  if (type === 'step-start') return [];
  return [{ label: 'other', text: JSON.stringify(block), path }];
}

function partsOfContent(content: unknown, path: (string | number)[]): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ label: 'text', text: content, path }];
  if (Array.isArray(content)) {
    return content.flatMap((block, index) =>
      isObject(block)
        ? partsOfBlock(block, [...path, index])
        : typeof block === 'string'
          ? [{ label: 'text', text: block, path: [...path, index] }]
          : [],
    );
  }
  if (isObject(content))
    return Array.isArray(content.parts) ? partsOfContent(content.parts, [...path, 'parts']) : partsOfBlock(content, path);
  return [];
}

const ROLES: Record<string, MessageData['role']> = {
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  model: 'assistant',
  ai: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'tool',
};

/** @param given a message of any format */
export function readMessage(given: object): { role: MessageData['role']; parts: Part[] } {
  const message = given as Json;
  const isItem = message.role === undefined && typeof message.type === 'string';
  const content = isItem && message.content === undefined && message.parts === undefined ? undefined : (message.content ?? message.parts);
  const name = message.content !== undefined && message.content !== null ? 'content' : 'parts';
  const parts: Part[] = [];
  if (typeof message.reasoning_content === 'string')
    parts.push({ label: 'thinking', text: message.reasoning_content, path: ['reasoning_content'] });
  if (isItem && message.type !== 'message') parts.push(...partsOfBlock(message, []));
  else if (ROLES[message.role] === 'tool' && !(Array.isArray(content) && content.some((block) => block?.type === 'tool-result'))) {
    parts.push(resultOf(content, message.tool_call_id, [name], message.name));
  } else parts.push(...partsOfContent(content, [name]));
  if (Array.isArray(message.tool_calls)) {
    message.tool_calls.forEach((call, index) => {
      if (!isObject(call)) return;
      const made = call.function ?? call.custom ?? call;
      parts.push(callOf(String(made?.name), made?.arguments ?? made?.input ?? made?.args, call.id, ['tool_calls', index]));
    });
  }
  if (isObject(message.function_call))
    parts.push(callOf(String(message.function_call.name), message.function_call.arguments, undefined, ['function_call']));
  const isResults = parts.length > 0 && parts.every(({ label }) => label === 'result');
  const role = ROLES[message.role] ?? (isResults ? 'tool' : 'assistant');
  return { role: isResults ? 'tool' : role, parts };
}

/** All that can be read in a message: texts, calls and results, but not what a model thought. */
export const wordsOf = (parts: Part[]) =>
  parts
    .flatMap(({ label, text, tool }) => (label === 'thinking' || label === 'media' ? [] : [label === 'call' ? `${tool} ${text}` : text]))
    .join('\n');
