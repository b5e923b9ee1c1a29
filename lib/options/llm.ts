// Options of the factories of summarizers and classifiers.

import * as kinds from './kinds.js';
import type { Option } from './shared.js';

const { checkedByReader, choice, numberWhere, strings } = kinds;

const maxResponseTokens: Option = {
  kind: numberWhere((value) => value > 0 && value < Infinity, 'a positive number of tokens'),
};
const systemPrompt: Option = { kind: kinds.string };
const stringList: Option = { kind: kinds.stringList };

export const createSummarizer: Record<string, Option> = {
  mode: { kind: choice(['normal', 'aggressive', 'structured']), default: 'normal' },
  maxResponseTokens: { ...maxResponseTokens, default: 300 },
  systemPrompt,
  preserveTerms: {
    kind(name, value, options) {
      // Mode `structured` ignores them.
      if (options.mode !== 'structured') kinds.stringList(name, value);
    },
  },
};
export const createEscalatingSummarizer: Record<string, Option> = {
  ...createSummarizer,
  mode: { kind: checkedByReader },
  preserveTerms: stringList,
};
export const createClassifier: Record<string, Option> = {
  systemPrompt,
  maxResponseTokens: { ...maxResponseTokens, default: 100 },
  alwaysPreserve: stringList,
  alwaysCompress: stringList,
};
/** Options that are passed on to `createSummarizer`, which checks the others. */
export const refined: Record<string, Option> = {
  ...createSummarizer,
  mode: { kind: checkedByReader },
  maxResponseTokens: { kind: checkedByReader },
  preserveTerms: { kind: strings },
};
