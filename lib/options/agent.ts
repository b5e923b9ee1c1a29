// Options of the verbs for an agent's messages.

import { isObject, mismatch } from '../checks.js';
import { modelOf } from '../model-of.js';
import * as kinds from './kinds.js';
import { outputTokens, tokensAbove0 } from './limits.js';
import { concurrency, format, signal, summarizer, tokenCounter, tokenizer, trace } from './shared.js';
import type { Option, Table } from './shared.js';
import type {
  CountTokensOptions,
  FitRequestSettings,
  FitSettings,
  PruneOptions,
  PruneSettings,
  RecallOptions,
  RequestLimits,
  ShortenSettings,
  SummarySettings,
  ValidateOptions,
  WarmUpOptions,
} from '../../index.js';

const isThinking = kinds.choice(['keep', 'strip', 'leave']);

const recent: Option = {
  kind: kinds.numberWhere((value) => value === Infinity || (Number.isInteger(value) && value >= 0), 'a whole number from 0, or Infinity'),
};

/** What counts as superseded, which `fit` and sessions are told, too. */
const superseded = {
  edits: { kind: kinds.choice(['safe', 'last']), default: 'safe' },
  failures: { kind: kinds.choice(['status', 'words']), default: 'status' },
  keep: {
    kind: kinds.object({
      recent: { ...recent, default: 6 },
      tools: { kind: kinds.strings },
      paths: { kind: kinds.strings },
    } satisfies Table<NonNullable<PruneOptions['keep']>>),
  },
  toolMap: { kind: kinds.toolMap },
} satisfies Table<PruneSettings>;

export const prune = {
  format,
  mode: { kind: kinds.choice(['stub', 'remove']), default: 'stub' },
  thinking: { kind: isThinking, default: 'keep' },
  ...superseded,
  trace,
} satisfies Table<PruneOptions>;

/** An option that only `prune` itself has: elsewhere it would have no effect. */
const ofPruneAlone: Option = {
  kind: (name) => {
    throw new TypeError(`${name} is an option of prune() alone: leave it out`);
  },
};
const pruning = { ...superseded, format: ofPruneAlone, mode: ofPruneAlone, thinking: ofPruneAlone, trace: ofPruneAlone };
const checkPrune = kinds.object(pruning);

function pruneOrNot(name: string, value: unknown, options: Record<string, unknown>): void {
  if (typeof value === 'boolean') return;
  if (!isObject(value)) throw mismatch(name, 'a boolean or an object', value);
  checkPrune(name, value, options);
}
pruneOrNot.options = pruning;

const shorten = { files: { kind: kinds.stringsOrRegExps } } satisfies Table<ShortenSettings>;
const checkShorten = kinds.object(shorten);

function shortenOrNot(name: string, value: unknown, options: Record<string, unknown>): void {
  if (typeof value === 'boolean') return;
  if (!isObject(value)) throw mismatch(name, 'a boolean or an object', value);
  checkShorten(name, value, options);
}
shortenOrNot.options = shorten;

const most: Option = { kind: kinds.numberWhere((value) => value > 0, 'a number above 0, or Infinity') };
const limits = {
  bytes: most,
  media: most,
  images: most,
  documents: most,
  pages: most,
  imageBytes: most,
  imagePixels: most,
  manyImagePixels: most,
} satisfies Table<RequestLimits>;
const checkLimits = kinds.object(limits);

function limitsOrNone(name: string, value: unknown, options: Record<string, unknown>): void {
  if (value === false) return;
  if (!isObject(value)) throw mismatch(name, 'false or an object', value);
  checkLimits(name, value, options);
}
limitsOrNone.options = limits;

const requestLimits: Option = { kind: limitsOrNone };

/** Options that `fit` and sessions take. */
export const fitting = {
  model: { kind: kinds.checkedByReader },
  tokenizer,
  tokenCounter,
  format,
  keep: {
    kind: kinds.object({
      recent: { ...recent, default: 0 },
      user: { kind: kinds.boolean, default: false },
      tools: { kind: kinds.strings },
      arguments: { kind: kinds.boolean, default: false },
      patterns: { kind: kinds.regExps },
      pinned: { kind: kinds.textsOrIndices },
    } satisfies Table<NonNullable<FitSettings['keep']>>),
  },
  query: { kind: kinds.query },
  roles: { kind: kinds.choice(['alternate', 'any']) },
  prune: { kind: pruneOrNot, default: true },
  shorten: { kind: shortenOrNot, default: true },
  requestLimits,
  thinking: { kind: isThinking, default: 'strip' },
} satisfies Partial<Table<FitSettings>>;

/** What is sent beside the messages. */
export const beside = { system: { kind: kinds.checkedByReader }, tools: { kind: kinds.tools } } satisfies Table<
  Pick<FitSettings, 'system' | 'tools'>
>;

/** Options of `fit` that `fitRequest` takes, too. */
const fittingOnce = {
  limit: { kind: kinds.numberWhere((value) => value >= 0, 'a number of tokens from 0', 'a number of tokens') },
  window: { kind: tokensAbove0 },
  margin: { kind: kinds.numberWhere((value) => value >= 0 && value < 1, 'a share from 0 and below 1') },
  calibration: {
    kind: kinds.object({
      counted: { kind: tokensAbove0, isRequired: true },
      actual: { kind: tokensAbove0, isRequired: true },
    } satisfies Table<NonNullable<FitSettings['calibration']>>),
  },
  ...fitting,
  originals: { kind: kinds.checkedByReader },
  trace,
} satisfies Partial<Table<FitRequestSettings>>;
/** Those of the forms that wait. */
const waiting = { summarizer, concurrency, signal } satisfies Table<SummarySettings>;

export const fit = {
  ...fittingOnce,
  ...beside,
  maxOutputTokens: { kind: outputTokens(), default: 0, isRequired: true },
} satisfies Table<FitSettings>;
export const fitRequest = {
  ...fittingOnce,
  maxOutputTokens: { kind: outputTokens(true), isRequired: true },
} satisfies Table<FitRequestSettings>;

export const fitAsync = { ...fit, ...waiting } satisfies Table<FitSettings & SummarySettings>;
export const fitRequestAsync = { ...fitRequest, ...waiting } satisfies Table<FitRequestSettings & SummarySettings>;

export const countTokens = {
  model: { kind: (_, value) => void modelOf({ model: value }, 'countTokens(): options', 'tokenizer') },
  tokenizer,
  format,
  ...beside,
} satisfies Table<CountTokensOptions>;
export const recall = {
  limit: { kind: tokensAbove0, default: 500 },
  model: { kind: (_, value) => void modelOf({ model: value }, 'recall(): options', 'tokenizer') },
  tokenizer,
  format,
} satisfies Table<RecallOptions>;
export const validate = {
  format,
  model: { kind: (_, value) => void modelOf({ model: value }, 'validate(): options', 'format and requestLimits') },
  requestLimits,
} satisfies Table<ValidateOptions>;
export const warmUp = { tokenizer } satisfies Table<WarmUpOptions>;
