// POST /v1/messages
import { keepLimits } from './limits.mjs';
import { refuse, typeName } from './refusal.mjs';

/** What runs at the provider: the name of the call → the type of the block that answers it. */
const resultOf = {
  web_search: 'web_search_tool_result',
  web_fetch: 'web_fetch_tool_result',
  code_execution: 'code_execution_tool_result',
  bash_code_execution: 'bash_code_execution_tool_result',
  text_editor_code_execution: 'text_editor_code_execution_tool_result',
  tool_search_tool_regex: 'tool_search_tool_result',
  tool_search_tool_bm25: 'tool_search_tool_result',
  advisor: 'advisor_tool_result',
};
const serverResults = [...new Set(Object.values(resultOf)), 'mcp_tool_result'];
const blocksOf = {
  user: ['text', 'image', 'document', 'search_result', 'tool_result', 'container_upload'],
  assistant: [
    ...['text', 'image', 'document', 'thinking', 'redacted_thinking', 'tool_use', 'server_tool_use', 'mcp_tool_use', ...serverResults],
    ...['compaction', 'container_upload', 'mcp_tool_listing', 'fallback'],
  ],
  system: ['text', 'tool_addition', 'tool_removal'],
};
const inResult = ['text', 'image', 'document', 'search_result', 'tool_reference', 'browser_state'];

const isName = (value) => typeof value === 'string' && value.length > 0;

function readText(text, where) {
  if (typeof text !== 'string') refuse(`${where}.text: Input should be a valid string`);
  if (text === '') refuse('messages: text content blocks must be non-empty');
  if (!/\S/.test(text)) refuse('messages: text content blocks must contain non-whitespace text');
}

const readBlock = {
  text: (block, where) => readText(block.text, `${where}.text`),
  thinking(block, where) {
    if (typeof block.thinking !== 'string') refuse(`${where}.thinking.thinking: Field required`);
    if (typeof block.signature !== 'string') refuse(`${where}.thinking.signature: Field required`);
    if (block.cache_control != null) refuse(`${where}.thinking.cache_control: Extra inputs are not permitted`);
  },
  redacted_thinking(block, where) {
    if (!isName(block.data)) refuse(`${where}.redacted_thinking.data: Field required`);
    if (block.cache_control != null) refuse(`${where}.redacted_thinking.cache_control: Extra inputs are not permitted`);
  },
  tool_use(block, where) {
    if (typeof block.id !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(block.id))
      refuse(`${where}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
    if (typeof block.name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(block.name))
      refuse(`${where}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
    if (typeName(block.input) !== 'object') refuse(`${where}.tool_use.input: Input should be a valid dictionary`);
  },
  tool_result(block, where) {
    if (!isName(block.tool_use_id)) refuse(`${where}.tool_result.tool_use_id: Field required`);
    if (block.is_error != null && typeof block.is_error !== 'boolean')
      refuse(`${where}.tool_result.is_error: Input should be a valid boolean`);
    if (block.content === undefined || typeof block.content === 'string') return;
    if (!Array.isArray(block.content)) refuse(`${where}.tool_result.content: Input should be a valid list`);
    readBlocks(block.content, inResult, `${where}.tool_result.content`);
    if (block.content.filter(({ type }) => type === 'browser_state').length > 1)
      refuse(`${where}.tool_result.content: at most one \`browser_state\` block is allowed`);
    if (block.is_error && block.content.some(({ type }) => type !== 'text')) {
      refuse(`${where}.tool_result.content: all content must be type \`text\` if \`is_error\` is true`);
    }
  },
  mcp_tool_use(block, where) {
    if (!isName(block.id) || !isName(block.name) || !isName(block.server_name)) refuse(`${where}.mcp_tool_use: Field required`);
    if (typeName(block.input) !== 'object') refuse(`${where}.mcp_tool_use.input: Input should be a valid dictionary`);
  },
  search_result(block, where) {
    if (!Array.isArray(block.content) || block.content.length === 0) refuse(`${where}.search_result.content: Field required`);
    readBlocks(block.content, ['text'], `${where}.search_result.content`);
  },
  document({ source }, where) {
    if (typeName(source) !== 'object') refuse(`${where}.document.source: Field required`);
    if (source.type === 'text' && !isName(source.data)) refuse(`${where}.document.source.text.data: Field required`);
  },
  container_upload(block, where) {
    if (!isName(block.file_id)) refuse(`${where}.container_upload.file_id: Field required`);
  },
  compaction({ content }, where) {
    if (content != null && !isName(content)) refuse(`${where}.compaction.content: String should have at least 1 character`);
  },
  tool_reference(block, where) {
    if (!isName(block.tool_name)) refuse(`${where}.tool_reference.tool_name: Field required`);
  },
};
/** A result of MCP is a text or a list, and one of what runs code or fetches is an object. */
for (const type of serverResults.filter((one) => one !== 'web_search_tool_result')) {
  readBlock[type] = ({ content }, where) => {
    if (type === 'mcp_tool_result' && (typeof content === 'string' || content === undefined)) return;
    if (type === 'mcp_tool_result') return readBlocks(content, ['text'], `${where}.${type}.content`);
    if (typeName(content) !== 'object' || typeof content.type !== 'string') refuse(`${where}.${type}.content: Field required`);
  };
}

function readBlocks(blocks, supported, where) {
  blocks.forEach((block, i) => {
    if (typeName(block) !== 'object') refuse(`${where}.${i}: Input should be a valid dictionary`);
    if (!supported.includes(block.type)) {
      refuse(
        `${where}.${i}: Input tag '${block.type}' found using 'type' does not match any of the expected tags: ${supported.join(', ')}`,
      );
    }
    readBlock[block.type]?.(block, `${where}.${i}`);
  });
}

/** Checks one message: its role and its blocks. Only the last one may be empty, for the model to continue. */
function readMessage({ role, content }, i, isLast) {
  const where = `messages.${i}`;
  if (!Object.hasOwn(blocksOf, role)) refuse(`${where}.role: Input should be 'user', 'assistant' or 'system'`);
  if (typeof content !== 'string' && !Array.isArray(content)) refuse(`${where}.content: Input should be a valid list`);
  if (content.length === 0) {
    if (!isLast || role !== 'assistant')
      refuse(`${where}: all messages must have non-empty content except for the optional final assistant message`);
  } else if (typeof content === 'string') readText(content, where);
  else readBlocks(content, blocksOf[role], `${where}.content`);
}

const isCompaction = ({ type, content } = {}) => type === 'compaction' && content != null;

/** "All content blocks before a `compaction` block are ignored": messages from the newest one on, which may be the first. */
function live(messages) {
  const newest = messages.findLastIndex(({ content }) => Array.isArray(content) && content.some(isCompaction));
  if (newest < 0) return messages;
  const { content, ...message } = messages[newest];
  return [{ ...message, content: content.slice(content.findLastIndex(isCompaction)) }, ...messages.slice(newest + 1)];
}

/** A message of the role `system` follows one of the user's, and precedes one of the assistant's or ends the request. */
function readPlaces(messages) {
  messages.forEach(({ role }, i) => {
    if (role !== 'system') return;
    if (messages[i - 1]?.role !== 'user') refuse(`messages.${i}: a \`system\` message must follow a \`user\` message`);
    const next = messages[i + 1]?.role ?? 'assistant';
    if (next !== 'assistant') refuse(`messages.${i}: a \`system\` message must precede an \`assistant\` message or end the request`);
  });
}

/** "Consecutive `user` or `assistant` turns in your request will be combined into a single turn." */
function combine(messages) {
  const turns = [];
  for (const { role, content } of messages.filter((message) => message.role !== 'system')) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    if (turns.at(-1)?.role === role) turns.at(-1).blocks.push(...blocks);
    else turns.push({ role, blocks: [...blocks] });
  }
  return turns;
}

