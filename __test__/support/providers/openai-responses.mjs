// POST /v1/responses, without `previous_response_id`: everything that a call or its output refers to is in the input.
import { parsesToObject, refuse, typeName } from './refusal.mjs';

const partsOf = {
  user: ['input_text', 'input_image', 'input_file', 'input_audio'],
  system: ['input_text', 'input_image', 'input_file', 'input_audio'],
  developer: ['input_text', 'input_image', 'input_file', 'input_audio'],
  assistant: ['output_text', 'refusal'],
};

function readParts(content, supported, where) {
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) refuse(`Invalid type for '${where}': expected one of a string or array of objects.`, where);
  content.forEach((part, i) => {
    if (typeName(part) !== 'object') refuse(`Invalid type for '${where}[${i}]': expected an object.`, where);
    if (!supported.includes(part.type)) {
      refuse(
        `Invalid value: '${part.type}'. Supported values are: ${supported.map((name) => `'${name}'`).join(' and ')}.`,
        `${where}[${i}]`,
      );
    }
    if (/_text$/.test(part.type) && typeof part.text !== 'string')
      refuse(`Invalid type for '${where}[${i}].text': expected a string.`, where);
  });
}

const needsText = (item, key, where) => {
  if (typeof item[key] !== 'string' || item[key] === '') refuse(`Missing required parameter: '${where}.${key}'.`, `${where}.${key}`);
};

const named = (item, where) => {
  needsText(item, 'call_id', where);
  needsText(item, 'name', where);
  if (item.call_id.length > 64)
    refuse(
      `Invalid '${where}.call_id': string too long. Expected a string with maximum length 64, but got a string with length ${item.call_id.length} instead.`,
      where,
    );
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(item.name))
    refuse(`Invalid '${where}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`, where);
};

const readItem = {
  message(item, where) {
    if (!Object.hasOwn(partsOf, item.role))
      refuse(`Invalid value: '${item.role}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`, where);
    readParts(item.content, partsOf[item.role], `${where}.content`);
  },
  function_call(item, where) {
    named(item, where);
    if (typeof item.arguments !== 'string' || !parsesToObject(item.arguments))
      refuse(`Invalid '${where}.arguments': not a JSON object.`, where);
  },
  custom_tool_call(item, where) {
    named(item, where);
    if (typeof item.input !== 'string') refuse(`Missing required parameter: '${where}.input'.`, where);
  },
  function_call_output(item, where) {
    needsText(item, 'call_id', where);
    readParts(item.output, partsOf.user, `${where}.output`);
  },
  custom_tool_call_output(item, where) {
    readItem.function_call_output(item, where);
  },
  reasoning(item, where) {
    if (!Array.isArray(item.summary)) refuse(`Missing required parameter: '${where}.summary'.`, where);
  },
  compaction(item, where) {
    needsText(item, 'encrypted_content', where);
  },
  web_search_call() {},
  mcp_approval_response() {},
  item_reference(item, where) {
    needsText(item, 'id', where);
  },
};

/** Checks that every call has exactly one output after it. An id may be reused then. */
function pair(input, callType, noun) {
  const waiting = [];
  for (const { type, call_id: id } of input) {
    if (type === callType) {
      if (waiting.includes(id)) refuse(`Duplicate ${noun} with call_id ${id}.`, 'input');
      waiting.push(id);
    } else if (type === `${callType}_output`) {
      const position = waiting.indexOf(id);
      if (position < 0) refuse(`No tool call found for ${noun} output with call_id ${id}.`, 'input');
      waiting.splice(position, 1);
    }
  }
  if (waiting.length > 0) refuse(`No tool output found for ${noun} ${waiting[0]}.`, 'input');
}

const saidByModel = ({ type, role }) =>
  type === 'message' || type === undefined ? role === 'assistant' : !/_(output|response)$/.test(type);

export function answerResponses({ input }) {
  if (!Array.isArray(input) || input.length === 0)
    refuse('One of "input" or "previous_response_id" or \'prompt\' must be provided.', 'input');
  const ids = [];
  input.forEach((item, i) => {
    const where = `input[${i}]`;
    if (typeName(item) !== 'object') refuse(`Invalid type for '${where}': expected an object, but got ${typeName(item)} instead.`, where);
    const type = item.type === undefined ? 'message' : item.type;
    if (!Object.hasOwn(readItem, type))
      refuse(`Invalid value: '${type}'. Supported values are: ${Object.keys(readItem).join(', ')}.`, where);
    readItem[type](item, where);
    if (typeof item.id === 'string' && item.id !== '' && type !== 'item_reference' && !/_output$/.test(type)) {
      if (ids.includes(item.id))
        refuse(`Duplicate item found with id ${item.id}. Remove duplicate items from your input and try again.`, 'input');
      ids.push(item.id);
    }
  });
  pair(input, 'function_call', 'function call');
  pair(input, 'custom_tool_call', 'custom tool call');
  input.forEach((item, i) => {
    if (item.type !== 'reasoning' || (i + 1 < input.length && saidByModel(input[i + 1]))) return;
    // Nothing is stored of reasoning that comes encrypted; a user may interrupt the model while it thinks.
    const isMessage = i + 1 < input.length && (input[i + 1].type ?? 'message') === 'message';
    if (item.encrypted_content && isMessage) return;
    refuse(`Item '${item.id}' of type 'reasoning' was provided without its required following item.`, 'input');
  });
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 0,
    status: 'completed',
    model: 'test',
    error: null,
    output: [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'ok', annotations: [] }],
      },
    ],
  };
}
