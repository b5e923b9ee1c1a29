// POST /v1/messages
import { refuse, typeName } from './refusal.mjs';

const blocksOf = {
  user: ['text', 'image', 'document', 'search_result', 'tool_result'],
  assistant: ['text', 'image', 'document', 'thinking', 'redacted_thinking', 'tool_use', 'server_tool_use', 'web_search_tool_result'],
  system: ['text'],
};
const inResult = ['text', 'image', 'document', 'search_result', 'tool_reference'];

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
    if (block.is_error && block.content.some(({ type }) => type !== 'text')) {
      refuse(`${where}.tool_result.content: all content must be type \`text\` if \`is_error\` is true`);
    }
  },
};

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

/** Checks the provider's tools: `server_tool_use`, then its result. Only the last assistant turn may still wait for it. */
function readServerTools(turns) {
  const started = new Map();
  turns.forEach(({ blocks }, i) => {
    for (const block of blocks) {
      if (block.type === 'server_tool_use') {
        if (started.has(block.id)) refuse('messages: `tool_use` ids must be unique');
        started.set(block.id, i);
      }
      if (block.type === 'web_search_tool_result' && !started.has(block.tool_use_id)) {
        refuse(
          `messages.${i}: unexpected \`tool_use_id\` found in \`web_search_tool_result\` blocks: ${block.tool_use_id}. ` +
            'Each `web_search_tool_result` block must have a corresponding `server_tool_use` block before it.',
        );
      }
    }
  });
  const results = new Set(turns.flatMap((turn) => idsOf(turn, 'web_search_tool_result', 'tool_use_id')));
  const last = turns.length - 1;
  const onlyResults = turns[last].role === 'user' && turns[last].blocks.every(({ type }) => type === 'tool_result');
  const running = onlyResults ? last - 1 : last;
  for (const [id, i] of started) {
    if (!results.has(id) && i !== running) {
      refuse(`messages.${i}: \`web_search\` tool use with id \`${id}\` was found without a corresponding \`web_search_tool_result\` block`);
    }
  }
}

const cacheControls = (blocks) =>
  blocks.reduce(
    (sum, { cache_control: control, content }) => sum + (control ? 1 : 0) + (Array.isArray(content) ? cacheControls(content) : 0),
    0,
  );

export function answerMessages({ messages }) {
  if (!Array.isArray(messages) || messages.length === 0) refuse('messages: at least one message is required');
  messages.forEach((message, i) => {
    if (typeName(message) !== 'object') refuse(`messages.${i}: Input should be a valid dictionary`);
    readMessage(message, i, i === messages.length - 1);
  });
  const turns = combine(messages);
  if (turns.length === 0 || turns[0].role !== 'user') refuse('messages: first message must use the "user" role');
  const controls = cacheControls(messages.flatMap(({ content }) => (Array.isArray(content) ? content : [])));
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
