// Follows the sessions for the report: what each request adds to the one before, and which sessions there is room for.
import type { Source } from './json-source.mjs';

/** What an entry takes beside its content, in bytes, approximately. */
const OVERHEAD = 128;

/** What a request adds to what is known of its session. */
export interface Change {
  session: number;
  /** JSON of the messages behind those that are known */
  fresh: string[];
  /** number of messages of the history */
  messages: number;
  /** number of messages at the start that the request before sent, too */
  shared: number;
  /** the others that are sent: indexes in the history, or the JSON of those that are edited */
  rest: (number | string)[];
}

type Known = { name: number; count: number; sent: (number | string)[] };

/** The sessions in the report: those that were used last, as far as there is room. */
export class Followed {
  #options;
  #names = 0;
  #bytes = 0;
  #known: WeakMap<object, Known> = new WeakMap();
  /** Bytes of each session, from the least to the most recently used. */
  #sizes: Map<number, number> = new Map();

  constructor(options: { maxBytes: number; maxSessions: number; forget: (session: number) => void }) {
    this.#options = options;
  }

  /**
   * Returns what a request adds, and remembers it.
   *
   * @param source its messages as they came
   * @param parts JSON of the messages as they are sent; undefined if nothing changed
   * @param most maximum bytes of the change
   * @returns undefined if it is larger
   */
  add(session: object, source: Source, parts: string[] | undefined, most: number): { change: Change; bytes: number } | undefined {
    const known = this.#of(session);
    const sent = parts === undefined ? [...source.texts.keys()] : placed(parts, source.texts, known.sent);
    let shared = 0;
    while (shared < sent.length && sent[shared] === known.sent[shared]) shared++;
    const change = {
      session: known.name,
      fresh: source.texts.slice(known.count),
      messages: source.texts.length,
      shared,
      rest: sent.slice(shared),
    };
    const bytes = sizeOf(change.fresh) + sizeOf(change.rest) + OVERHEAD;
    if (bytes > most) return undefined;
    // A session's history only grows.
    known.count = Math.max(known.count, source.texts.length);
    known.sent = sent;
    this.#bytes += bytes;
    const all = (this.#sizes.get(known.name) ?? 0) + bytes;
    this.#sizes.delete(known.name);
    this.#sizes.set(known.name, all);
    return { change, bytes };
  }

  /** Forgets the oldest sessions until there is room, even that of the last request; returns their number. */
  makeRoom() {
    const { maxBytes, maxSessions, forget } = this.#options;
    let gone = 0;
    for (const [name, bytes] of this.#sizes) {
      if (this.#sizes.size <= maxSessions && this.#bytes <= maxBytes) break;
      this.#sizes.delete(name);
      this.#bytes -= bytes;
      gone++;
      forget(name);
    }
    return gone;
  }

  /** Forgets all sessions. */
  clear() {
    this.#known = new WeakMap();
    this.#sizes.clear();
    this.#bytes = 0;
  }

  #of(session: object): Known {
    const known = this.#known.get(session);
    if (known !== undefined && (known.count === 0 || this.#sizes.has(known.name))) return known;
    const fresh = { name: ++this.#names, count: 0, sent: [] };
    this.#known.set(session, fresh);
    return fresh;
  }
}

/** @param list of indexes and texts that are mostly of one byte a unit */
const sizeOf = (list: (number | string)[]) =>
  list.reduce((sum: number, one) => sum + OVERHEAD + (typeof one === 'number' ? 0 : one.length), 0);

/**
 * The messages of a fitted request as indexes in the history; the texts of those that are edited.
 *
 * @param texts JSON of the history's messages
 * @param before those of the request before: most are the same
 */
function placed(parts: string[], texts: string[], before: (number | string)[]) {
  /** Indexes of each text, the first at the end. */
  let places: Map<string, number[]> | undefined;
  const placeOf = (text: string, from: number) => {
    if (texts[from] === text) return from;
    if (places === undefined) {
      places = new Map();
      for (let index = texts.length - 1; index >= 0; index--) {
        const found = places.get(texts[index]);
        if (found === undefined) places.set(texts[index], [index]);
        else found.push(index);
      }
    }
    const found = places.get(text) ?? [];
    while (found.length > 0 && found[found.length - 1] < from) found.pop();
    return found[found.length - 1];
  };
  let next = 0;
  return parts.map((text, at) => {
    const last = before[at];
    // An edited message is sent again as it is.
    if (last === text) return last;
    const place = typeof last === 'number' && last >= next && texts[last] === text ? last : placeOf(text, next);
    if (place === undefined) return text;
    next = place + 1;
    return place;
  });
}
