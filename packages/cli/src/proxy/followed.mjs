// @ts-check
// Follows the sessions for the report: what each request adds to the one before, and which sessions there is room for.
/** What an entry takes beside its content, in bytes, approximately. */
const OVERHEAD = 128;

/**
 * What a request adds to what is known of its session.
 *
 * @typedef {object} Change
 * @property {number} session
 * @property {string[]} fresh JSON of the messages behind those that are known
 * @property {number} messages number of messages of the history
 * @property {number} shared number of messages at the start that the request before sent, too
 * @property {(number | string)[]} rest the others that are sent: indexes in the history, or the JSON of those that are edited
 */

/** @typedef {{ name: number, count: number, sent: (number | string)[] }} Known */

/** The sessions in the report: those that were used last, as far as there is room. */
export class Followed {
  #options;
  #names = 0;
  #bytes = 0;
  /** @type {WeakMap<object, Known>} */
  #known = new WeakMap();
  /** Bytes of each session, from the least to the most recently used. @type {Map<number, number>} */
  #sizes = new Map();

  /** @param {{ maxBytes: number, maxSessions: number, forget: (session: number) => void }} options */
  constructor(options) {
    this.#options = options;
  }

  /**
   * Returns what a request adds, and remembers it.
   *
   * @param {object} session
   * @param {import('./json-source.mjs').Source} source its messages as they came
   * @param {string[] | undefined} parts JSON of the messages as they are sent; undefined if nothing changed
   * @param {number} most maximum bytes of the change
   * @returns {{ change: Change, bytes: number } | undefined} undefined if it is larger
   */
  add(session, source, parts, most) {
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

  /** @param {object} session @returns {Known} */
  #of(session) {
    const known = this.#known.get(session);
    if (known !== undefined && (known.count === 0 || this.#sizes.has(known.name))) return known;
    const fresh = { name: ++this.#names, count: 0, sent: [] };
    this.#known.set(session, fresh);
    return fresh;
  }
}

/** @param {(number | string)[]} list of indexes and texts that are mostly of one byte a unit */
const sizeOf = (list) => list.reduce((/** @type {number} */ sum, one) => sum + OVERHEAD + (typeof one === 'number' ? 0 : one.length), 0);

/**
 * The messages of a fitted request as indexes in the history; the texts of those that are edited.
 *
 * @param {string[]} parts
 * @param {string[]} texts JSON of the history's messages
 * @param {(number | string)[]} before those of the request before: most are the same
 */
function placed(parts, texts, before) {
  /** Indexes of each text, the first at the end. @type {Map<string, number[]> | undefined} */
  let places;
  const placeOf = (/** @type {string} */ text, /** @type {number} */ from) => {
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
