// @ts-check
// What the requests of a transcript were, and what they would have been with a session of the library.
import { createRequire } from 'node:module';
import { isReply } from '../transcripts/messages.mjs';
import { inputTokens } from '../usage.mjs';

/** @typedef {import('../types.d.ts').Transcript} Transcript */
/** @typedef {import('../types.d.ts').Usage} Usage */

/** @type {typeof import('palimpsest')} */
const { createSession } = createRequire(import.meta.url)('palimpsest');

/** Lifetime of a provider's cache in ms, and the minimum length of a prefix that it keeps in tokens. docs/sessions.md has the sources. */
const CACHES = {
  anthropic: { ttl: 300_000, minimum: 1024 },
  openai: { ttl: 600_000, minimum: 1024 },
  google: { ttl: 300_000, minimum: 4096 },
};
/** Prices of caches by provider, as multiples of uncached input, where the model has none. */
const MULTIPLES = { anthropic: { read: 0.1, write: 1.25 }, openai: { read: 0.1, write: 1 }, google: { read: 0.1, write: 1 } };

/** Anthropic's cache if it is asked to keep prefixes for an hour. */
const HOUR = { ttl: 3_600_000, write: 2 };

/** @typedef {keyof typeof CACHES} Provider */

/** @param {Transcript} transcript @param {import('./prices.mjs').Price | undefined} price */
function cacheOf({ format, requests }, price) {
  const byFormat = format === 'anthropic' ? 'anthropic' : format === 'gemini' ? 'google' : 'openai';
  const provider = /** @type {Provider} */ (price !== undefined && price.provider in CACHES ? price.provider : byFormat);
  const cache = { ...CACHES[provider], ...(price?.multiples ?? MULTIPLES[provider]) };
  return requests.some(({ usage }) => usage?.cacheWriteHour) ? { ...cache, ...HOUR } : cache;
}

/** A text of so many tokens, which stands for instructions and tools that the transcript doesn't have. @param {number} tokens */
const filler = (tokens) => ' a'.repeat(tokens);

/**
 * @typedef {object} Played a request of the transcript
 * @property {number} messages number of messages up to its end
 * @property {number} from
 * @property {number} [time]
 * @property {string} [model]
 * @property {Usage} usage as it was sent: recorded, or estimated
 * @property {boolean} isRecorded
 * @property {Usage} withSession
 * @property {'limit' | 'turn' | 'early' | 'cold'} [epoch]
 * @property {boolean} fits whether the session's request is within the limit
 * @property {boolean} isUncut whether the session sent every message as it is
 * @property {object[]} sent messages of the session's request
 */

/**
 * Plays the requests of a transcript, and yields them one by one.
 *
 * Where usage was recorded, it scales all counts, and the first request tells what instructions and tools take. What a session's request reads
 * from the cache is the share that the recorded request read of what it had in common with the one before; without usage it is all of that, if
 * the cache has not expired. Answers are the same in both cases.
 *
 * @param {Transcript} transcript
 * @param {object} options
 * @param {number} options.limit in tokens
 * @param {number[]} options.tokens of each message
 * @param {import('./counting.mjs').Counter} options.counter
 * @param {import('./prices.mjs').Price | undefined} options.price
 * @returns {Generator<Played>}
 */
