// Returns the objection of generateContent to contents, in the API's words, or null. There is no client here to send them
// with, so tests call it directly.
import { keepLimits } from './limits.mjs';
import { Refusal, refuse, typeName } from './refusal.mjs';

const calls = ({ role, parts }) => (role === 'model' ? parts.filter((part) => part.functionCall != null) : []);
const responses = ({ role, parts }) => (role === 'model' ? [] : parts.filter((part) => part.functionResponse != null));
const data = [
  ...['text', 'functionCall', 'functionResponse', 'inlineData', 'fileData'],
  ...['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse', 'audioTranscription'],
];

function readPart(part, role, where) {
  if (typeName(part) !== 'object') refuse(`Invalid value at '${where}'`);
  if (!Object.keys(part).some((key) => data.includes(key)))
    refuse(`${where}.data: required oneof field 'data' must have one initialized field`);
  if (part.text != null && typeof part.text !== 'string') refuse(`Invalid value at '${where}.text' (TYPE_STRING)`);
  if (part.thoughtSignature != null && (typeof part.thoughtSignature !== 'string' || part.thoughtSignature === ''))
    refuse(`Invalid value at '${where}.thought_signature' (TYPE_BYTES)`);
  if (part.functionCall != null) {
    if (role !== 'model')
      refuse('Please ensure that function call turn comes immediately after a user turn or after a function response turn.');
    const { name, args } = typeName(part.functionCall) === 'object' ? part.functionCall : {};
    if (typeof name !== 'string' || name === '') refuse(`${where}.function_call.name: [REQUIRED_FIELD_MISSING]`);
    if (args != null && typeName(args) !== 'object') refuse(`Invalid value at '${where}.function_call.args' (Struct)`);
  }
  if (part.functionResponse != null) {
    if (role === 'model') refuse('Please ensure that function response turn comes immediately after a function call turn.');
    const { name, response } = typeName(part.functionResponse) === 'object' ? part.functionResponse : {};
    if (typeof name !== 'string' || name === '') refuse(`${where}.function_response.name: [REQUIRED_FIELD_MISSING]`);
    if (typeName(response) !== 'object') refuse(`Invalid value at '${where}.function_response.response' (Struct)`);
  }
}

function readTurns(contents) {
  contents.forEach((content, i) => {
    const asked = i === 0 ? [] : calls(contents[i - 1]);
    const given = responses(content);
    if (given.length > 0 && asked.length === 0)
      refuse('Please ensure that function response turn comes immediately after a function call turn.');
    if (given.length !== asked.length)
      refuse(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      );
    const ids = asked.map((part) => part.functionCall.id);
    const named = given.map((part) => part.functionResponse.id).filter((id) => typeof id === 'string' && id !== '');
    if (ids.every((id) => id !== undefined) && named.some((id) => !ids.includes(id)))
      refuse('Function response id does not match a function call id.');
  });
}

/** Checks what ran at the provider, all in turns of the model: code, then what it wrote; a call of a tool, then its response. */
function readServerTools(contents) {
  for (const { role, parts } of contents) {
    const called = new Set();
    parts.forEach((part, i) => {
      const hosted = ['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse'].find((key) => part[key] != null);
      if (hosted === undefined) return;
      if (role !== 'model') refuse(`Please ensure that ${hosted} parts are in a turn of the model.`);
      if (hosted === 'executableCode' && parts[i + 1]?.codeExecutionResult == null)
        refuse('Please ensure that executable code is followed by its code execution result.');
      if (hosted === 'codeExecutionResult' && parts[i - 1]?.executableCode == null)
        refuse('Please ensure that code execution result comes immediately after executable code.');
      if (hosted === 'toolCall') called.add(part.toolCall.id);
      if (hosted === 'toolResponse' && !called.delete(part.toolResponse.id)) refuse('Tool response id does not match a tool call id.');
    });
    if (called.size > 0) refuse('Tool call without its tool response.');
  }
}

/**
 * Gemini 3: the first call of every step of the current turn is signed. The turn starts with the most recent user message that contains standard
 * content, such as text. A history of another model has no signed calls.
 */
function readSignatures(contents, model) {
  const isSigned = ({ thoughtSignature }) => thoughtSignature != null;
  if (!model.startsWith('gemini-3') && !contents.flatMap(calls).some(isSigned)) return;
  const spoken = contents.findLastIndex(
    (content) => content.role !== 'model' && content.parts.some((part) => part.functionResponse == null),
  );
  for (const content of contents.slice(spoken + 1)) {
    const [first] = calls(content);
    if (first && !isSigned(first)) refuse('Function call is missing a thought_signature in functionCall parts.');
  }
}

function read(contents, model) {
  if (!Array.isArray(contents) || contents.length === 0) refuse('contents is not specified');
  contents.forEach((content, i) => {
    if (typeName(content) !== 'object') refuse(`Invalid value at 'contents[${i}]'`);
    if (![undefined, 'user', 'model', 'function'].includes(content.role)) refuse('Please use a valid role: user, model.');
    if (!Array.isArray(content.parts)) refuse(`Invalid value at 'contents[${i}].parts'`);
    if (content.parts.length === 0) refuse(`contents[${i}].parts: contents.parts must not be empty.`);
    content.parts.forEach((part, j) => readPart(part, content.role, `contents[${i}].parts[${j}]`));
  });
  if (contents[0].role === 'model') refuse('Please ensure that multiturn requests start with a user turn.');
  readTurns(contents);
  readServerTools(contents);
  readSignatures(contents, model);
}

/** Refuses what generateContent answers with status 400. */
export function answerContents({ contents, model = '' }) {
  read(contents, model);
  keepLimits('gemini', contents);
}

export function geminiRefusal(contents, model) {
  try {
    answerContents({ contents, model });
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
