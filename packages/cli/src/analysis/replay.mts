// Requests that a session of the library fitted on their way: as they were sent, and as they would have been without it.
import { inputTokens } from '../usage.mjs';
import { replyTokens } from '../transcripts/messages.mjs';
import { cacheOf, dividedLike, estimated, isExpired } from './caching.mjs';
import type { Played } from './simulate.mjs';
import type { Price } from './prices.mjs';
import type { Transcript, TranscriptRequest } from '../types.mjs';

/** Provider's tokens for each that the session said of a request; undefined without usage. */
const ratioOf = ({ usage, fitted }: TranscriptRequest) =>
  usage === undefined || fitted === undefined ? undefined : inputTokens(usage) / Math.max(1, fitted.after);

/**
 * Plays the requests as they were sent, and yields them as `simulate` does.
 *
 * The recorded usage is that of the fitted requests, and scales all counts; before the first usage, those of the session are its own. Without a
 * session each request would have had the whole history; of what it shares with the one before, it would have read from the cache the share that
 * the fitted request read of what it reused.
 *
 * @param transcript whose requests are `fitted`
 */
export function* replay(
  transcript: Transcript,
  {
    tokens,
    price,
  }: {
    /** of each message */
    tokens: number[];
    price: Price | undefined;
  },
): Generator<Played> {
  const { requests, inspected: { why } = {} } = transcript;
  const cache = cacheOf(transcript, price);
  /** Provider's tokens for each that the session says: from the first usage on it says the provider's. */
  let scale = requests.map(ratioOf).find((ratio) => ratio !== undefined) ?? 1;
  /** Provider's tokens for each that is counted here. */
  let factor = scale;
  /** Share of what was reused that was read from the cache. */
  let hit = 1;
  /** Whether everything was sent as it came so far. */
  let isSame = true;
  let before: { total: number; time: number | undefined } | undefined;
  /** Sums of the tokens of the first messages. */
  const upTo = [0];
  for (const [index, one] of tokens.entries()) upTo.push(upTo[index] + one);
  for (const [index, request] of requests.entries()) {
    const { messages: end, time, model, usage, fitted } = request;
    if (fitted === undefined) continue;
    // The request before has been observed, so it is as long as it was there.
    const reused = Math.round(fitted.reused * scale);
    const ratio = ratioOf(request) ?? scale;
    factor *= ratio / scale;
    const isIdle = isExpired(before?.time, time, cache.ttl);
    const isReused = reused >= cache.minimum;
    if (usage !== undefined && isReused) hit = Math.min(1, usage.cacheRead / reused);
    // After a pause the cache is empty, unless the provider said otherwise.
    const share = isIdle && (usage === undefined || !isReused) ? 0 : hit;
    const output = usage?.output ?? Math.round(replyTokens(transcript, index, (_, at) => tokens[at]) * factor);
    const after = Math.round(fitted.after * ratio);
    const withSession = usage ?? estimated(after, isReused ? Math.min(after, Math.round(reused * share)) : 0, cache.write !== 1, output);
    const sent = fitted.messages();
    const isUncut = sent.length === end && fitted.before === fitted.after;
    isSame &&= isUncut;
    const total = isSame ? inputTokens(withSession) : Math.round(fitted.before * ratio);
    const shared = Math.min(total, before?.total ?? 0);
    yield {
      messages: end,
      from: 0,
      overhead: Math.max(0, Math.round(total - upTo[end] * factor)),
      ...(time !== undefined && { time }),
      ...(model !== undefined && { model }),
      usage: isSame
        ? withSession
        : dividedLike(total, shared >= cache.minimum ? Math.round(shared * share) : 0, withSession, cache, withSession.output),
      isRecorded: usage !== undefined,
      withSession,
      ...(fitted.epoch !== undefined && { epoch: fitted.epoch }),
      ...(fitted.cache && { cache: fitted.cache }),
      fits: fitted.fits,
      isUncut,
      sent,
      number: fitted.number,
      // It was asked of all messages.
      why: (asked) => {
        const wanted = new Set(asked);
        return why && { ...why, said: why.said.filter(({ message }) => wanted.has(message)) };
      },
    };
    before = { total, time };
    if (usage !== undefined) scale = 1;
  }
}
