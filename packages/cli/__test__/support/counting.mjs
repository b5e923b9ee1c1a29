// Counts what is in the files of agents, written apart from the readers: what they read has to equal it. Messages that say `abandoned` are
// those of branches that were given up, and of what was never sent.

/** @typedef {Omit<import('./sessions.mjs').Counts, 'messages'>} Counted */

const sum = (numbers) => numbers.reduce((total, one) => total + (one ?? 0), 0);
const rowsOf = (text) =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.includes('abandoned'))
    .map((line) => JSON.parse(line));
const occurrences = (text, pattern) => (text.match(pattern) ?? []).length;
const distinct = (values) => [...new Set(values.filter((value) => value !== undefined))].sort();
/** @param {any[]} replies each `{ usage: [four numbers], time, model }` @returns {Counted} */
const counted = (replies, calls, results) => ({
  replies: replies.length,
  calls,
  results,
  usage: /** @type {any} */ ([0, 1, 2, 3].map((place) => sum(replies.map(({ usage }) => usage?.[place])))),
  timed: replies.filter(({ time }) => time !== undefined).length,
  models: distinct(replies.map(({ model }) => model)),
});

function claude(text) {
  const replies = new Map();
  for (const { type, message, timestamp, agentId, parent_tool_use_id, isApiErrorMessage } of rowsOf(text)) {
    if (type !== 'assistant' || isApiErrorMessage) continue;
    const { input_tokens: input, cache_read_input_tokens: read, cache_creation_input_tokens: made, output_tokens: out } = message.usage;
    const key = `${agentId ?? parent_tool_use_id ?? ''} ${message.id}`;
    const before = replies.get(key);
    if (before === undefined || before.usage[3] < out)
      replies.set(key, { usage: [input, read, made, out], time: before?.time ?? timestamp, model: message.model });
  }
  const kept = text.split('\n').filter((line) => !line.includes('abandoned'));
  return counted([...replies.values()], occurrences(kept.join(), /"type":"tool_use"/g), occurrences(kept.join(), /"type":"tool_result"/g));
}

function codex(text) {
  let letters = '';
  const uses = [];
  const totals = new Set();
  const times = [];
  let model;
  for (const { type, payload, timestamp, ...bare } of rowsOf(text)) {
    const item = type === 'response_item' ? payload : payload === undefined ? { type, ...bare } : {};
    if (type === 'turn_context') model = payload.model;
    if (type === 'compacted') letters += 'c';
    else if (item.role === 'assistant' || item.type === 'reasoning' || item.type === 'function_call') {
      if (!letters.endsWith('m')) times.push({ time: timestamp, model });
      letters += 'm';
    } else if (item.role === 'user' || item.type === 'function_call_output') letters += 'o';
    const info = payload?.info;
    if (!info || totals.has(info.total_token_usage.total_tokens)) continue;
    totals.add(info.total_token_usage.total_tokens);
    const { input_tokens: input, cached_input_tokens: read, output_tokens: out } = info.last_token_usage;
    if (!letters.endsWith('c')) uses.push([input - read, read, 0, out]);
    letters += 't';
  }
  const replies = (letters.match(/m+/g) ?? []).map((_, index) => ({ ...times[index], usage: uses[index] }));
  return counted(replies, occurrences(text, /"function_call"/g), occurrences(text, /"function_call_output"/g));
}

function copilot(text) {
  const replies = new Map();
  let current;
  for (const { type, data, timestamp } of rowsOf(text)) {
    current = data.newModel ?? data.selectedModel ?? current;
    if (type === 'assistant.message' && !replies.has(data.apiCallId ?? data.messageId))
      replies.set(data.apiCallId ?? data.messageId, { time: timestamp, model: data.model ?? current });
  }
  const calls = distinct([...text.matchAll(/"toolCallId":"(\w+)","name"/g)].map(([, id]) => id));
  return counted([...replies.values()], calls.length, occurrences(text, /"tool\.execution_complete"/g));
}

function pi(text) {
  const replies = rowsOf(text).flatMap(({ message, timestamp }) => {
    if (message?.role !== 'assistant') return [];
    const { input, cacheRead, cacheWrite, output } = message.usage;
    return [{ usage: [input, cacheRead, cacheWrite, output], time: timestamp, model: message.model }];
  });
  return counted(replies, occurrences(text, /"type":"toolCall"/g), occurrences(text, /"role":"toolResult"/g));
}

