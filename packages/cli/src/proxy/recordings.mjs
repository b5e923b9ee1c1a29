// @ts-check
// The conversations that went through, as transcripts for the report.

/** UTF-16 code units of a title. */
const MAX_TITLE = 80;

/**
 * A request whose messages a session chose.
 *
 * @typedef {object} Recorded
 * @property {number} id
 * @property {import('./apis.mjs').Api['format']} format
 * @property {string} [model]
 * @property {number} time
 * @property {number} before tokens
 * @property {number} after
 * @property {number} reused
 * @property {'limit' | 'turn' | 'early' | 'cold'} [epoch]
 * @property {boolean} fits
 */

/** @typedef {Recorded & Omit<import('./followed.mjs').Change, 'fresh' | 'rest'> & { rest: (number | Buffer)[], isAnswered?: boolean,
 *   usage?: import('../types.d.ts').Usage }} Kept */

/** A conversation with one session. */
class Recording {
  /** JSON of its messages. @type {Buffer[]} */
  messages = [];
  /** @type {Kept[]} */
  requests = [];
  #isDry;

  /** @param {boolean} isDry whether requests went out as they came */
  constructor(isDry) {
    this.#isDry = isDry;
  }

  /** @param {Recorded & import('./followed.mjs').Change} recorded */
  add({ fresh, rest, ...request }) {
    for (const text of fresh) this.messages.push(bytesOf(text));
    const kept = { ...request, rest: rest.map((one) => (typeof one === 'number' ? one : bytesOf(one))) };
    this.requests.push(kept);
    return kept;
  }

  /** @returns {import('../types.d.ts').Transcript | undefined} undefined if none of its requests was answered yet */
  transcript() {
    const answered = this.requests.filter(({ isAnswered }) => isAnswered);
    const [first, last] = [answered[0], answered.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const messages = this.messages.map(parsed);
    const id = `session ${first.session}`;
    return {
      agent: 'messages',
      id,
      file: '',
      title: titleOf(messages) ?? id,
      ...(last.model !== undefined && { model: last.model }),
      started: first.time,
      ended: last.time,
      format: first.format,
      messages,
      requests: [...this.#requestsOf(messages)],
      skipped: 0,
      notes: [],
    };
  }

  /** @param {object[]} messages @returns {Generator<import('../types.d.ts').TranscriptRequest>} */
  *#requestsOf(messages) {
    /** @type {Map<Buffer, object>} */
    const edited = new Map();
    const messageOf = (/** @type {number | Buffer} */ one) => {
      if (typeof one === 'number') return messages[one];
      const known = edited.get(one) ?? parsed(one);
      edited.set(one, known);
      return known;
    };
    /** Requests are asked for in order: of all of them only one is held. @type {(number | Buffer)[]} */
    let sent = [];
    let next = 0;
    const sentAt = (/** @type {number} */ index) => {
      if (next > index + 1) [sent, next] = [[], 0];
      for (; next <= index; next++) {
        const { shared, rest } = this.requests[next];
        sent.length = shared;
        for (const one of rest) sent.push(one);
      }
      return sent.map(messageOf);
    };
    for (const [index, request] of this.requests.entries()) {
      if (!request.isAnswered) continue;
      const { messages: count, time, model, usage, before, after, reused, epoch, fits } = request;
      yield {
        messages: count,
        time,
        ...(model !== undefined && { model }),
        ...(usage !== undefined && { usage }),
        ...(!this.#isDry && {
          fitted: { before, after, reused, ...(epoch !== undefined && { epoch }), fits, messages: () => sentAt(index) },
        }),
      };
    }
  }
}

/** The conversations that the report is about. */
export class Recordings {
  /** @type {Map<number, Recording>} */
  #sessions = new Map();
  /** Requests that are not answered yet. @type {Map<number, Kept>} */
  #open = new Map();
  #isDry;

  /** @param {boolean} isDry whether requests went out as they came: then the report says what a session would send */
  constructor(isDry) {
    this.#isDry = isDry;
  }

  /** @param {Recorded & import('./followed.mjs').Change} recorded */
  add(recorded) {
    const recording = this.#sessions.get(recorded.session) ?? new Recording(this.#isDry);
    this.#sessions.set(recorded.session, recording);
    this.#open.set(recorded.id, recording.add(recorded));
  }

  /** @param {number} session */
  forget(session) {
    this.#sessions.delete(session);
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
    if (kept !== undefined) Object.assign(kept, { isAnswered: true, usage });
  }

  /** Forgets a request that the provider refused. @param {number} id */
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

/** @param {string} text */
const bytesOf = (text) => Buffer.from(text);

/** @param {Buffer} json @returns {any} */
const parsed = (json) => JSON.parse(json.toString('utf8'));

/** The start of what the user said first. @param {any[]} messages */
function titleOf(messages) {
  const said = messages.find(({ role }) => role === 'user');
  const content = said?.content ?? said?.parts;
  const texts = (Array.isArray(content) ? content.map((block) => block?.text) : [content])
    .filter((text) => typeof text === 'string')
    .map((text) => text.slice(0, 8 * MAX_TITLE).trim())
    .filter((text) => text !== '');
  // Agents put what they have to say themselves between tags.
  const title = texts.find((text) => !text.startsWith('<')) ?? texts[0];
  return title
    ?.replace(/\s+/g, ' ')
    .slice(0, MAX_TITLE)
    .replace(/[\uD800-\uDBFF]$/, '');
}
