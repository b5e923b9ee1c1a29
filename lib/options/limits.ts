// How many tokens a request may take: given as such, or by the model's window less the answer.

import { shown } from '../checks.js';
import { modelOf } from '../model-of.js';
import { numberWhere } from './kinds.js';
import type { Kind } from './kinds.js';
import type { Model } from '../models.js';
import type { Tokenizer } from '../types.js';

/** Options that say how many tokens a request may take. */
interface Limits {
  limit?: number | null | undefined;
  window?: number | null | undefined;
  maxOutputTokens?: number | null | undefined;
}

export const tokensAbove0 = numberWhere((value) => value > 0 && value < Infinity, 'a number of tokens above 0');
export const tokensFrom0 = numberWhere((value) => value >= 0 && value < Infinity, 'a number of tokens from 0');

/**
 * Creates the kind of `maxOutputTokens`, which checks that the options give the tokens of a request in exactly one way.
 *
 * @param isElsewhere whether they may also come from somewhere else than the options
 */
export function outputTokens(isElsewhere = false): Kind {
  return (option, value, options) => {
    const { limit, window } = options as Limits;
    // Most callers give nothing but the limit.
    if (limit != null && window == null && value == null && options.model == null) return;
    const at = option.slice(0, option.lastIndexOf('.'));
    const [direct, ofWindow] = [`${at}.limit`, `${at}.window`];
    if (value != null) tokensFrom0(option, value, {});
    if (limit != null && window != null)
      throw new TypeError(`${direct} and ${ofWindow} both say what a request may take: give one of them`);
    if (limit == null && window == null && options.model == null && !isElsewhere)
      throw new TypeError(`${at} must say how many tokens a request may take: give limit, window or model`);
    const model = modelOf(options, at, 'tokenizer and limit or window');
    if (limit == null && window == null && model?.window === undefined && !isElsewhere)
      throw new TypeError(`${at}.model is ${shown(options.model)}, whose window is not known: give ${ofWindow} or ${direct}`);
    if (value != null && limit != null) {
      const instead = 'leave maxOutputTokens out, or give window in the place of limit';
      throw new TypeError(`${option} is taken from a window, and ${direct} is given, of which nothing is taken: ${instead}`);
    }
    const whole = window ?? model?.window;
    if ((value as number) >= (whole as number))
      throw new RangeError(`${option} must be less than ${window == null ? 'the window' : ofWindow} (${whole}), got ${value}`);
  };
}

/**
 * Returns the tokens that a request may take by the model's window; undefined if the options give them directly.
 *
 * @param options checked
 * @param model the model that they name
 */
export function windowLimit({ window, maxOutputTokens }: Limits, model?: Model): number | undefined {
  if (window != null) return window - (maxOutputTokens ?? 0);
  if (model?.window === undefined) return undefined;
  return Math.min(model.window - (maxOutputTokens ?? model.output ?? 0), model.input ?? Infinity);
}

/**
 * Replaces `model` and `window` in options by what they stand for: the tokenizer, and the tokens that a request may take.
 *
 * @param options a copy of the caller's, checked
 * @param at name of the options in errors
 * @returns the model that they name
 */
export function resolveLimits(
  options: Limits & { model?: unknown; tokenizer?: Tokenizer | null | undefined },
  at: string,
): Model | undefined {
  const model = modelOf(options, at);
  options.tokenizer ??= model?.tokenizer;
  options.limit ??= windowLimit(options, model);
  return model;
}
