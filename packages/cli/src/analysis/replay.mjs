// @ts-check
// What the requests of a transcript were that a session of the library fitted on their way, and what they would have been without it.
import { inputTokens } from '../usage.mjs';
import { isReply } from '../transcripts/messages.mjs';
import { cacheOf, estimated } from './simulate.mjs';

/** @typedef {import('../types.d.ts').Transcript} Transcript */
/** @typedef {import('../types.d.ts').Usage} Usage */

/**
 * Plays the requests as they were sent, and yields them as `simulate` does.
 *
 * The recorded usage is that of the fitted requests, and scales all counts. Without a session each request would have had the whole history;
 * of what it shares with the one before, it would have read from the cache the share that the fitted request read of what it reused.
 *
 * @param {Transcript} transcript whose requests are `fitted`
 * @param {object} options
 * @param {number[]} options.tokens of each message
 * @param {import('./prices.mjs').Price | undefined} options.price
 * @returns {Generator<import('./simulate.mjs').Played>}
 */
export function* replay(transcript, { tokens, price }) {
  const { requests } = transcript;
  const cache = cacheOf(transcript, price);
  /** Provider's tokens for each of the session's, which took up the last known ratio itself. */
  let factor = 1;
  /** Share of what was reused that was read from the cache. */
  let hit = 1;
  /** Whether everything was sent as it came so far. */
  let isSame = true;
  /** @type {{ total: number, time: number | undefined } | undefined} */
  let before;
  for (const [index, { messages: end, time, model, usage, fitted }] of requests.entries()) {
    if (fitted === undefined) continue;
    const ratio = usage === undefined ? 1 : inputTokens(usage) / Math.max(1, fitted.after);
    factor *= ratio;
    const isIdle = before !== undefined && time !== undefined && before.time !== undefined && time - before.time > cache.ttl;
    const reused = Math.round(fitted.reused * factor);
    const isReused = reused >= cache.minimum;
    if (usage !== undefined && isReused) hit = Math.min(1, usage.cacheRead / reused);
    // After a pause the cache is empty, unless the provider said otherwise.
    const share = isIdle && (usage === undefined || !isReused) ? 0 : hit;
    const output = usage?.output ?? Math.round(replyTokens(transcript, index, tokens) * factor);
    const withSession =
      usage ??
      estimated(
        Math.round(fitted.after),
        isReused ? Math.min(Math.round(fitted.after), Math.round(reused * share)) : 0,
        cache.write !== 1,
        output,
      );
    const sent = fitted.messages();
    const isUncut = sent.length === end && fitted.before === fitted.after;
    isSame &&= isUncut;
    const total = isSame ? inputTokens(withSession) : Math.round(fitted.before * ratio);
    const shared = Math.min(total, before?.total ?? 0);
    yield {
      messages: end,
      from: 0,
      ...(time !== undefined && { time }),
      ...(model !== undefined && { model }),
      usage: isSame ? withSession : unfitted(total, shared >= cache.minimum ? Math.round(shared * share) : 0, withSession, cache),
      isRecorded: usage !== undefined,
      withSession,
      ...(fitted.epoch !== undefined && { epoch: fitted.epoch }),
      fits: fitted.fits,
      isUncut,
      sent,
    };
    before = { total, time };
  }
}

/** Tokens of the reply to a request. @param {Transcript} transcript @param {number} index of the request @param {number[]} tokens */
function replyTokens({ messages, requests }, index, tokens) {
  const next = requests[index + 1]?.messages ?? messages.length;
  let sum = 0;
  for (let at = requests[index].messages; at < next && isReply(messages[at]); at++) sum += tokens[at];
  return sum;
}

/**
 * The usage of a request without a session: what it does not read from the cache is written to it in the same proportion.
 *
 * @param {number} total
 * @param {number} cacheRead
 * @param {Usage} sent
 * @param {{ write: number }} cache
 * @returns {Usage}
 */
function unfitted(total, cacheRead, sent, cache) {
  const fresh = sent.input + sent.cacheWrite;
  const writes = fresh === 0 ? (cache.write === 1 ? 0 : 1) : sent.cacheWrite / fresh;
  const cacheWrite = Math.round((total - cacheRead) * writes);
  const usage = { input: total - cacheRead - cacheWrite, cacheRead, cacheWrite, output: sent.output };
  const { cacheWriteHour = 0 } = sent;
  return cacheWriteHour === 0 ? usage : { ...usage, cacheWriteHour: Math.round((cacheWrite * cacheWriteHour) / sent.cacheWrite) };
}
