// @ts-check
'use strict';

// How many tokens a request may take: given as such, or by the model's window less the answer.

const { shown } = require('../checks.js');
const { modelOf } = require('../model-of.js');
const { numberWhere } = require('./kinds.js');

const tokensAbove0 = numberWhere((value) => value > 0 && value < Infinity, 'a number of tokens above 0');
const tokensFrom0 = numberWhere((value) => value >= 0 && value < Infinity, 'a number of tokens from 0');

/**
 * Creates the kind of `maxOutputTokens`, which checks that the options give the tokens of a request in exactly one way.
 *
 * @param {'budget' | 'limit'} name option that gives them directly
 * @param {boolean} [isElsewhere] whether they may also come from somewhere else than the options
 * @returns {import('./kinds.js').Kind}
 */
function outputTokens(name, isElsewhere = false) {
  return (option, value, options) => {
    const { [name]: limit, window } = options;
    // Most callers give nothing but the limit.
    if (limit != null && window == null && value == null && options.model == null) return;
    const at = option.slice(0, option.lastIndexOf('.'));
    const [direct, ofWindow] = [`${at}.${name}`, `${at}.window`];
    if (value != null) tokensFrom0(option, value, {});
    if (limit != null && window != null)
      throw new TypeError(`${direct} and ${ofWindow} both say what a request may take: give one of them`);
    if (limit == null && window == null && options.model == null && !isElsewhere)
      throw new TypeError(`${at} must say how many tokens a request may take: give ${name}, window or model`);
    const model = modelOf(options, at, `tokenizer and ${name} or window`);
    if (limit == null && window == null && model?.window === undefined && !isElsewhere)
      throw new TypeError(`${at}.model is ${shown(options.model)}, whose window is not known: give ${ofWindow} or ${direct}`);
    if (value != null && limit != null) {
      const instead = `leave maxOutputTokens out, or give window in the place of ${name}`;
      throw new TypeError(`${option} is taken from a window, and ${direct} is given, of which nothing is taken: ${instead}`);
    }
    const whole = window ?? model?.window;
    if (value >= whole)
      throw new RangeError(`${option} must be less than ${window == null ? 'the window' : ofWindow} (${whole}), got ${value}`);
  };
}

/**
 * Returns the tokens that a request may take by the model's window; undefined if the options give them directly.
 *
 * @param {Record<string, any>} options checked
 * @param {import('../models.js').Model} [model] the model that they name
 * @returns {number | undefined}
 */
function windowLimit({ window, maxOutputTokens }, model) {
  if (window != null) return window - (maxOutputTokens ?? 0);
  if (model?.window === undefined) return undefined;
  return Math.min(model.window - (maxOutputTokens ?? model.output ?? 0), model.input ?? Infinity);
}

/**
 * Replaces `model` and `window` in options by what they stand for: the tokenizer, and the tokens that a request may take.
 *
 * @param {Record<string, any>} options a copy of the caller's, checked
 * @param {'budget' | 'limit'} name option for these tokens
 * @param {string} at name of the options in errors
 * @returns {import('../models.js').Model | undefined} the model that they name
 */
function resolveLimits(options, name, at) {
  const model = modelOf(options, at);
  options.tokenizer ??= model?.tokenizer;
  options[name] ??= windowLimit(options, model);
  return model;
}

module.exports = { outputTokens, resolveLimits, tokensAbove0, tokensFrom0, windowLimit };
