// POST /v1/messages and /v1/messages/count_tokens
import { answerMessages } from '../providers/anthropic.mjs';
import { refuse } from '../providers/refusal.mjs';
import { AnthropicCache } from './anthropic-cache.mjs';
import { readAnthropic } from './anthropic-checks.mjs';
import { anthropicEvents } from './anthropic-events.mjs';
import { Threads } from './anthropic-threads.mjs';
import { SignedThinking } from './signed-thinking.mjs';
import { countText, piece } from './tokens.mjs';

const blocksOf = (content) => (typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []));
const ttlOf = ({ cache_control: control }) => (control ? (control.ttl ?? '5m') : undefined);

/** A block as a piece. What stands in a result belongs to the result, with its breakpoints. */
function readBlock({ cache_control: _, ...block }, place) {
  switch (block.type) {
    case 'text':
      return piece([place, 'text'], block.text);
    case 'thinking':
      return piece([place, 'thinking', block.signature], block.thinking);
    case 'tool_use':
      return piece([place, 'tool_use', block.id], `${block.name} ${JSON.stringify(block.input)}`);
    case 'tool_result': {
      const inner = blocksOf(block.content);
      const media = inner.filter(({ type }) => type !== 'text').map(({ cache_control: __, ...rest }) => rest);
      const text = inner.map((one) => one.text ?? '').join('\n');
      return piece([place, 'tool_result', block.tool_use_id, block.is_error === true, media], text, media.length);
    }
    default:
      return piece([place, block], '', block.type === 'image' ? 1 : 0);
  }
}

const ttlOfBlock = (block) => ttlOf(block) ?? (Array.isArray(block.content) ? block.content.map(ttlOf).find(Boolean) : undefined);

/** The pieces of a request in the order of the cache: tools, system, messages. */
function readPieces({ tools, system, messages, cache_control: automatic }) {
  const add = (block, read) => ({ ...read, ttl: ttlOfBlock(block) });
  const pieces = [
    ...(tools ?? []).map(({ cache_control, ...tool }) => add({ cache_control }, piece('tool', JSON.stringify(tool)))),
    ...blocksOf(system).map((block) => add(block, readBlock(block, 'system'))),
  ];
  const before = pieces.length;
  for (const { role, content } of messages) for (const block of blocksOf(content)) pieces.push(add(block, readBlock(block, role)));
  if (automatic && pieces.length > 0) pieces.at(-1).ttl ??= ttlOf({ cache_control: automatic });
  return { pieces, before };
}

export class AnthropicProvider {
  name = 'anthropic';
  #cache;
  #threads = new Threads();
  #thinking;

  constructor({ cache, preserved }) {
    this.#cache = new AnthropicCache(cache.anthropic);
    this.#thinking = new SignedThinking(preserved);
  }

  static matches = (path) => path === '/v1/messages' || path === '/v1/messages/count_tokens';

  /** What a request is: read, not checked. Messages of a thread are those that the server holds and those that come. */
  open(sent, { path, headers, now }) {
    const body = this.#threads.resolve(sent, headers, now);
    if (!Array.isArray(body.messages)) refuse('messages: Field required');
    return {
      body,
      model: body.model,
      stream: body.stream === true,
      counts: path.endsWith('count_tokens'),
      thinks: ['enabled', 'adaptive'].includes(body.thinking?.type),
      forced: body.tool_choice?.type === 'tool' ? body.tool_choice.name : undefined,
    };
  }

  check(request) {
    const { body, counts } = request;
    answerMessages(body);
    request.tools = readAnthropic(body, counts);
    Object.assign(request, readPieces(body));
    request.maxTokens = body.max_tokens ?? 0;
    request.dropped = this.#thinking.check(body, request);
  }

  tooLong = ({ tokens, window }) => refuse(`prompt is too long: ${tokens} tokens > ${window} maximum`);

  use({ body, pieces, before }, now) {
    // Other thinking or another choice of tools makes other messages of the same blocks.
    const settings = JSON.stringify([body.thinking, body.tool_choice]);
    const keyed = pieces.map((one, i) => (i === before ? { ...one, head: `${one.head}${settings}` } : one));
    return this.#cache.use(body.model, keyed, now);
  }

  answer(request, { thinking, text, calls, stop, content: given = [] }, id, { tokens, cached, written, written5m, written1h }, now) {
    const content = given.map((block) =>
      block.type === 'thinking' ? { ...block, signature: this.#thinking.sign(request, block.thinking, block.signature) } : block,
    );
    if (thinking) content.push({ type: 'thinking', thinking, signature: this.#thinking.sign(request, thinking, `sig_${id}`) });
    if (text) content.push({ type: 'text', text, citations: null });
    calls.forEach(({ name, input }, i) => content.push({ type: 'tool_use', id: `toolu_${id}_${i}`, name, input }));
    const message = {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: request.model,
      content,
      stop_reason: stop ?? (content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'),
      stop_sequence: null,
      usage: {
        input_tokens: tokens - cached - written,
        cache_creation_input_tokens: written,
        cache_read_input_tokens: cached,
        cache_creation: { ephemeral_5m_input_tokens: written5m, ephemeral_1h_input_tokens: written1h },
        output_tokens: countText(
          [thinking, text, ...given.map(({ text }) => text), calls.length > 0 ? JSON.stringify(calls) : ''].filter(Boolean).join('\n'),
        ),
        service_tier: 'standard',
      },
    };
    this.#threads.keep(request.body, message, now);
    return message;
  }

  count = (tokens) => ({ input_tokens: tokens });

  outputOf = ({ usage }) => usage.output_tokens;

  events = (message) => anthropicEvents(message);

  error(status, { message, details }) {
    const types = { 400: 'invalid_request_error', 404: 'not_found_error', 429: 'rate_limit_error', 529: 'overloaded_error' };
    return {
      type: 'error',
      error: { type: types[status] ?? 'api_error', message, ...(details && { details }) },
      request_id: 'req_loopback',
    };
  }
}
