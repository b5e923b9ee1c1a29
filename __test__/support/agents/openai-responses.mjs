// POST /v1/responses
import { answerResponses } from '../providers/openai-responses.mjs';
import { readBreakpoints, readCacheKey } from '../providers/openai-breakpoints.mjs';
import { refuse } from '../providers/refusal.mjs';
import { readCount, readFields, readSchema, readToolNames } from './errors.mjs';
import { openaiError, tooLong } from './openai-chat.mjs';
import { responsesEvents } from './openai-responses-events.mjs';
import { ResponseStore } from './openai-responses-store.mjs';
import { PrefixCache } from './prefix-cache.mjs';
import { countText, piece } from './tokens.mjs';

const fields = new Set(
  (
    'model input instructions tools tool_choice background client_metadata context_management conversation include max_output_tokens max_tool_calls metadata ' +
    'moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning ' +
    'safety_identifier service_tier store stream stream_options temperature text top_logprobs top_p truncation user'
  ).split(' '),
);
const keysOf = {
  message: ['type', 'id', 'role', 'content', 'status', 'phase'],
  function_call: ['type', 'id', 'call_id', 'name', 'arguments', 'status', 'namespace', 'caller'],
  function_call_output: ['type', 'id', 'call_id', 'output', 'status', 'caller'],
};
const prefixOf = { message: 'msg', function_call: 'fc', reasoning: 'rs' };

const typeOf = ({ type }) => type ?? 'message';

function readContent(content) {
  const parts = Array.isArray(content) ? content : [{ text: content ?? '' }];
  const media = parts.filter(({ type }) => type === 'input_image' || type === 'input_file');
  return { text: parts.map(({ text, refusal }) => text ?? refusal ?? '').join('\n'), media };
}

function readItem(item, store) {
  switch (typeOf(item)) {
    case 'message': {
      const { text, media } = readContent(item.content);
      return piece(['message', item.role, media], text, media.length);
    }
    case 'function_call':
      return piece(['call', item.call_id], `${item.name} ${item.arguments}`);
    case 'function_call_output': {
      const { text, media } = readContent(item.output);
      return piece(['output', item.call_id, media], text, media.length);
    }
    case 'reasoning':
      return piece(['reasoning', item.id], store.thoughtOf(item) ?? '');
    default:
      return piece(item);
  }
}

export class OpenAIResponsesProvider {
  name = 'openai-responses';
  #cache;
  #store = new ResponseStore();
  #preserved;

  constructor({ cache, preserved }) {
    this.#preserved = preserved;
    this.#cache = new PrefixCache(cache.openai);
  }

  static matches = (path) => path === '/v1/responses';

  /** What a request is: its input with all that it refers to. */
  open(sent) {
    const body = { ...sent, input: this.#store.resolve(sent) };
    return {
      body,
      model: body.model,
      stream: body.stream === true,
      thinks: body.reasoning != null && body.reasoning.effort !== 'none',
      forced: body.tool_choice?.type === 'function' ? body.tool_choice.name : undefined,
    };
  }

  check(request) {
    const { body } = request;
    readFields(body, fields, (key) => `Unknown parameter: '${key}'.`);
    if (typeof body.model !== 'string' || body.model === '') refuse('you must provide a model parameter', 'model');
    if (body.max_output_tokens != null) readCount(body.max_output_tokens, 16, 'max_output_tokens');
    answerResponses(body);
    readBreakpoints('responses', body.input, body.model);
    readCacheKey(body.prompt_cache_key);
    body.input.forEach((item, i) => {
      const type = typeOf(item);
      for (const key of Object.keys(item))
        if (keysOf[type] && !keysOf[type].includes(key)) refuse(`Unknown parameter: 'input[${i}].${key}'.`, `input[${i}].${key}`);
      const prefix = prefixOf[type];
      if (prefix && item.id != null && !String(item.id).startsWith(prefix))
        refuse(`Invalid 'input[${i}].id': '${item.id}'. Expected an ID that begins with '${prefix}'.`, `input[${i}].id`);
    });
    this.#store.checkReasoning(body.input);
    request.tools = readToolNames(body.tools, (tool, i) => {
      if (tool.type !== 'function' && tool.type !== 'custom') return undefined;
      if (tool.type === 'function') readSchema(tool.parameters, `tools[${i}].parameters`);
      return tool.name;
    });
    if (request.forced !== undefined && !request.tools.has(request.forced))
      refuse(`Tool choice '${request.forced}' not found in 'tools' parameter.`, 'tool_choice');
    request.pieces = [
      ...(body.tools ?? []).map((tool) => piece('tool', JSON.stringify(tool))),
      ...(body.instructions ? [piece('instructions', body.instructions)] : []),
      ...body.input.map((item) => readItem(item, this.#store)),
    ];
    request.sent = request.pieces;
    if (this.#preserved) request.pieces = this.#store.dropChanged(request.sent, body.input);
    request.dropped = request.sent.length - request.pieces.length;
    request.maxTokens = body.max_output_tokens ?? 0;
  }

  tooLong = (sizes) => tooLong(sizes, 'input');

  use = ({ body, pieces }, now) => this.#cache.use(`${body.model} ${body.prompt_cache_key}`, pieces, now);

  answer(request, { thinking, text, calls, stop, content: given = [] }, id, { tokens, cached }) {
    const { body } = request;
    const output = given.map((item) => (item.type === 'reasoning' ? this.#store.thinkAs(item, request.sent) : item));
    if (thinking) output.push(this.#store.think(thinking, `rs_${id}`, request.sent, body.include?.includes('reasoning.encrypted_content')));
    if (text) {
      const content =
        stop === 'refusal' ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [], logprobs: [] };
      output.push({ type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content: [content] });
    }
    calls.forEach(({ name, input }, i) => {
      const call = { call_id: `call_${id}_${i}`, name, arguments: JSON.stringify(input) };
      output.push({ type: 'function_call', id: `fc_${id}_${i}`, ...call, status: 'completed' });
    });
    const reasoning = thinking ? countText(thinking) : 0;
    const produced = reasoning + countText([text, ...calls.map((call) => JSON.stringify(call))].filter(Boolean).join('\n'));
    const cut = stop === 'max_tokens';
    const response = {
      id: `resp_${id}`,
      object: 'response',
      created_at: 1_763_800_000,
      status: cut ? 'incomplete' : 'completed',
      background: false,
      error: null,
      incomplete_details: cut ? { reason: 'max_output_tokens' } : null,
      instructions: body.instructions ?? null,
      max_output_tokens: body.max_output_tokens ?? null,
      metadata: {},
      model: request.model,
      output,
      parallel_tool_calls: true,
      previous_response_id: body.previous_response_id ?? null,
      prompt_cache_key: body.prompt_cache_key ?? null,
      reasoning: { effort: body.reasoning?.effort ?? null, summary: body.reasoning?.summary ?? null },
      service_tier: 'default',
      store: body.store !== false,
      temperature: 1,
      text: { format: { type: 'text' }, ...body.text },
      tool_choice: body.tool_choice ?? 'auto',
      tools: body.tools ?? [],
      top_p: 1,
      truncation: 'disabled',
      usage: {
        input_tokens: tokens,
        input_tokens_details: { cached_tokens: cached, cache_write_tokens: 0 },
        output_tokens: produced,
        output_tokens_details: { reasoning_tokens: reasoning },
        total_tokens: tokens + produced,
      },
    };
    this.#store.keep(body, response);
    return response;
  }

  outputOf = ({ usage }) => usage.output_tokens;

  events = (response) => responsesEvents(response);

  error = openaiError;
}
