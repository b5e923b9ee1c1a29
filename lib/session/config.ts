import { modelOf, rolesOf } from '../model-of.js';
import native from '../native.js';
import { defaultOf } from '../options/index.js';
import { PRESETS } from '../options/presets.js';
import { automatic } from '../options/session.js';
import { tagsOf } from '../options/tags.js';
import { systemPrompts } from '../tokens/system.js';
import { Costs } from './cost.js';
import type { SessionFacts } from '../../binding';
import type { SessionSettings } from '../../index.js';
import type { CachedModel } from './cache.js';
import type { Tags } from './state.js';
import type { Steps } from '../steps.js';
import type { Adapter, Format, Tokenizer } from '../types.js';
import type { History } from './history.js';
import type { Reads } from './reads.js';
import type { Remembered } from './remembered.js';
import type { Summaries } from './summaries.js';

/** What a session works with beside its state: what it was told, and what computes for it. */
export interface Config {
  /** the pins of `keep` are those of the state */
  options: SessionSettings<object> & {
    tokenizer: Tokenizer;
    thinking: NonNullable<SessionSettings['thinking']>;
    now: () => number;
    tags: Tags | undefined;
  };
  /** the model that the options name, with what its cache has of its own */
  model: CachedModel | undefined;
  /** the shares of the limit that epochs leave */
  shares: { low: number; coldLow: number };
  /** how much is recalled when the user speaks, in tokens and as a share of the limit at most; undefined: nothing */
  recall: { limit: number; share: number } | undefined;
  /** the caller named the format */
  isFormatGiven: boolean;
  /** what writes the requests, where that is known */
  adapter: Adapter | undefined;
  /** the model has the tool that looks up what went, for which marks keep the numbers of messages */
  isOffered: boolean;
  /** an integration finds it by messages, with which the conversation of somebody else may begin, too */
  isFound: boolean;
  summaries: Summaries | undefined;
  /** undefined: nobody says what tokens cost */
  costs: Costs | undefined;
  texts: Texts;
  /** what other sessions of the same messages read of them, too */
  reads: Reads | undefined;
}

/** What is known of the texts of a history. Each is read once, and no choice depends on whether it was. */
export class Texts {
  #facts: SessionFacts | undefined;
  #remembered: Remembered | undefined;
  /** The tokens of the texts that were counted last. */
  #tokens: Map<string, number> = new Map();

  /** What the engine knows of the texts that the last epoch read, unless it dropped it. */
  get facts() {
    this.#facts ??= new native.SessionFacts();
    return this.#facts;
  }

  /** Counts the tokens of texts that are asked for again and again. */
  counting(texts: readonly string[], tokenizer: Tokenizer): ReadonlyMap<string, number> {
    this.#tokens = new Map(texts.map((text) => [text, this.#tokens.get(text) ?? native.countTexts([text], tokenizer)[0]]));
    return this.#tokens;
  }

  /** What can be recalled. */
  get remembered() {
    const { Remembered: Own } = require('./remembered.js') as typeof import('./remembered.js');
    this.#remembered ??= new Own();
    return this.#remembered;
  }

  /** Lets go of all: it can be read again. */
  forget() {
    this.#facts = undefined;
    this.#remembered = undefined;
    this.#tokens = new Map();
  }

  /** Reads what was added to a history into the index of what can be recalled, in steps. */
  *remembering(history: History, format: Format): Steps<Remembered> {
    const { remembered } = this;
    yield* remembered.read(history, format);
    return remembered;
  }
}

/**
 * Reads the options of a session.
 *
 * @param options checked
 * @throws {TypeError} the model or the instructions can't be read
 */
export function configOf(options: SessionSettings<object>): Config {
  systemPrompts(options.system, 'createSession(): options.system');
  const model = cachedModelOf(options);
  const tokenizer = options.tokenizer ?? model?.tokenizer ?? 'o200k_base';
  return {
    options: {
      ...options,
      keep: { ...options.keep, pinned: undefined },
      tokenizer,
      thinking: options.thinking ?? 'strip',
      roles: rolesOf(options),
      now: options.now ?? Date.now,
      tags: tagsOf(options.tags),
    },
    model,
    shares: sharesOf(options),
    recall: recallOf(options),
    isFormatGiven: options.format != null && options.format !== 'auto',
    adapter: undefined,
    isOffered: false,
    isFound: false,
    summaries: undefined,
    costs: Costs.of(options),
    texts: new Texts(),
    reads: undefined,
  };
}

/** Maximum share of the limit for what is recalled by default: with more, a small limit would be reached by questions alone. */
const DEFAULT_SHARE = 0.25;

function cachedModelOf(options: SessionSettings<object>): CachedModel | undefined {
  const model = modelOf(options, 'createSession(): options');
  if (model === undefined) return undefined;
  const { findCache, isExplicit } = require('../models.js') as typeof import('../models.js');
  const name = options.model as string;
  return { ...model, cache: findCache(name), isExplicit: isExplicit(name) };
}

function sharesOf({ preset, low, coldLow }: SessionSettings<object>) {
  const shares = PRESETS[(preset ?? defaultOf('createSession', 'preset')) as keyof typeof PRESETS];
  return { low: low ?? shares.low, coldLow: coldLow ?? Math.min(low ?? 1, shares.coldLow) };
}

function recallOf({ recall }: SessionSettings<object>) {
  if (recall === undefined || recall === null) return undefined;
  const limit = recall === 'auto' ? undefined : recall.limit;
  return typeof limit === 'number' ? { limit, share: 1 } : { limit: automatic.limit.default, share: DEFAULT_SHARE };
}
