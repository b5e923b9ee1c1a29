// Options that several functions take.

import * as kinds from './kinds.js';
import { formatKind } from './custom-format.js';
import type { Kind } from './kinds.js';

export interface Option {
  kind: Kind;
  /** the value that undefined and null stand for; absent if there is none */
  default?: unknown;
  /** checked even if it is not given */
  isRequired?: true;
}

/** An option for each member of a public type. */
export type Table<T> = { [Name in keyof Required<T>]: Option };

/** Refuses `tokenizer` and `tokenCounter` together. */
export const unlessBothCount =
  (kind: Kind): Kind =>
  (name, value, options) => {
    kind(name, value, options);
    if (options.tokenizer && options.tokenCounter) {
      const at = name.slice(0, name.lastIndexOf('.'));
      throw new TypeError(`${at}.tokenizer and options.tokenCounter both count tokens: give one of them`);
    }
  };

export const isTokenizer = kinds.oneOf(['o200k_base', 'cl100k_base', 'estimate']);

export const format: Option = { kind: formatKind, default: 'auto' };
export const trace: Option = { kind: kinds.flag, default: false };
export const tokenizer: Option = { kind: isTokenizer, default: 'o200k_base' };
export const tokenCounter: Option = { kind: unlessBothCount(kinds.func) };
export const summarizer: Option = { kind: kinds.orNone(kinds.func) };
export const concurrency: Option = {
  kind: kinds.numberWhere((value) => value === Infinity || (Number.isInteger(value) && value >= 1), 'a positive integer or Infinity'),
  default: 4,
};
export const signal: Option = { kind: kinds.abortSignal };
