// POST /v1/chat/completions
import { keepLimits } from './limits.mjs';
import { readBreakpoints } from './openai-breakpoints.mjs';
import { parsesToObject, refuse, typeName } from './refusal.mjs';

const allowedParts = {
  // Mistral's API has reasoning among the content, as a list of parts.
  system: ['text', 'thinking'],
  developer: ['text'],
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal', 'thinking'],
  tool: ['text'],
};

function readContent(content, role, where) {
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) refuse(`Invalid value for 'content': expected a string, got ${typeName(content)}.`, where);
  if (content.length < 1)
    refuse(`Invalid '${where}': empty array. Expected an array with minimum length 1, but got an empty array instead.`, where);
  for (const [i, part] of content.entries()) {
    const here = `${where}[${i}]`;
    if (typeName(part) !== 'object') refuse(`Invalid type for '${here}': expected an object, but got ${typeName(part)} instead.`, here);
    if (!allowedParts[role].includes(part.type)) {
      refuse(
        `Invalid value: '${part.type}'. Supported values are: ${allowedParts[role].map((name) => `'${name}'`).join(', ')}.`,
        `${here}.type`,
      );
    }
    if (part.type === 'thinking' && !Array.isArray(part.thinking))
      refuse(`Invalid type for '${here}.thinking': expected an array.`, `${here}.thinking`);
    if (part.type === 'text' && typeof part.text !== 'string')
      refuse(`Invalid type for '${here}.text': expected a string.`, `${here}.text`);
  }
}

function readName(name, where) {
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    refuse(`Invalid '${where}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`, where);
}

function readFunction({ name, arguments: json } = {}, where) {
  if (typeof name !== 'string' || name === '') refuse(`Missing required parameter: '${where}.name'.`, `${where}.name`);
  readName(name, where);
  if (typeof json !== 'string') refuse(`Missing required parameter: '${where}.arguments'.`, `${where}.arguments`);
  if (!parsesToObject(json)) refuse(`Invalid '${where}.arguments': not a JSON object.`, `${where}.arguments`);
}

function readCalls(calls, where) {
  if (!Array.isArray(calls)) refuse(`Invalid type for '${where}': expected an array, but got ${typeName(calls)} instead.`, where);
  if (calls.length < 1)
    refuse(`Invalid '${where}': empty array. Expected an array with minimum length 1, but got an empty array instead.`, where);
  return calls.map((call, i) => {
    const here = `${where}[${i}]`;
    if (typeName(call) !== 'object') refuse(`Invalid type for '${here}': expected an object.`, here);
    if (typeof call.id !== 'string' || call.id === '') refuse(`Missing required parameter: '${here}.id'.`, `${here}.id`);
    if (call.type === 'custom') {
      if (typeof call.custom?.name !== 'string' || call.custom.name === '' || typeof call.custom.input !== 'string') {
        refuse(`Missing required parameter: '${here}.custom'.`, `${here}.custom`);
      }
      readName(call.custom.name, `${here}.custom`);
    } else if (call.type === 'function') readFunction(call.function ?? undefined, `${here}.function`);
    else refuse(`Invalid value: '${call.type}'. Supported values are: 'function' and 'custom'.`, `${here}.type`);
    return call.id;
  });
}

/** Reads an assistant message and the tool messages after it. Returns the index of the next message. */
function readExchange(messages, i) {
  const { content, tool_calls: calls, function_call: legacy, refusal, audio } = messages[i];
  const where = `messages.[${i}]`;
  const says = content !== null && content !== undefined;
  if (says) readContent(content, 'assistant', `${where}.content`);
  if (legacy !== null && legacy !== undefined) readFunction(legacy, `${where}.function_call`);
  if (audio != null && (typeof audio.id !== 'string' || audio.id === ''))
    refuse(`Missing required parameter: '${where}.audio.id'.`, `${where}.audio`);
  if (refusal != null && typeof refusal !== 'string') refuse(`Invalid type for '${where}.refusal': expected a string.`, where);
  if (Array.isArray(content) && !calls && content.every(({ type }) => type === 'thinking'))
    refuse('Assistant message must have either content or tool_calls, but not none.', `${where}.content`);
  const ids = calls === undefined || calls === null ? [] : readCalls(calls, `${where}.tool_calls`);
  if (!says && ids.length === 0 && !legacy && refusal == null && audio == null) {
    refuse("Invalid value for 'content': expected a string, got null.", `${where}.content`);
  }
  if (ids.length !== new Set(ids).size) refuse(`Invalid '${where}.tool_calls': ids must be unique.`, `${where}.tool_calls`);
  const answers = [];
  let next = i + 1;
  while (messages[next]?.role === 'tool') {
    answers.push(readTool(messages[next], next));
    next++;
  }
  for (const id of answers) {
    if (!ids.includes(id)) {
      refuse("Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.", where);
    }
  }
  const twice = answers.find((id, position) => answers.indexOf(id) !== position);
  if (twice !== undefined) refuse(`Invalid parameter: Duplicate value for 'tool_call_id' of '${twice}' in message[${i}].`, where);
  const missing = ids.filter((id) => !answers.includes(id));
  if (missing.length > 0) {
    refuse(
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
        `The following tool_call_ids did not have response messages: ${missing.join(', ')}`,
      where,
    );
  }
  return next;
}

function readTool({ tool_call_id: id, content }, i) {
  const where = `messages.[${i}]`;
  if (typeof id !== 'string' || id === '')
    refuse(`Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.`, where);
  readContent(content, 'tool', `${where}.content`);
  return id;
}

function readMessage(messages, i) {
  const message = messages[i];
  if (typeName(message) !== 'object')
    refuse(`Invalid type for 'messages[${i}]': expected an object, but got ${typeName(message)} instead.`, `messages[${i}]`);
  switch (message.role) {
    case 'assistant':
      return readExchange(messages, i);
    case 'tool':
      return refuse(
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        `messages.[${i}].role`,
      );
    case 'function':
      if (typeof message.name !== 'string' || message.name === '')
        refuse("Missing parameter 'name': messages with role 'function' must have a 'name'.", `messages.[${i}]`);
      if (typeof message.content !== 'string' && message.content !== null)
        refuse(`Missing required parameter: 'messages[${i}].content'.`, `messages.[${i}]`);
      return i + 1;
    case 'system':
    case 'developer':
    case 'user':
      readContent(message.content, message.role, `messages.[${i}].content`);
      return i + 1;
    default:
      return refuse(
        `Invalid value: '${message.role}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.`,
        `messages[${i}].role`,
      );
  }
}

export function answerChat({ messages }) {
  if (!Array.isArray(messages)) refuse("Missing required parameter: 'messages'.", 'messages');
  if (messages.length === 0)
    refuse("Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.", 'messages');
  for (let i = 0; i < messages.length; ) i = readMessage(messages, i);
  readBreakpoints('chat', messages);
  keepLimits('openai', messages);
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: 'test',
    choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  };
}

/** Chat completions refuse nothing of legacy functions; without its call, a result says nothing to the model. */
export function answerHistory({ messages }) {
  answerChat({ messages });
  messages.forEach(({ role, name }, i) => {
    if (role === 'function' && messages[i - 1]?.function_call?.name !== name) refuse(`messages[${i}]: a result without its call`);
    if (messages[i].function_call && messages[i + 1]?.role !== 'function') refuse(`messages[${i}]: a call without its result`);
  });
}
