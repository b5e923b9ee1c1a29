// @ts-check
// Shadow requests: of a sample of the requests that were cut, what they were before goes to the provider as well, behind the client's answer.
import { createShadow } from 'palimpsest';
import { Room } from './body.mjs';
import { passed } from './headers.mjs';
import { readValues } from './usage.mjs';

/** Maximum bytes of the bodies that wait to be sent whole. */
const MAX_WAITING = 64 * 2 ** 20;
/** Headers that make a provider take two requests for one. */
const ONCE = ['idempotency-key'];

/** @typedef {{ body: Buffer, tokens: number, maxOutputTokens?: number }} Whole a request as the client sent it */

/**
 * A request that was sampled.
 *
 * @typedef {object} Sampled
 * @property {(answer: import('node:http').IncomingMessage) => { write: (chunk: Buffer) => void, end: () => void }} watch returns what takes
 *   the bytes of the client's answer
 * @property {(isAnswered: boolean) => Promise<void>} finish sends the shadow requests if the client got a whole answer; never rejects
 */

/** A report of nothing. */
export const emptyReport = () => createShadow({ share: 1, maxTokens: 1 }).report;

/** Sends shadow requests. No request of a client waits for them or fails with them. */
export class Shadowing {
  #shadow;
  #onChange;
  #room = new Room(MAX_WAITING);
  /** @type {Set<AbortController>} */
  #running = new Set();

  /**
   * @param {object} options
   * @param {number} options.share
   * @param {number} options.maxTokens
   * @param {import('palimpsest').ShadowReport} [options.saved] of an earlier run
   * @param {(report: import('palimpsest').ShadowReport) => void} options.onChange
   */
  constructor({ share, maxTokens, saved, onChange }) {
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
   * @param {import('./apis.mjs').Api['format']} format
   * @param {Whole} whole
   * @param {import('./upstream.mjs').Upstream} upstream
   * @param {import('./upstream.mjs').Outgoing} outgoing as it was cut
   * @returns {Sampled | undefined} undefined if it is not sampled
   */
  sample(format, { body, tokens, maxOutputTokens }, upstream, outgoing) {
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

  /** @param {import('./upstream.mjs').Upstream} upstream @param {import('./upstream.mjs').Outgoing} request @param {(value: unknown) => void} see */
  async #ask(upstream, request, see) {
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
