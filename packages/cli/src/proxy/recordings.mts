// The conversations that went through, as transcripts for the report.
import type { CacheReport } from 'palimpsest';
import type { Api } from './apis.mjs';
import type { Change } from './followed.mjs';
import type { Json } from '../transcripts/values.mjs';
import type { Inspected, Transcript, TranscriptRequest, Usage } from '../types.mjs';

/** UTF-16 code units of a title. */
const MAX_TITLE = 80;

/** A request whose messages a session chose. */
export interface Recorded {
  id: number;
  format: Api['format'];
  model?: string;
  time: number;
  /** in its session, from 1 */
  number: number;
  /** tokens */
  before: number;
  after: number;
  reused: number;
  epoch?: 'limit' | 'turn' | 'early' | 'cold';
  fits: boolean;
}

type Kept = Recorded &
  Omit<Change, 'fresh' | 'rest'> & { rest: (number | Buffer)[]; isAnswered?: boolean; usage?: Usage; cache?: CacheReport };

/** A conversation with one session. */
class Recording {
  /** JSON of its messages. */
  messages: Buffer[] = [];
  requests: Kept[] = [];
  /** what its session says of the last request */
  inspected: Required<Inspected> | undefined;
  #isDry;

  /** @param isDry whether requests went out as they came */
  constructor(isDry: boolean) {
    this.#isDry = isDry;
  }

  add({ fresh, rest, ...request }: Recorded & Change) {
    for (const text of fresh) this.messages.push(bytesOf(text));
    const kept = { ...request, rest: rest.map((one) => (typeof one === 'number' ? one : bytesOf(one))) };
    this.requests.push(kept);
    this.inspected = undefined;
    return kept;
  }

  /** @returns undefined if none of its requests was answered yet */
  transcript(): Transcript | undefined {
    const answered = this.requests.filter(({ isAnswered }) => isAnswered);
    const [first, last] = [answered[0], answered.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const messages = this.messages.map(parsed);
    const id = `session ${first.session}`;
    const { context, why } = this.inspected ?? {};
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
      ...(context && { inspected: { context, ...(why && context.request === last.number && { why }) } }),
      skipped: 0,
      notes: [],
    };
  }

  *#requestsOf(messages: object[]): Generator<TranscriptRequest> {
    const edited: Map<Buffer, object> = new Map();
    const messageOf = (one: number | Buffer) => {
      if (typeof one === 'number') return messages[one];
      const known = edited.get(one) ?? parsed(one);
      edited.set(one, known);
      return known;
    };
    /** Requests are asked for in order: of all of them only one is held. */
    let sent: (number | Buffer)[] = [];
    let next = 0;
    const sentAt = (index: number) => {
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
      const { messages: count, time, model, usage, cache, number, before, after, reused, epoch, fits } = request;
      yield {
        messages: count,
        time,
        ...(model !== undefined && { model }),
        ...(usage !== undefined && { usage }),
        ...(!this.#isDry && {
          fitted: {
            ...{ number, before, after, reused, fits, messages: () => sentAt(index) },
            ...(epoch !== undefined && { epoch }),
            ...(cache !== undefined && { cache }),
          },
        }),
      };
    }
  }
}

/** The conversations that the report is about. */
export class Recordings {
  #sessions: Map<number, Recording> = new Map();
  /** Requests that are not answered yet. */
  #open: Map<number, Kept> = new Map();
  #isDry;

  /** @param isDry whether requests went out as they came: then the report says what a session would send */
  constructor(isDry: boolean) {
    this.#isDry = isDry;
  }

  add(recorded: Recorded & Change) {
    const recording = this.#sessions.get(recorded.session) ?? new Recording(this.#isDry);
    this.#sessions.set(recorded.session, recording);
    this.#open.set(recorded.id, recording.add(recorded));
  }

  forget(session: number) {
    this.#sessions.delete(session);
  }

  /** Takes what a session says of its last request. */
  inspect(session: number, inspected: Required<Inspected>) {
    const recording = this.#sessions.get(session);
    // Another request may have come meanwhile.
    if (recording?.requests.at(-1)?.number === inspected.context.request) recording.inspected = inspected;
  }

  /** Takes the answer of a request. */
  answer(id: number, usage?: Usage, cache?: CacheReport) {
    const kept = this.#open.get(id);
    this.#open.delete(id);
    if (kept !== undefined) Object.assign(kept, { isAnswered: true, usage, cache });
  }

  /** Forgets a request that the provider refused. */
  refuse(id: number) {
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

const bytesOf = (text: string) => Buffer.from(text);

const parsed = (json: Buffer): Json => JSON.parse(json.toString('utf8'));

/** The start of what the user said first. */
function titleOf(messages: Json[]) {
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
