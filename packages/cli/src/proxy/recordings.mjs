// @ts-check
// The conversations that went through, for the report: a bounded number of bytes, of the sessions that were used last.
import { findArray } from './json-source.mjs';

/** What an entry takes beside its content, in bytes, approximately. */
const OVERHEAD = 128;
/** UTF-16 code units of a title. */
const MAX_TITLE = 80;

/**
 * A request whose messages a session chose.
 *
 * @typedef {object} Recorded
 * @property {number} id
 * @property {number} session
 * @property {import('./apis.mjs').Api['format']} format
 * @property {string} list name of the member with the messages
 * @property {string} [model]
 * @property {number} time
 * @property {Uint8Array} body as it came
 * @property {Uint8Array} [sent] as it was sent, if that differs
 * @property {number} before tokens
 * @property {number} after
 * @property {number} reused
 * @property {'limit' | 'turn' | 'early' | 'cold'} [epoch]
 * @property {boolean} fits
 */

/**
 * @typedef {object} Kept a request, and its messages as the difference from those of the request before
 * @property {Omit<Recorded, 'body' | 'sent'>} request
 * @property {number} messages number of messages of the history
 * @property {number} shared number of messages at its start that the one before sent, too
 * @property {(number | Buffer)[]} rest the others: indexes in the history, or the JSON of those that are edited
 * @property {boolean} [isAnswered]
 * @property {import('../types.d.ts').Usage} [usage]
 */

/** A conversation with one session. */
class Recording {
  /** JSON of its messages. @type {Buffer[]} */
  messages = [];
  /** @type {Kept[]} */
  requests = [];
  /** The messages of the last request. @type {(number | Buffer)[]} */
  last = [];
  bytes = 0;

  /** @param {Recorded} recorded @returns {Kept} */
  add({ body, sent: sentBody, ...request }) {
    const texts = textsIn(body, request.list);
    // A session's history only grows.
    for (const text of texts.slice(this.messages.length)) this.messages.push(this.#taken(Buffer.from(text)));
    const sent = sentBody === undefined ? [...texts.keys()] : this.#placed(textsIn(sentBody, request.list), texts);
    let shared = 0;
    while (shared < sent.length && sent[shared] === this.last[shared]) shared++;
    const kept = { request, messages: texts.length, shared, rest: sent.slice(shared) };
    this.bytes += OVERHEAD + 8 * kept.rest.length;
    this.requests.push(kept);
    this.last = sent;
    return kept;
  }

  /** @returns {import('../types.d.ts').Transcript | undefined} undefined if none of its requests was answered yet */
  transcript() {
    const answered = this.requests.filter(({ isAnswered }) => isAnswered);
    const [first, last] = [answered[0]?.request, answered.at(-1)?.request];
    if (first === undefined || last === undefined) return undefined;
    const messages = this.messages.map(parsed);
    return {
      agent: 'messages',
      id: `session ${first.session}`,
      file: '',
      title: titleOf(messages) ?? `session ${first.session}`,
      ...(last.model !== undefined && { model: last.model }),
      started: first.time,
      ended: last.time,
      format: first.format,
      messages,
      requests: [...this.#played(messages)],
      skipped: 0,
      notes: [],
    };
  }

  /** @param {object[]} messages @returns {Generator<import('../types.d.ts').TranscriptRequest>} */
  *#played(messages) {
    /** @type {Map<Buffer, object>} */
    const edited = new Map();
    const messageOf = (/** @type {number | Buffer} */ one) => {
      if (typeof one === 'number') return messages[one];
      const known = edited.get(one) ?? parsed(one);
      edited.set(one, known);
      return known;
    };
    /** @type {(number | Buffer)[]} */
    let sent = [];
    for (const { request, messages: count, shared, rest, isAnswered, usage } of this.requests) {
      sent = [...sent.slice(0, shared), ...rest];
      if (!isAnswered) continue;
      const own = sent;
      const { time, model, before, after, reused, epoch, fits } = request;
      yield {
        messages: count,
        time,
        ...(model !== undefined && { model }),
        ...(usage !== undefined && { usage }),
        fitted: { before, after, reused, ...(epoch !== undefined && { epoch }), fits, messages: () => own.map(messageOf) },
      };
    }
  }

  /**
   * The messages of a fitted request: the history's own keep their bytes.
   *
   * @param {string[]} sent
   * @param {string[]} history
   */
  #placed(sent, history) {
    /** @type {Map<string, number[]>} */
    const places = new Map();
    for (let index = history.length - 1; index >= 0; index--) {
      const found = places.get(history[index]);
      if (found === undefined) places.set(history[index], [index]);
      else found.push(index);
    }
    let next = 0;
    return sent.map((text, at) => {
      const found = places.get(text);
      while (found !== undefined && found.length > 0 && found[found.length - 1] < next) found.pop();
      const index = found?.pop();
      if (index !== undefined) {
        next = index + 1;
        return index;
      }
      const bytes = Buffer.from(text);
      const before = this.last[at];
      return typeof before === 'object' && before.equals(bytes) ? before : this.#taken(bytes);
    });
  }

