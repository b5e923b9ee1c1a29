// What the tools answer, in words for a model.
import { counted, grouped, inputTokens, Problem } from '@palimpsest/cli';
import { createSession, recall } from 'palimpsest';
import type { Transcript } from '@palimpsest/cli';
import type { Session, SessionContext } from 'palimpsest';

/** Default numbers of tokens of passages, and of messages that are asked for by their numbers, as those of `recallTool`. */
const TOKENS = 500;
const MESSAGE_TOKENS = 1000;
/** A limit within which nothing is cut. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

export interface Recalled {
  query?: string;
  from?: number;
  to?: number;
  limit?: number;
}
export interface Asked {
  text?: string;
  message?: number;
}

/** A session that has been sent these messages as they are. */
function holding({ format, system }: Transcript, messages: object[]): Session {
  const session = createSession({ limit: NO_LIMIT, format, warn: false, ...(system !== undefined && { system }) });
  session.next(messages);
  return session;
}

/** The last request of a session that has this conversation. */
function lastOf(session: Session, messages: object[]) {
  const last = session.at(Math.max(1, session.report.requests), messages);
  if (!last.known) throw new Problem(`${last.text}. FILE must hold the history of the session that --session names`);
  return last;
}

/** Passages of the conversation: of what the last request lacks, or of all of it where that lacks nothing. */
export function recalled(transcript: Transcript, session: Session | undefined, { query = '', from, to, ...asked }: Recalled): string {
  const { messages, format } = transcript;
  const [first, last] = [from ?? to, to ?? from];
  if (first !== undefined && last !== undefined) {
    if (first > last) throw new Problem('`from` must not be above `to`');
    if (first >= messages.length) throw new Problem(`the conversation has ${counted(messages.length, 'message')}, from 0`);
    const { text } = holding(transcript, messages).recall('', { from: first, to: last, limit: asked.limit ?? MESSAGE_TOKENS });
    return text || 'These messages have no text.';
  }
  if (query.trim() === '') throw new Problem('Give a `query`, or `from` and `to`.');
  const { history, sent } = session === undefined ? partsOf(transcript) : sentBy(session, messages);
  const limit = asked.limit ?? TOKENS;
  const { text } = recall(history, sent, query, { format, limit });
  return text || `Nothing matches within ${grouped(limit)} tokens. Try other words, names or paths, or a larger limit.`;
}

/** What an agent's last request had of its conversation. Where that is all, all but the reply to it, with the call that asks, is searched. */
function partsOf({ messages, requests, from = 0 }: Transcript) {
  if (from > 0) return { history: messages, sent: messages.slice(from) };
  return { history: messages.slice(0, requests.at(-1)?.messages ?? messages.length), sent: [] };
}

function sentBy(session: Session, messages: object[]) {
  const last = lastOf(session, messages);
  const history = messages.slice(0, last.history);
  return { history, sent: last.cuts.length === 0 ? [] : last.messages };
}

/** Where something was said, which requests had it, and why the last one lacks it. */
export function whyOf(transcript: Transcript, session: Session | undefined, { text, message }: Asked): string {
  const { messages, requests, from: left = 0 } = transcript;
  const what = message === undefined ? text : { message };
  if (what === undefined || (typeof what === 'string' && what.trim() === '')) throw new Problem('Give a `text`, or a `message`.');
  if (session !== undefined) {
    lastOf(session, messages);
    return session.why(what, messages).summary;
  }
  const { said, summary } = holding(transcript, messages).why(what);
  // That the text is nowhere.
  if (said.length === 0) return summary;
  const places = said.map(({ message: place, role, tool }) => {
    const had = rangesOf(requests.flatMap(({ messages: end, from = 0 }, index) => (from <= place && place < end ? [index + 1] : [])));
    const where = `message ${place} (${tool === undefined ? role : `${role}, ${tool}`}): `;
    if (place >= left) return `${where}${had === '' ? 'the next request is the first one with it' : `requests ${had} had it`}`;
    const gone = requests.findIndex(({ from = 0 }) => from > place) + 1;
    const since = gone === 0 ? 'The next request lacks it' : `Request ${gone} is the first one without it`;
    const before = had === '' ? 'no request that is recorded had it' : `requests ${had} had it`;
    return `${where}${before}. ${since}: ${transcript.agent} compacted the conversation. recall with from ${place} gives it back`;
  });
  const isThere = said.some(({ message: place }) => place >= left);
  return [`Said in ${counted(said.length, 'place')}. The context ${isThere ? 'has it' : 'lacks it'}.`, ...places].join('\n');
}

/** Ranges of ascending numbers: `1–12, 14`. */
function rangesOf(numbers: number[]) {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(', ');
}

/** What the context holds, by kind. */
export function contextOf(transcript: Transcript, session: Session | undefined): string {
  const { messages, requests, from = 0, agent } = transcript;
  if (session !== undefined) {
    lastOf(session, messages);
    session.next(messages);
    const context = session.context() as SessionContext;
    const { request, tokens, limit, free } = context;
    return [
      `Request ${request} will have ${grouped(tokens)} of ${grouped(limit)} tokens; ${grouped(free)} are free.`,
      ...rowsOf(context),
    ].join('\n');
  }
  const current = messages.slice(from);
  if (current.length === 0) return `${agent} compacted the conversation; nothing was said since then.`;
  const context = holding(transcript, current).context() as SessionContext;
  const gone = from > 0 ? `; ${agent} compacted ${counted(from, 'message')} before them, which recall finds` : '';
  const usage = requests.at(-1)?.usage;
  return [
    `The context holds ${counted(current.length, 'message')}, about ${grouped(context.tokens)} tokens${gone}.`,
    ...rowsOf(context),
    ...(usage === undefined
      ? []
      : [
          `The provider counted ${grouped(inputTokens(usage))} tokens in the last request, with instructions and tools that the transcript lacks.`,
        ]),
  ].join('\n');
}

const rowsOf = ({ parts }: SessionContext) =>
  parts.map(({ kind, tokens, share, messages }) => {
    const where = messages === 0 ? '' : `, in ${counted(messages, 'message')}`;
    return `${kind}: ${grouped(tokens)} tokens, ${(100 * share).toFixed(1)} %${where}`;
  });
