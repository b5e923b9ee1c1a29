// @ts-check
// Codex CLI: a line for each event; the items of OpenAI's Responses API are among them.
import { basename } from 'node:path';
import { isReply } from './messages.mjs';
import { counted, countOf, isObject, parsed, stringOf, timeOf } from './values.mjs';

/** @typedef {import('./values.mjs').Json} Json */
/** @typedef {import('../types.d.ts').Transcript} Transcript */

const TYPES = new Set(['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted']);
/** Items that Codex keeps for itself. */
const OWN_ITEMS = new Set(['ghost_snapshot', 'other']);

/** @param {unknown} line whether a line of JSON is one of Codex */
export const isLine = (line) => isObject(line) && typeof line.type === 'string' && TYPES.has(line.type) && isObject(line.payload);

/** An output as the API takes it. @param {Json} item */
function itemOf(item) {
  if (!item.type?.endsWith('_output') || typeof item.output === 'string' || Array.isArray(item.output)) return item;
  const { output } = item;
  return { ...item, output: typeof output?.content === 'string' ? output.content : JSON.stringify(output ?? '') };
}

/** The words of a message. @param {Json} item */
const textOf = ({ content }) =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part) => (typeof part?.text === 'string' ? part.text : '')).join('')
      : '';

/**
 * @param {string} file
 * @param {AsyncIterable<string>} lines
 * @returns {AsyncGenerator<Transcript>}
 */
export async function* readCodex(file, lines) {
  /** @type {Json} */
  let meta = {};
  /** @type {Json[]} */
  const messages = [];
  /** @type {import('../types.d.ts').TranscriptRequest[]} */
  const requests = [];
  /** The request whose reply is being read. @type {import('../types.d.ts').TranscriptRequest | undefined} */
  let open;
  let [model, title, started, ended, lastTotal] = /** @type {any[]} */ ([]);
  let [from, skipped, compactions] = [0, 0, 0];

  for await (const text of lines) {
    const line = parsed(text);
    if (!isLine(line)) {
      skipped++;
      continue;
    }
    const { type, payload, timestamp } = /** @type {Json} */ (line);
    const time = timeOf(timestamp);
    started ??= time;
    ended = time ?? ended;
    if (type === 'session_meta') {
      // A resumed session repeats those of the sessions it continues.
      if (meta.id === undefined) meta = payload;
    } else if (type === 'turn_context') {
      model = stringOf(payload.model) ?? model;
    } else if (type === 'compacted') {
      from = messages.length;
      open = undefined;
      compactions++;
      if (Array.isArray(payload.replacement_history)) messages.push(...payload.replacement_history.filter(isObject).map(itemOf));
      else if (stringOf(payload.message))
        messages.push({ type: 'message', role: 'user', content: [{ type: 'input_text', text: payload.message }] });
    } else if (type === 'event_msg') {
      if (payload.type !== 'token_count' || !isObject(payload.info?.last_token_usage)) continue;
      // Reports of rate limits repeat the last usage.
      const total = JSON.stringify(payload.info.total_token_usage);
      if (open !== undefined && open.usage === undefined && (total === undefined || total !== lastTotal)) {
        const { input_tokens, cached_input_tokens, output_tokens } = payload.info.last_token_usage;
        const cacheRead = Math.min(countOf(cached_input_tokens), countOf(input_tokens));
        open.usage = { input: countOf(input_tokens) - cacheRead, cacheRead, cacheWrite: 0, output: countOf(output_tokens) };
        open = undefined;
      }
      lastTotal = total;
    } else if (typeof payload.type !== 'string' || OWN_ITEMS.has(payload.type)) {
      if (typeof payload.type !== 'string') skipped++;
    } else {
      const item = itemOf(payload);
      if (!isReply(item)) open = undefined;
      else if (open === undefined && messages.length > from) {
        /** @type {import('../types.d.ts').TranscriptRequest} */
        const request = {
          messages: messages.length,
          ...(from > 0 && { from }),
          ...(time !== undefined && { time }),
          ...(model && { model }),
        };
        requests.push(request);
        open = request;
      }
      if (title === undefined && item.role === 'user') {
        const said = textOf(item).trim();
        if (said !== '' && !said.startsWith('<') && !said.startsWith('# AGENTS.md')) title = said.split('\n')[0].slice(0, 120);
      }
      messages.push(item);
    }
  }
  if (messages.length === 0) return;
  const instructions = stringOf(meta.instructions) ?? stringOf(meta.base_instructions?.text);
  yield {
    agent: 'codex',
    id: stringOf(meta.id) ?? basename(file).replace(/\.jsonl(\.zst)?$/, ''),
    file,
    ...(title && { title }),
    ...(stringOf(meta.cwd) && { cwd: meta.cwd }),
    ...(model && { model }),
    ...(started !== undefined && { started, ended }),
    format: 'openai-responses',
    messages,
    requests,
    ...(instructions && { system: instructions }),
    skipped,
    notes: compactions > 0 ? [`${counted(compactions, 'compaction')} by the agent`] : [],
  };
}