  /** @param {Buffer} bytes */
  #taken(bytes) {
    this.bytes += bytes.length + OVERHEAD;
    return bytes;
  }
}

/** The conversations that the report is about. */
export class Recordings {
  #maxBytes;
  #maxSessions;
  #bytes = 0;
  /** From the least to the most recently used. @type {Map<number, Recording>} */
  #sessions = new Map();
  /** Requests that are not answered yet. @type {Map<number, Kept>} */
  #open = new Map();
  /** Number of sessions that had to go. */
  gone = 0;

  /** @param {{ maxBytes: number, maxSessions: number }} options */
  constructor({ maxBytes, maxSessions }) {
    this.#maxBytes = maxBytes;
    this.#maxSessions = maxSessions;
  }

  get size() {
    return this.#sessions.size;
  }

  /** @param {Recorded} recorded */
  add(recorded) {
    const { id, session } = recorded;
    const recording = this.#sessions.get(session) ?? new Recording();
    const before = recording.bytes;
    this.#open.set(id, recording.add(recorded));
    this.#bytes += recording.bytes - before;
    this.#sessions.delete(session);
    this.#sessions.set(session, recording);
    for (const [oldest, { bytes }] of this.#sessions) {
      if (this.#sessions.size <= this.#maxSessions && this.#bytes <= this.#maxBytes) break;
      this.#sessions.delete(oldest);
      this.#bytes -= bytes;
      this.gone++;
    }
  }

  /**
   * Takes the answer of a request.
   *
   * @param {number} id
   * @param {import('../types.d.ts').Usage} [usage]
   */
  answer(id, usage) {
    const kept = this.#open.get(id);
    this.#open.delete(id);
    if (kept !== undefined) Object.assign(kept, { isAnswered: true, ...(usage !== undefined && { usage }) });
  }

  /** Forgets a request that was refused. @param {number} id */
  refuse(id) {
    this.#open.delete(id);
  }

  /** One by one, so that only one is in memory as values. */
  *transcripts() {
    for (const recording of [...this.#sessions.values()]) {
      const transcript = recording.transcript();
      if (transcript !== undefined) yield transcript;
    }
  }
}

/** @param {Uint8Array} body @param {string} list @returns {string[]} JSON of each message */
function textsIn(body, list) {
  const text = new TextDecoder().decode(body);
  return findArray(text, list)?.items.map(([start, end]) => text.slice(start, end)) ?? [];
}

/** @param {Buffer} json @returns {any} */
const parsed = (json) => JSON.parse(json.toString('utf8'));

/** The start of what the user said first. @param {any[]} messages */
function titleOf(messages) {
  const said = messages.find(({ role }) => role === 'user');
  const content = said?.content ?? said?.parts;
  const texts = typeof content === 'string' ? [content] : Array.isArray(content) ? content.map((block) => block?.text) : [];
  // Agents put what they have to say themselves between tags.
  const text =
    texts.find((one) => typeof one === 'string' && one.trim() !== '' && !one.startsWith('<')) ??
    texts.find((one) => typeof one === 'string');
  return text === undefined || text.trim() === ''
    ? undefined
    : [
        ...text
          .trim()
          .replace(/\s+/g, ' ')
          .slice(0, 4 * MAX_TITLE),
      ]
        .slice(0, MAX_TITLE)
        .join('');
}
