// Shadow requests: a sample of the requests that were cut is also sent whole, twice, to see whether cutting changed what the model does.

import { mismatch, shown } from '../checks.js';
import { checkOptions } from '../options/index.js';
import { warnOnce } from '../options/warnings.js';
import { applying, differenceOf } from './actions.js';
import { PROVIDERS } from '../providers/index.js';
import { effectOf } from './effects.js';
import { rateOf } from './rates.js';
import type * as api from '../../index.js';
import type { Difference } from './actions.js';
import type { ProviderDefinition } from '../providers/provider.js';
import type { WholeFormat } from '../providers/request.js';
import type { Answer, AnswerReader } from '../providers/shared/answer.js';

/** Maximum number of trials whose shadow requests are under way. */
const MAX_RUNNING = 4;
/** Time without new trials after one that failed, in ms: what the provider refuses, such as for its rate, must not be in the way of others. */
const PAUSE = 60_000;

/** Providers whose answers can be read. */
const ANSWERING = PROVIDERS.filter((one) => one.answer !== undefined);

/** Returns what reads an answer of a provider. */
const readerOf = (format: WholeFormat) => {
  const { answer } = ANSWERING.find(({ name }) => name === format) as Required<ProviderDefinition>;
  return new (answer())();
};

interface Counts {
  requests: number;
  compared: number;
  failed: number;
  skipped: number;
  changed: number;
  noise: number;
  kinds: Record<Difference, number>;
  tokens: number;
}

const zero = (): Counts => ({
  requests: 0,
  compared: 0,
  failed: 0,
  skipped: 0,
  changed: 0,
  noise: 0,
  kinds: { tool: 0, argument: 0, edit: 0, answer: 0 },
  tokens: 0,
});

/** See `createShadow` in `index.d.ts`. */
export function createShadow(options: api.ShadowOptions, saved?: api.ShadowReport | null): api.Shadow {
  return new Shadow(checkOptions('createShadow', options), saved);
}

class Shadow implements api.Shadow {
  #options;
  #counts = zero();
  /** Tokens that trials under way may still take. */
  #reserved = 0;
  #running = 0;
  #resting = 0;
  #isSpent = false;

  constructor(options: api.ShadowOptions, saved?: api.ShadowReport | null) {
    this.#options = options;
    if (saved !== undefined && saved !== null) this.#load(saved);
  }

