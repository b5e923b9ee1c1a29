// POST /v1/responses, without `previous_response_id`: everything that a call or its output refers to is in the input.
import { keepLimits } from './limits.mjs';
import { readBreakpoints } from './openai-breakpoints.mjs';
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
  mcp_approval_request(item, where) {
    for (const key of ['id', 'server_label', 'name', 'arguments']) needsText(item, key, where);
  },
  mcp_approval_response(item, where) {
    needsText(item, 'approval_request_id', where);
  },
  mcp_call(item, where) {
    for (const key of ['id', 'server_label', 'name', 'arguments']) needsText(item, key, where);
  },
  computer_call(item, where) {
    needsText(item, 'call_id', where);
    if (typeName(item.action) !== 'object' && !Array.isArray(item.actions)) refuse(`Missing required parameter: '${where}.action'.`, where);
  },
  computer_call_output(item, where) {
    needsText(item, 'call_id', where);
    if (item.output?.type !== 'computer_screenshot') refuse(`Invalid value for '${where}.output'.`, where);
  },
  shell_call(item, where) {
    needsText(item, 'call_id', where);
    if (!Array.isArray(item.action?.commands)) refuse(`Missing required parameter: '${where}.action.commands'.`, where);
  },
  shell_call_output(item, where) {
    needsText(item, 'call_id', where);
    const isOutput = (part) => typeof part?.stdout === 'string' && typeof part.stderr === 'string' && typeName(part.outcome) === 'object';
    if (!Array.isArray(item.output) || !item.output.every(isOutput)) refuse(`Invalid type for '${where}.output'.`, where);
  },
  local_shell_call(item, where) {
    for (const key of ['id', 'call_id']) needsText(item, key, where);
    if (!Array.isArray(item.action?.command)) refuse(`Missing required parameter: '${where}.action.command'.`, where);
  },
  local_shell_call_output(item, where) {
    needsText(item, 'id', where);
    if (typeof item.output !== 'string') refuse(`Missing required parameter: '${where}.output'.`, where);
  },
  apply_patch_call(item, where) {
    needsText(item, 'call_id', where);
    if (!['create_file', 'update_file', 'delete_file'].includes(item.operation?.type))
      refuse(`Invalid value for '${where}.operation'.`, where);
  },
  apply_patch_call_output(item, where) {
    needsText(item, 'call_id', where);
    if (item.output != null && typeof item.output !== 'string') refuse(`Invalid type for '${where}.output'.`, where);
  },
  tool_search_output(item, where) {
    if (!Array.isArray(item.tools)) refuse(`Missing required parameter: '${where}.tools'.`, where);
  },
  program(item, where) {
    for (const key of ['id', 'call_id', 'code', 'fingerprint']) needsText(item, key, where);
  },
  program_output(item, where) {
    needsText(item, 'call_id', where);
    if (typeof item.result !== 'string') refuse(`Missing required parameter: '${where}.result'.`, where);
  },
  code_interpreter_call(item, where) {
    for (const key of ['id', 'container_id']) needsText(item, key, where);
  },
  file_search_call(item, where) {
    needsText(item, 'id', where);
    if (!Array.isArray(item.queries)) refuse(`Missing required parameter: '${where}.queries'.`, where);
  },
  mcp_list_tools(item, where) {
    for (const key of ['id', 'server_label']) needsText(item, key, where);
  },
  additional_tools(item, where) {
    if (item.role !== 'developer' || !Array.isArray(item.tools)) refuse(`Missing required parameter: '${where}.tools'.`, where);
  },
  image_generation_call(item, where) {
    needsText(item, 'id', where);
  },
  web_search_call() {},
  tool_search_call() {},
  compaction_trigger() {},
  configuration_update() {},
  item_reference(item, where) {
    needsText(item, 'id', where);
  },
};

/** Calls and what answers them. A local shell's output has the id of the call. */
const PAIRS = {
  function_call: 'function call',
  custom_tool_call: 'custom tool call',
  computer_call: 'computer call',
  local_shell_call: 'local shell call',
  shell_call: 'shell call',
  apply_patch_call: 'apply patch call',
  program: 'program',
};
/** Checks a search for tools, which the caller answers by `call_id`, or the provider by what comes next. */
function readToolSearches(input) {
  input.forEach((item, i) => {
    const [before, after] = [input[i - 1], input[i + 1]];
    if (item.type === 'tool_search_call' && item.call_id == null && after?.type !== 'tool_search_output')
      refuse('No tool output found for tool search call.', 'input');
    if (item.type === 'tool_search_output' && item.call_id == null && before?.type !== 'tool_search_call')
      refuse('No tool call found for tool search output.', 'input');
  });
  const isNamed = ({ type, call_id: id }) => id != null || !type?.startsWith('tool_search');
  pair(input.filter(isNamed), 'tool_search_call', 'tool search call', 'tool_search_output');
}

/** Checks approvals: a request, the user's response, then the call, if it was approved, all before the user says something else. */
function readApprovals(input) {
  const requests = new Map(); // id → its response
  const waiting = new Set(); // requests without a response or the call
  for (const { type, id, role, approval_request_id: request, approve } of input) {
    if (role === 'user' && waiting.size > 0) refuse(`Nothing came of approval request ${[...waiting][0]}.`, 'input');
    if (type === 'mcp_call' || approve === false) waiting.delete(request);
    if (type === 'mcp_approval_request') {
      requests.set(id, undefined);
      waiting.add(id);
    } else if (type === 'mcp_approval_response' || (type === 'mcp_call' && request != null)) {
      if (!requests.has(request)) refuse(`No approval request found with id ${request}.`, 'input');
      if (type === 'mcp_approval_response') requests.set(request, approve);
      else if (requests.get(request) !== true) refuse(`The call of approval request ${request} was not approved.`, 'input');
    }
  }
}

/** Checks the calls that a program made: it stands before them. */
function readPrograms(input) {
  const programs = new Set();
  for (const { type, call_id: id, caller } of input) {
    if (type === 'program') programs.add(id);
    if (caller?.type === 'program' && !programs.has(caller.caller_id))
      refuse(`No program found with call_id ${caller.caller_id}.`, 'input');
  }
}

/** A local shell's output may have an `id` alone, which is that of the call. */
const answeredBy = ({ type, id, call_id: callId }) => (type === 'local_shell_call_output' ? (callId ?? id) : callId);

/** Checks that every call has exactly one output after it. An id may be reused then. A program goes on once it has what it called for. */
function pair(input, callType, noun, outputType = `${callType}_output`) {
  const waiting = [];
  for (const item of input) {
    if (item.type === callType) {
      const id = item.call_id;
      if (waiting.includes(id)) refuse(`Duplicate ${noun} with call_id ${id}.`, 'input');
      waiting.push(id);
    } else if (item.type === outputType) {
      const id = answeredBy(item);
      const position = waiting.indexOf(id);
      if (position < 0) refuse(`No tool call found for ${noun} output with call_id ${id}.`, 'input');
      waiting.splice(position, 1);
    }
  }
  const goesOn = callType === 'program' && waiting.length === 1 && input.at(-1).caller?.caller_id === waiting[0];
  if (waiting.length > 0 && !goesOn) refuse(`No tool output found for ${noun} ${waiting[0]}.`, 'input');
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
  for (const [type, noun] of Object.entries(PAIRS)) pair(input, type, noun);
  readToolSearches(input);
  readApprovals(input);
  readPrograms(input);
  readBreakpoints('responses', input);
  keepLimits('openai', input);
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
