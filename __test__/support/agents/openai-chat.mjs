// POST /v1/chat/completions
import { answerChat } from '../providers/openai-chat.mjs';
import { readBreakpoints, readCacheKey } from '../providers/openai-breakpoints.mjs';
import { refuse } from '../providers/refusal.mjs';
import { readCount, readFields, readSchema, readToolNames, refuseWith } from './errors.mjs';
import { PrefixCache } from './prefix-cache.mjs';
import { split } from './sse.mjs';
import { countText, piece } from './tokens.mjs';

const fields = new Set(
  (
    'messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities ' +
    'moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort ' +
    'response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user ' +
    'verbosity web_search_options'
  ).split(' '),
);

export function openaiError(status, { message, param, code }) {
  const types = { 429: 'requests', 500: 'server_error', 529: 'server_error' };
  const codes = { 429: 'rate_limit_exceeded' };
  return { error: { message, type: types[status] ?? 'invalid_request_error', param: param ?? null, code: code ?? codes[status] ?? null } };
}

export const tooLong = ({ tokens, window }, param) =>
  refuseWith(
    { code: 'context_length_exceeded' },
    `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
    param,
  );

/** A message as a piece. */
function readMessage({ role, content, tool_calls: calls, tool_call_id: id, name }) {
  const parts = Array.isArray(content) ? content : [{ type: 'text', text: content ?? '' }];
  const media = parts.filter(({ type }) => type !== 'text');
  const said = parts.map(({ text, refusal }) => text ?? refusal ?? '');
  const called = (calls ?? []).map((call) => {
    const { name: called, arguments: json, input } = call.function ?? call.custom;
    return `${called} ${json ?? input}`;
  });
  return piece([role, id, name, media, calls?.map((call) => call.id)], [...said, ...called].filter(Boolean).join('\n'), media.length);
}

export class OpenAIChatProvider {
  name = 'openai-chat';
  #cache;

  constructor({ cache }) {
    this.#cache = new PrefixCache(cache.openai);
  }

  static matches = (path) => path === '/v1/chat/completions';

  open(body) {
    return {
      body,
      model: body.model,
      stream: body.stream === true,
      thinks: false,
      forced: body.tool_choice?.function?.name,
    };
  }

  check(request) {
    const { body } = request;
    answerChat(body);
    readFields(body, fields, (key) => `Unrecognized request argument supplied: ${key}`);
    if (typeof body.model !== 'string' || body.model === '') refuse('you must provide a model parameter', 'model');
    readBreakpoints('chat', body.messages, body.model);
    readCacheKey(body.prompt_cache_key);
    for (const key of ['max_tokens', 'max_completion_tokens']) if (body[key] != null) readCount(body[key], 1, key);
    if (body.stream_options != null && !request.stream)
      refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options');
    request.tools = readToolNames(body.tools, (tool, i) => {
      if (tool.type === 'function' && tool.function?.parameters !== undefined)
        readSchema(tool.function.parameters, `tools[${i}].function.parameters`);
      return tool.type === 'custom' ? tool.custom?.name : (tool.function?.name ?? '');
    });
    if (body.tools?.length === 0) refuse("Invalid 'tools': empty array. Expected an array with minimum length 1.", 'tools');
    if (body.tool_choice != null && request.tools.size === 0)
      refuse("Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.", 'tool_choice');
    if (request.forced !== undefined && !request.tools.has(request.forced))
      refuse(`Tool choice '${request.forced}' not found in 'tools' parameter.`, 'tool_choice');
    request.pieces = [...(body.tools ?? []).map((tool) => piece('tool', JSON.stringify(tool))), ...body.messages.map(readMessage)];
    request.maxTokens = body.max_completion_tokens ?? body.max_tokens ?? 0;
  }

  tooLong = (sizes) => tooLong(sizes, 'messages');

  use = ({ body, pieces }, now) => this.#cache.use(`${body.model} ${body.prompt_cache_key}`, pieces, now);

  answer(request, { text, calls, stop, content: [given] = [] }, id, { tokens, cached }) {
    const tool_calls = calls.map(({ name, input }, i) => ({
      id: `call_${id}_${i}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }));
    const output = countText([text, ...tool_calls.map((call) => JSON.stringify(call.function))].filter(Boolean).join('\n'));
    const reasons = { max_tokens: 'length', refusal: 'content_filter' };
    return {
      id: `chatcmpl-${id}`,
      object: 'chat.completion',
      created: 1_763_800_000,
      model: request.model,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: text || null, refusal: null, ...(calls.length > 0 && { tool_calls }), ...given },
          logprobs: null,
          finish_reason: reasons[stop] ?? (calls.length > 0 || given?.tool_calls ? 'tool_calls' : 'stop'),
        },
      ],
      usage: {
        prompt_tokens: tokens,
        completion_tokens: output,
        total_tokens: tokens + output,
        prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
      },
    };
  }

  outputOf = ({ usage }) => usage.completion_tokens;

  *events({ id, created, model, choices: [{ message, finish_reason }], usage }, { body }) {
    const withUsage = body.stream_options?.include_usage === true;
    const chunk = (choices, more) => ({
      data: { id, object: 'chat.completion.chunk', created, model, choices, ...(withUsage && { usage: null }), ...more },
    });
    const delta = (part, reason = null) => chunk([{ index: 0, delta: part, logprobs: null, finish_reason: reason }]);
    yield delta({ role: 'assistant', content: message.tool_calls && !message.content ? null : '', refusal: null });
    for (const part of split(message.content ?? '')) yield delta({ content: part });
    for (const [index, call] of (message.tool_calls ?? []).entries()) {
      yield delta({ tool_calls: [{ index, ...call, function: { name: call.function.name, arguments: '' } }] });
      for (const part of split(call.function.arguments)) yield delta({ tool_calls: [{ index, function: { arguments: part } }] });
    }
    yield delta({}, finish_reason);
    if (withUsage) yield chunk([], { usage });
    yield { data: '[DONE]' };
  }

  error = openaiError;
}