  get report(): api.ShadowReport {
    const { requests, compared, failed, skipped, changed, noise, kinds, tokens } = this.#counts;
    const rates = { changed: rateOf(changed, compared), noise: rateOf(noise, compared) };
    const { maxTokens } = this.#options;
    return { requests, compared, failed, skipped, ...rates, kinds: { ...kinds }, tokens, maxTokens, isSpent: this.#isSpent };
  }

  toJSON() {
    return this.report;
  }

  sample(sampled: api.ShadowedRequest): api.ShadowTrial | undefined {
    const { format } = sampled ?? {};
    if (!ANSWERING.some(({ name }) => name === format)) {
      const names = ANSWERING.map(({ name }) => `'${name}'`).join(', ');
      throw new TypeError(`sample(): request.format must be one of ${names}, got ${shown(format)}`);
    }
    if (typeof sampled.whole !== 'function') throw mismatch('sample(): request.whole', 'a function', sampled.whole);
    if (!(sampled.tokens >= 0)) throw mismatch('sample(): request.tokens', 'a number from 0', sampled.tokens);
    this.#counts.requests++;
    if (Math.random() >= this.#options.share || Date.now() < this.#resting || this.#isSpent) return undefined;
    const reader = readerOf(format);
    return { see: seeing(reader), run: (ask) => this.#run(sampled, reader, ask) };
  }

  async #run({ format, whole, tokens, maxOutputTokens }: api.ShadowedRequest, own: AnswerReader, ask: Asking) {
    const cut = own.end();
    const request = cut && this.#running < MAX_RUNNING ? repeated(format, whole) : undefined;
    // A model that looks something up goes on with what it finds: this is not its next action.
    if (cut === undefined || request === undefined || cut.calls.some(({ name }) => name === 'recall')) {
      this.#counts.skipped++;
      return undefined;
    }
    const each = tokens + (maxOutputTokens ?? own.output ?? 0);
    if (this.#counts.tokens + this.#reserved + 2 * each > this.#options.maxTokens) {
      this.#isSpent = true;
      return undefined;
    }
    this.#running++;
    try {
      const answers = await this.#ask(format, each, ask);
      return answers === undefined ? this.#fail() : this.#compare(cut, answers, () => request);
    } catch {
      return this.#fail();
    } finally {
      this.#running--;
    }
  }

  /** Asks twice, one after the other, so that the second can read the cache that the first wrote. Returns undefined if that is not possible. */
  async #ask(format: WholeFormat, each: number, ask: Asking): Promise<[Answer, Answer] | undefined> {
    this.#reserved += 2 * each;
    let left = 2 * each;
    const answers: Answer[] = [];
    try {
      while (answers.length < 2) {
        // What the first one took beyond its share may have used up the rest.
        if (this.#counts.tokens + this.#reserved > this.#options.maxTokens) return undefined;
        const reader = readerOf(format);
        let isRefused = false;
        try {
          isRefused = (await ask(seeing(reader))) === false;
        } finally {
          this.#reserved -= each;
          left -= each;
          // A request that was broken off is billed, too, and doesn't tell its usage.
          if (!isRefused) this.#counts.tokens += reader.tokens ?? each;
        }
        const answer = reader.end();
        if (answer === undefined) return undefined;
        answers.push(answer);
      }
    } finally {
      this.#reserved -= left;
    }
    return answers as [Answer, Answer];
  }

  #compare(cut: Answer, [one, other]: [Answer, Answer], whole: () => object): api.ShadowResult {
    const applies = applying(whole);
    const changed = differenceOf(cut, one, applies);
    const noise = differenceOf(one, other, applies);
    const counts = this.#counts;
    counts.compared++;
    if (changed !== undefined) {
      counts.changed++;
      counts.kinds[changed]++;
    }
    if (noise !== undefined) counts.noise++;
    const result = { ...(changed && { changed }), ...(noise && { noise }) };
    this.#tell(result);
    return result;
  }

  #fail() {
    this.#counts.failed++;
    this.#resting = Date.now() + PAUSE;
    return undefined;
  }

  /** What the caller's function throws is nobody's to catch here. */
  #tell(result: api.ShadowResult) {
    try {
      this.#options.onResult?.(result, this.report);
    } catch (error) {
      warnOnce(`createShadow(): options.onResult threw: ${error}`, 'PALIMPSEST_SHADOW');
    }
  }

  #load({ requests, compared, failed, skipped, changed, noise, kinds, tokens }: api.ShadowReport) {
    const counts = { requests, compared, failed, skipped, changed: changed?.count, noise: noise?.count, tokens };
    const numbers = [...Object.values(counts), ...Object.keys(zero().kinds).map((name) => kinds?.[name as Difference])];
    const isRight =
      numbers.every((value) => Number.isFinite(value) && value >= 0) && counts.changed <= compared && counts.noise <= compared;
    if (!isRight) throw new TypeError('createShadow(): saved is not the report of a shadow');
    this.#counts = { ...counts, kinds: { ...kinds } };
  }
}

/** Returns a request that may be sent again; undefined if it may not. */
function repeated(format: WholeFormat, whole: () => object) {
  try {
    const request = whole();
    return effectOf(format, request) === undefined ? request : undefined;
  } catch {
    return undefined;
  }
}

type Asking = Parameters<api.ShadowTrial['run']>[0];

/** Returns what gives values to a reader. A value of a shape that nobody expected is passed over: such an answer doesn't come to its end. */
const seeing = (reader: AnswerReader) => (value: unknown) => {
  try {
    reader.see(value ?? {});
  } catch {
    // The request itself must not fail for it.
  }
};