export function* simulate(transcript, { limit, tokens, counter, price }) {
  const { messages, requests, format, system } = transcript;
  const cache = cacheOf(transcript, price);
  const upTo = [0];
  for (const count of tokens) upTo.push(upTo[upTo.length - 1] + count);
  const counted = (/** @type {number} */ from, /** @type {number} */ to) => upTo[to] - upTo[from];

  const first = requests[0];
  const recorded = first?.usage && Math.round(inputTokens(first.usage) - counted(first.from ?? 0, first.messages));
  // Above the limit nothing fits, however much it is.
  const overhead = Math.min(Math.ceil(limit), Math.max(0, recorded ?? (system === undefined ? 0 : counter.ofText(system))));
  let now = 0;
  const session = createSession({
    limit,
    format,
    ...(overhead > 0 && { system: filler(overhead) }),
    cache: { read: cache.read, write: cache.write, ttl: cache.ttl, minimum: cache.minimum },
    now: () => now,
    ...(counter.model !== undefined && { model: counter.model }),
  });

  /** @type {object[]} */
  const history = [];
  /** Provider's tokens for each counted one. */
  let ratio = 1;
  /** Whether everything was sent as recorded so far. */
  let isSame = true;
  /** @type {{ from: number, total: number, time: number | undefined } | undefined} */
  let before;
  for (const [index, request] of requests.entries()) {
    const { messages: end, from = 0, time } = request;
    const plain = overhead + counted(from, end);
    if (request.usage) ratio = inputTokens(request.usage) / Math.max(1, plain);
    const isIdle = before !== undefined && time !== undefined && before.time !== undefined && time - before.time > cache.ttl;
    const total = request.usage ? inputTokens(request.usage) : Math.round(plain * ratio);
    const shared = before === undefined ? 0 : Math.min(total, before.from === from ? before.total : Math.round(overhead * ratio));
    const output =
      request.usage?.output ?? Math.round(counted(end, replyEnd(messages, end, requests[index + 1]?.messages ?? messages.length)) * ratio);
    const usage = request.usage ?? estimated(total, !isIdle && shared >= cache.minimum ? shared : 0, cache.write !== 1, output);

    if (time !== undefined) now = Math.max(now, time);
    for (let at = history.length; at < end; at++) history.push(messages[at]);
    const step = session.next(history);
    const all = overhead + counted(0, end);
    const scale = step.tokens.before === 0 ? 0 : (all * ratio) / step.tokens.before;
    const isUncut = step.messages.length === end && step.tokens.before === step.tokens.after;
    isSame &&= isUncut && from === 0;
    let withSession = usage;
    if (!isSame) {
      const sent = Math.round(step.tokens.after * scale);
      const hit = request.usage && shared > 0 ? Math.min(1, usage.cacheRead / shared) : isIdle ? 0 : 1;
      const reused = Math.min(sent, Math.round(step.report.reusedTokens * scale * hit));
      const fresh = usage.input + usage.cacheWrite;
      const cached = reused >= cache.minimum ? reused : 0;
      const written = fresh === 0 ? (sent - cached) * (cache.write === 1 ? 0 : 1) : ((sent - cached) * usage.cacheWrite) / fresh;
      const cacheWrite = Math.round(written);
      withSession = { input: sent - cached - cacheWrite, cacheRead: cached, cacheWrite, output };
      const { cacheWriteHour = 0 } = usage;
      if (cacheWriteHour > 0) withSession.cacheWriteHour = Math.round((cacheWrite * cacheWriteHour) / usage.cacheWrite);
    }
    if (request.usage)
      session.observe({
        input_tokens: withSession.input,
        cache_read_input_tokens: withSession.cacheRead,
        cache_creation_input_tokens: withSession.cacheWrite,
      });
    yield {
      messages: end,
      from,
      ...(time !== undefined && { time }),
      ...(request.model !== undefined && { model: request.model }),
      usage,
      isRecorded: request.usage !== undefined,
      withSession,
      ...(step.epoch && { epoch: step.epoch.reason }),
      fits: step.fits,
      isUncut,
      sent: step.messages,
    };
    before = { from, total, time };
  }
}

/** End of the reply that begins at `start`. @param {object[]} messages @param {number} start @param {number} next start of the next reply */
function replyEnd(messages, start, next) {
  let end = start;
  while (end < next && isReply(messages[end])) end++;
  return end;
}

/** @param {number} total @param {number} cacheRead @param {boolean} hasWrites @param {number} output @returns {Usage} */
const estimated = (total, cacheRead, hasWrites, output) =>
  hasWrites
    ? { input: 0, cacheRead, cacheWrite: total - cacheRead, output }
    : { input: total - cacheRead, cacheRead, cacheWrite: 0, output };
