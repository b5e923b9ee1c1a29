// Shadow requests: of a sample of the requests that were cut, what they were before goes to the provider as well, behind the client's answer.
import { createShadow } from 'palimpsest';
import { Room } from './body.mjs';
import { passed } from './headers.mjs';
import { readValues } from './usage.mjs';
import type { IncomingMessage } from 'node:http';
import type { ShadowReport } from 'palimpsest';
import type { Api } from './apis.mjs';
import type { Outgoing, Upstream } from './upstream.mjs';

/** Maximum bytes of the bodies that wait to be sent whole. */
const MAX_WAITING = 64 * 2 ** 20;
/** Headers that make a provider take two requests for one. */
const ONCE = ['idempotency-key'];

/** A request as the client sent it. */
type Whole = { body: Buffer; tokens: number; maxOutputTokens?: number | undefined };

/** A request that was sampled. */
export interface Sampled {
  /** returns what takes the bytes of the client's answer */
  watch: (answer: IncomingMessage) => { write: (chunk: Buffer) => void; end: () => void };
  /** sends the shadow requests if the client got a whole answer; never rejects */
  finish: (isAnswered: boolean) => Promise<void>;
}

/** A report of nothing. */
export const emptyReport = () => createShadow({ share: 1, maxTokens: 1 }).report;

/** Sends shadow requests. No request of a client waits for them or fails with them. */
export class Shadowing {
  #shadow;
  #onChange;
  #room = new Room(MAX_WAITING);
  #running: Set<AbortController> = new Set();

  constructor({
    share,
    maxTokens,
    saved,
    onChange,
  }: {
    share: number;
    maxTokens: number;
    /** of an earlier run */
    saved?: ShadowReport | undefined;
    onChange: (report: ShadowReport) => void;
  }) {
    this.#shadow = createShadow({ share, maxTokens }, saved);
    this.#onChange = onChange;
  }

  get report() {
    return this.#shadow.report;
  }

  /** Ends the shadow requests that are under way. */
  close() {
    for (const running of this.#running) running.abort();
  }

  /**
   * Takes a request that was cut.
   *
   * @param outgoing as it was cut
   * @returns undefined if it is not sampled
   */
  sample(format: Api['format'], { body, tokens, maxOutputTokens }: Whole, upstream: Upstream, outgoing: Outgoing): Sampled | undefined {
    const trial = this.#shadow.sample({ format, whole: () => JSON.parse(body.toString('utf8')), tokens, maxOutputTokens });
    if (trial === undefined || !this.#room.take(body.length)) return undefined;
    const request = { ...outgoing, rawHeaders: passed(outgoing.rawHeaders, ONCE), body };
    let isReady = () => {};
    const read = new Promise((resolve) => (isReady = () => resolve(undefined)));
    return {
      watch: ({ headers }) => readValues(headers, { see: trial.see, end: () => isReady() }),
      finish: async (isAnswered) => {
        if (isAnswered) {
          // What is compressed takes some turns.
          await read;
          await trial.run((see) => this.#ask(upstream, request, see));
          this.#onChange(this.report);
        }
        this.#room.give(body.length);
      },
    };
  }

  async #ask(upstream: Upstream, request: Outgoing, see: (value: unknown) => void) {
    const running = new AbortController();
    this.#running.add(running);
    try {
      const answer = await upstream.send(request, running.signal);
      if (answer.statusCode !== 200) {
        answer.destroy();
        return false;
      }
      await new Promise((resolve, reject) => {
        const { write, end } = readValues(answer.headers, { see, end: () => resolve(undefined) });
        answer.on('data', write).on('end', end).on('error', reject);
      });
      return true;
    } finally {
      this.#running.delete(running);
    }
  }
}