const idsOf = ({ blocks } = { blocks: [] }, type, key) => blocks.filter((block) => block.type === type).map((block) => block[key]);

/** Checks the caller's tools: each `tool_use` is answered in the next turn, which begins with the results. */
function readClientTools(turns) {
  const all = turns.flatMap((turn) => idsOf(turn, 'tool_use', 'id'));
  if (new Set(all).size !== all.length) refuse('messages: `tool_use` ids must be unique');
  turns.forEach((turn, i) => {
    const called = idsOf(turns[i - 1], 'tool_use', 'id');
    const answered = idsOf(turn, 'tool_result', 'tool_use_id');
    const unasked = answered.filter((id) => !called.includes(id));
    if (unasked.length > 0) {
      refuse(
        `messages.${i}.content: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${unasked.join(', ')}. ` +
          'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
      );
    }
    if (new Set(answered).size !== answered.length)
      refuse(`messages.${i}.content: each tool_use must have a single result. Found multiple \`tool_result\` blocks`);
    const unanswered = called.filter((id) => !answered.includes(id));
    const resultsFirst = turn.blocks.slice(0, called.length).every(({ type }) => type === 'tool_result');
    if (unanswered.length > 0 || !resultsFirst) {
      refuse(
        `messages.${i - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${unanswered.join(', ')}. ` +
          'Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
      );
    }
  });
  const open = idsOf(turns.at(-1), 'tool_use', 'id');
  if (open.length > 0)
    refuse(
      `messages.${turns.length - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}.`,
    );
}

const isServerCall = ({ type }) => type === 'server_tool_use' || type === 'mcp_tool_use';
/** The type of its result; a tool that isn't known may be newer than this file. */
const answerTo = ({ type, name }) => (type === 'mcp_tool_use' ? 'mcp_tool_result' : (resultOf[name] ?? `${name}_tool_result`));