function qwen(text) {
  const replies = new Map();
  for (const { uuid, type, model, timestamp, usageMetadata: usage } of rowsOf(text))
    if (type === 'assistant')
      replies.set(uuid, {
        model: model ?? replies.get(uuid)?.model,
        time: timestamp,
        usage: usage && [
          usage.promptTokenCount - usage.cachedContentTokenCount,
          usage.cachedContentTokenCount,
          0,
          usage.candidatesTokenCount,
        ],
      });
  return counted([...replies.values()], occurrences(text, /"functionCall"/g), occurrences(text, /"functionResponse"/g));
}

function kimi(text) {
  const model = text.match(/"modelAlias":"([^"]+)"/)?.[1];
  const replies = rowsOf(text)
    .filter(({ event }) => event?.type === 'step.end')
    .map(({ event: { usage } }) => ({ model, usage: [usage.inputOther, usage.inputCacheRead, usage.inputCacheCreation, usage.output] }));
  return counted(replies, occurrences(text, /"tool\.call"/g), occurrences(text, /"tool\.result"/g));
}

/** The files of a task of Cline, or of what was made of it. */
function cline(text) {
  const replies = JSON.parse(text).flatMap(({ role, ts, modelInfo, metrics }) => {
    if (role !== 'assistant') return [];
    const { prompt = 0, cached = 0, completion = 0 } = metrics?.tokens ?? {};
    return [{ time: ts, model: modelInfo.modelId, usage: [prompt < cached ? prompt : prompt - cached, cached, 0, completion] }];
  });
  return counted(replies, occurrences(text, /"tool_use"/g), occurrences(text, /"tool_result"/g));
}

const shown = (pattern, calls, results, of) => (text, beside) =>
  counted(
    [...text.matchAll(pattern)].map((match) => of(match, text, beside)),
    occurrences(text, calls),
    occurrences(text, results),
  );
const NONE = /(?!)/g;

/** By agent: what is in a file. @type {Record<string, (text: string, beside: string) => Counted>} */
export const COUNTERS = {
  'claude-code': claude,
  codex,
  'copilot-cli': copilot,
  pi,
  openclaw: pi,
  'qwen-code': qwen,
  kimi,
  cline,
  'roo-code': cline,
  'kilo-code': cline,
  cursor: shown(/"role":"assistant"/g, /"type":"tool_use"/g, NONE, () => ({})),
  droid: shown(
    /"timestamp":"([^"]+)","message":\{"role":"assistant"/g,
    /"type":"tool_use"/g,
    /"type":"tool_result"/g,
    ([, time], _, beside) => ({
      time,
      model: JSON.parse(beside).model,
    }),
  ),
  grok: shown(/"type":"assistant".*"model_id":"([^"]+)"/g, /"arguments":/g, /"tool_result"/g, ([, model]) => ({ model })),
  goose: shown(/"role":"assistant","created":(\d+)/g, /"toolRequest"/g, /"toolResponse"/g, ([, time]) => ({ time })),
  amp: (text) =>
    counted(
      JSON.parse(text).messages.flatMap(({ usage }) =>
        usage
          ? [
              {
                model: usage.model,
                usage: [usage.inputTokens, usage.cacheReadInputTokens, usage.cacheCreationInputTokens, usage.outputTokens],
              },
            ]
          : [],
      ),
      occurrences(text, /"tool_use"[,}]/g) - occurrences(text, /"stopReason":"tool_use"/g),
      occurrences(text, /"tool_result"/g),
    ),
  opencode: (text) => {
    const { messages } = JSON.parse(text);
    const replies = messages.flatMap(({ info: { tokens, modelID, time } }) =>
      tokens
        ? [
            {
              model: modelID,
              time: time.created,
              usage: [tokens.input, tokens.cache.read, tokens.cache.write, tokens.output + tokens.reasoning],
            },
          ]
        : [],
    );
    return counted(replies, occurrences(text, /"callID"/g), occurrences(text, /"status"/g));
  },
  chatgpt: shown(
    /"create_time":(\d+),"content":\{"content_type":"text","parts":\["[^"]*"\]\},"metadata":\{"model_slug":"([^"]+)"/g,
    NONE,
    NONE,
    ([, time, model]) => ({
      time,
      model,
    }),
  ),
  'claude-ai': shown(/"sender":"assistant".*?"created_at":"([^"]+)"/g, NONE, NONE, ([, time]) => ({ time })),
};
