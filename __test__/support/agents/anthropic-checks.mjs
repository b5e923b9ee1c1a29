// What Anthropic refuses in a request beside its messages.
import { refuse } from '../providers/refusal.mjs';
import { readCount, readFields, readSchema, readToolNames } from './errors.mjs';

const fields = new Set(
  (
    'model messages max_tokens system tools tool_choice metadata stop_sequences stream temperature top_k top_p thinking thread cache_control ' +
    'container context_management mcp_servers output_config output_format service_tier speed inference_geo diagnostics compaction betas'
  ).split(' '),
);
const keysOf = {
  text: ['type', 'text', 'citations', 'cache_control'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
  tool_use: ['type', 'id', 'name', 'input', 'cache_control', 'caller'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'],
  image: ['type', 'source', 'cache_control'],
};

function* allBlocks(messages) {
  for (const [i, { content }] of messages.entries()) {
    if (!Array.isArray(content)) continue;
    for (const [j, block] of content.entries()) {
      yield [block, `messages.${i}.content.${j}`];
      if (block.type === 'tool_result' && Array.isArray(block.content))
        for (const [k, inner] of block.content.entries()) yield [inner, `messages.${i}.content.${j}.tool_result.content.${k}`];
    }
  }
}

function readExtras(messages) {
  messages.forEach((message, i) => {
    for (const key of Object.keys(message))
      if (!['role', 'content', message.role === 'system' && 'output_config'].includes(key))
        refuse(`messages.${i}.${key}: Extra inputs are not permitted`);
  });
  for (const [block, where] of allBlocks(messages)) {
    for (const key of Object.keys(block))
      if (keysOf[block.type] && !keysOf[block.type].includes(key)) refuse(`${where}.${block.type}.${key}: Extra inputs are not permitted`);
  }
}

/** At most 4 breakpoints, of known kinds, and none that lives for an hour behind one that lives for minutes. */
function readCacheControl({ tools, system, messages, cache_control: automatic }) {
  const marked = [
    ...(tools ?? []),
    ...(Array.isArray(system) ? system : []),
    ...[...allBlocks(messages)].map(([block]) => block),
    { cache_control: automatic },
  ].filter((block) => block.cache_control);
  if (marked.length > 4) refuse(`A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`);
  let short = false;
  for (const { type, text, cache_control: control } of marked) {
    if (control.type !== 'ephemeral') refuse(`cache_control.type: Input should be 'ephemeral'`);
    if (control.ttl != null && !['5m', '1h'].includes(control.ttl)) refuse(`cache_control.ttl: Input should be '5m' or '1h'`);
    if (['thinking', 'redacted_thinking'].includes(type)) refuse(`${type}.cache_control: Extra inputs are not permitted`);
    if (type === 'text' && text === '') refuse('cache_control cannot be set for empty text blocks');
    if (control.ttl === '1h' && short)
      refuse(
        "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
      );
    short ||= control.ttl !== '1h';
  }
}

function readSystem(system) {
  if (system === undefined || typeof system === 'string') return;
  if (!Array.isArray(system)) refuse('system: Input should be a valid list');
  system.forEach((block, i) => {
    if (block?.type !== 'text' || typeof block.text !== 'string') refuse(`system.${i}: Input should be a text block`);
    if (!/\S/.test(block.text)) refuse('system: text content blocks must contain non-whitespace text');
  });
}

function readThinking({ thinking, max_tokens: most, tool_choice: choice }) {
  if (thinking == null) return;
  if (!['enabled', 'adaptive', 'disabled'].includes(thinking.type))
    refuse(`thinking.type: Input should be 'enabled', 'adaptive' or 'disabled'`);
  if (thinking.type !== 'enabled') return;
  readCount(thinking.budget_tokens, 1024, 'thinking.budget_tokens');
  if (most !== undefined && most <= thinking.budget_tokens) refuse('`max_tokens` must be greater than `thinking.budget_tokens`.');
  if (['any', 'tool'].includes(choice?.type)) refuse('Thinking may not be enabled when tool_choice forces tool use.');
}

/** @returns {Set<string>} names of the tools */
export function readAnthropic(body, counts) {
  readFields(body, fields, (key) => `${key}: Extra inputs are not permitted`);
  if (typeof body.model !== 'string' || body.model === '') refuse('model: Field required');
  if (!counts) readCount(body.max_tokens, 1, 'max_tokens');
  readSystem(body.system);
  const names = readToolNames(body.tools, (tool, i) => {
    if (tool.type == null || tool.type === 'custom') readSchema(tool.input_schema, `tools.${i}.custom.input_schema`);
    return tool.name;
  });
  readExtras(body.messages);
  const usesTools = [...allBlocks(body.messages)].some(([{ type }]) => type === 'tool_use' || type === 'tool_result');
  if (usesTools && names.size === 0) refuse('Requests which include `tool_use` or `tool_result` blocks must define tools.');
  const { tool_choice: choice } = body;
  if (choice != null) {
    if (!['auto', 'any', 'tool', 'none'].includes(choice.type)) refuse('tool_choice: Input tag does not match any of the expected tags');
    if (choice.type !== 'none' && names.size === 0) refuse('tool_choice may only be specified while providing tools.');
    if (choice.type === 'tool' && !names.has(choice.name)) refuse(`Tool '${choice.name}' not found in provided tools`);
  }
  readThinking(body);
  readCacheControl(body);
  return names;
}