/**
 * Checks the provider's tools: a call, then its result, before the user speaks again; code that calls the caller's tools waits for their results.
 * Only the last assistant turn may still wait. Calls that code made name the call that ran it.
 */
function readServerTools(turns) {
  const waiting = new Map(); // id → its call and its turn
  const started = new Map(); // id → its call
  const onlyResults = ({ role, blocks }) => role === 'user' && blocks.every(({ type }) => type === 'tool_result');
  turns.forEach((turn, i) => {
    if (turn.role === 'user' && !onlyResults(turn)) refuseWaiting(waiting);
    for (const block of turn.blocks) {
      const caller = block.caller?.tool_id;
      if (caller !== undefined && !started.has(caller))
        refuse(`messages.${i}: \`caller.tool_id\` ${caller} does not refer to a \`server_tool_use\` block before it`);
      if (isServerCall(block)) {
        if (started.has(block.id)) refuse('messages: `tool_use` ids must be unique');
        started.set(block.id, block);
        waiting.set(block.id, { block, i });
      }
      if (!serverResults.includes(block.type)) continue;
      const call = started.get(block.tool_use_id);
      if (call === undefined || (Object.hasOwn(resultOf, call.name) && answerTo(call) !== block.type)) {
        refuse(
          `messages.${i}: unexpected \`tool_use_id\` found in \`${block.type}\` blocks: ${block.tool_use_id}. ` +
            `Each \`${block.type}\` block must have a corresponding \`server_tool_use\` block before it.`,
        );
      }
      waiting.delete(block.tool_use_id);
    }
  });
  const last = onlyResults(turns.at(-1)) ? turns.length - 2 : turns.length - 1;
  const calledByCode = (id) => turns.some(({ blocks }) => blocks.some(({ caller }) => caller?.tool_id === id));
  for (const [id, { i }] of [...waiting]) if (i === last || calledByCode(id)) waiting.delete(id);
  refuseWaiting(waiting);
}

function refuseWaiting(waiting) {
  for (const [id, { block, i }] of waiting) {
    const type = answerTo(block);
    refuse(`messages.${i}: \`${block.name}\` tool use with id \`${id}\` was found without a corresponding \`${type}\` block`);
  }
}

const cacheControls = (blocks) =>
  blocks.reduce(
    (sum, { cache_control: control, content }) => sum + (control ? 1 : 0) + (Array.isArray(content) ? cacheControls(content) : 0),
    0,
  );

const lifetimes = (blocks) =>
  blocks.flatMap(({ cache_control: control, content }) => [
    ...(control ? [control.ttl ?? '5m'] : []),
    ...(Array.isArray(content) ? lifetimes(content) : []),
  ]);

export function answerMessages({ messages }) {
  if (!Array.isArray(messages) || messages.length === 0) refuse('messages: at least one message is required');
  messages.forEach((message, i) => {
    if (typeName(message) !== 'object') refuse(`messages.${i}: Input should be a valid dictionary`);
    readMessage(message, i, i === messages.length - 1);
  });
  const turns = combine(live(messages));
  if (turns.length === 0 || !(turns[0].role === 'user' || isCompaction(turns[0].blocks[0])))
    refuse('messages: first message must use the "user" role');
  readPlaces(live(messages));
  const all = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const controls = cacheControls(all);
  const ttls = lifetimes(all);
  if (ttls.includes('1h', ttls.indexOf('5m') + 1) && ttls.includes('5m'))
    refuse("messages: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.");
  if (controls > 4) refuse(`A maximum of 4 blocks with cache_control may be provided. Found ${controls}.`);
  turns.forEach(({ role, blocks }, i) => {
    if (role === 'assistant' && ['thinking', 'redacted_thinking'].includes(blocks.at(-1)?.type)) {
      refuse(`messages.${i}: The final block in an assistant message cannot be \`thinking\`.`);
    }
  });
  turns.forEach(({ role, blocks }, i) => {
    const types = blocks.map(({ type }) => type);
    if (role === 'assistant' && types.includes('tool_use') && types.lastIndexOf('text') > types.indexOf('tool_use'))
      refuse(`messages.${i}: \`tool_use\` blocks must be at the end of the message`);
  });
  readClientTools(turns);
  readServerTools(turns);
  keepLimits('anthropic', messages);
  const { role, content } = messages.at(-1);
  const text = typeof content === 'string' ? content : content.at(-1)?.type === 'text' ? content.at(-1).text : '';
  if (role === 'assistant' && /\s$/.test(text)) refuse('messages: final assistant content cannot end with trailing whitespace');
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'test',
    stop_reason: 'end_turn',
    stop_sequence: null,
    content: [{ type: 'text', text: 'ok' }],
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}
