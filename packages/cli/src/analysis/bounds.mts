// Keeps the report small: long texts are cut, long sessions thinned out, and the sessions that say least lose their messages.
import type { MessageData, RequestData, SessionData } from '../types.mjs';

/** Maximum size of all messages, in bytes of a page: 3 MB less what else is in it. */
const MAX_BYTES = 1_600_000;
/** Maximum size of the messages of one session. */
const MAX_SESSION_BYTES = 450_000;
/** Maximum lengths of texts in UTF-16 code units; the largest with which a session stays within its size is taken. */
const TEXT_LENGTHS = [4_000, 1_500, 500, 160, 40];
/** Maximum number of requests of a session, with its messages and without. */
const MAX_REQUESTS = 300;
const FEW_REQUESTS = 60;
/** Maximum number of requests of all sessions together, of which one with its usage takes about 250 bytes; and minimum number of each. */
const MAX_ALL_REQUESTS = 3_000;
const MIN_REQUESTS = 2;

/** Bytes that a value takes in a page, where `<` is written as `\u003c`. */
function bytesOf(value: unknown) {
  const json = JSON.stringify(value);
  let bytes = Buffer.byteLength(json);
  for (let at = json.indexOf('<'); at !== -1; at = json.indexOf('<', at + 1)) bytes += 5;
  return bytes;
}

/** Index at which a text can be cut without halving a surrogate pair. */
const cutAt = (text: string, at: number) => (/[\uD800-\uDBFF]/.test(text[at - 1] ?? '') ? at - 1 : at);

/** The start and the end of a text. */
export function shortened(text: string, length: number) {
  if (text.length <= length) return text;
  const head = text.slice(0, cutAt(text, Math.ceil(length * 0.7)));
  const tail = text.slice(cutAt(text, text.length - Math.floor(length * 0.3)));
  return `${head}\n…\n${tail}`;
}

const messageWithin = (message: MessageData, length: number): MessageData => ({
  ...message,
  parts: message.parts.map(({ text, ...part }) =>
    text.length <= length ? { text, ...part } : { text: shortened(text, length), chars: text.length, ...part },
  ),
  ...(message.after !== undefined && { after: shortened(message.after, length) }),
});

/** The messages with texts of at most a length; undefined if they are too large. */
function within(messages: MessageData[], length: number) {
  const short = [];
  let bytes = 0;
  for (const message of messages) {
    const one = messageWithin(message, length);
    bytes += bytesOf(one) + 1;
    if (bytes > MAX_SESSION_BYTES) return undefined;
    short.push(one);
  }
  return { messages: short, bytes };
}

/**
 * @param messages with whole texts
 * @returns undefined if there are too many messages
 */
export function bounded(messages: MessageData[]): { messages: MessageData[]; bytes: number } | undefined {
  for (const length of TEXT_LENGTHS) {
    const found = within(messages, length);
    if (found !== undefined) return found;
  }
  // Why each of very many messages is missing has no room.
  return within(
    messages.map(({ gone: _, ...message }) => message),
    TEXT_LENGTHS[TEXT_LENGTHS.length - 1],
  );
}

/** A selection of requests with the first, the last, and all epochs and compactions as long as there is room. */
function thinned(requests: RequestData[], most: number) {
  if (requests.length <= most) return requests;
  const chosen = new Set([0, requests.length - 1]);
  const turns = requests.flatMap((request, index) => (request.epoch !== undefined || request.compacted ? [index] : []));
  // The request before an epoch shows how large it had become.
  for (const index of turns.slice(0, Math.floor(most / 4))) chosen.add(index).add(Math.max(0, index - 1));
  const room = most - chosen.size;
  for (let one = 0; one < room; one++) chosen.add(Math.floor((one * requests.length) / room));
  return [...chosen].sort((a, b) => a - b).map((index) => requests[index]);
}

/** Messages that may be shown: their text as JSON, or what tells it once it is known that they are. */
export interface Showable {
  /** of a page */
  bytes: number;
  text?: string;
}

/** Sessions with their messages as long as these fit. More are never held than the report has room for. */
export class Shown {
  #entries: { session: SessionData; shown: Showable; rank: number }[] = [];

  /** @param rank the highest are shown */
  add(session: SessionData, shown: Showable, rank: number) {
    this.#entries.push({ session, shown, rank });
    this.#entries.sort((a, b) => b.rank - a.rank);
    let bytes = 0;
    // A smaller one behind one that is too large may still fit, but a later one may not take its room: ranks decide.
    this.#entries = this.#entries.filter((entry) => {
      if (bytes + entry.shown.bytes > MAX_BYTES) return false;
      bytes += entry.shown.bytes;
      return true;
    });
  }

  /** Those that fit. */
  list(): Showable[] {
    return this.#entries.map(({ shown }) => shown);
  }

  /** @param sessions all, in the order of the report */
  apply(sessions: SessionData[]): SessionData[] {
    const shown: Map<SessionData, MessageData[]> = new Map();
    for (const { session, shown: own } of this.#entries) if (own.text !== undefined) shown.set(session, JSON.parse(own.text));
    const most = sessions.map((session) => Math.min(session.requests.length, shown.has(session) ? MAX_REQUESTS : FEW_REQUESTS));
    const share = Math.min(1, MAX_ALL_REQUESTS / most.reduce((sum, one) => sum + one, 0));
    return sessions.map((session, index) => {
      const messages = shown.get(session);
      const requests = thinned(session.requests, Math.max(MIN_REQUESTS, Math.floor(most[index] * share)));
      return { ...session, requests, ...(messages && { messages }) };
    });
  }
}
