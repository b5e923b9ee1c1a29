// Options of the factories of summarizers and classifiers.

import * as kinds from './kinds.js';
import type { Option, Table } from './shared.js';
import type { CreateClassifierOptions, CreateSummarizerOptions } from '../../index.js';

const { checkedByReader, choice, numberWhere, strings } = kinds;

const maxResponseTokens: Option = {
  kind: numberWhere((value) => value > 0 && value < Infinity, 'a positive number of tokens'),
};
const systemPrompt: Option = { kind: kinds.string };
const stringList: Option = { kind: kinds.stringList };

export const createSummarizer = {
  mode: { kind: choice(['normal', 'aggressive', 'structured']), default: 'normal' },
  maxResponseTokens: { ...maxResponseTokens, default: 300 },
  systemPrompt,
  preserveTerms: {
    kind(name, value, options) {
      // Mode `structured` ignores them.
      if (options.mode !== 'structured') kinds.stringList(name, value);
    },
  },
} satisfies Table<CreateSummarizerOptions>;
export const createEscalatingSummarizer = {
  ...createSummarizer,
  mode: { kind: checkedByReader },
  preserveTerms: stringList,
} satisfies Table<CreateSummarizerOptions>;
export const createClassifier = {
  systemPrompt,
  maxResponseTokens: { ...maxResponseTokens, default: 100 },
  alwaysPreserve: stringList,
  alwaysCompress: stringList,
} satisfies Table<CreateClassifierOptions>;
/** Options that are passed on to `createSummarizer`, which checks the others. */
export const refined = {
  ...createSummarizer,
  mode: { kind: checkedByReader },
  maxResponseTokens: { kind: checkedByReader },
  preserveTerms: { kind: strings },
} satisfies Table<CreateSummarizerOptions>;
