// @ts-check
'use strict';

const { CALIBRATED_MARGIN, factorOf, isExact, marginOf } = require('../margins.js');

/** The share of a budget that counts may take: all of it if they are the provider's, otherwise less. */
class Allowance {
  /** @type {number} */
  #share;

  /**
   * @param {string} format its name
   * @param {any} options of `fit`, checked
   * @param {import('../models.js').Model} [model] the model that they name
   * @param {boolean} [isOwn] whether the budget is the caller's own number, and no model's or window's: it is in counted tokens
   */
  constructor(format, options, model, isOwn = false) {
    const { calibration, margin } = options;
    /** Whether counts are the provider's. */
    this.isExact = isExact(format, options, model);
    const factor = calibration ? factorOf(calibration.counted, calibration.actual) : undefined;
    const unknown = isOwn ? 0 : marginOf(format, options, model);
    const fallback = factor === undefined ? unknown : CALIBRATED_MARGIN;
    this.#share = Math.min(1, (1 - (margin ?? (this.isExact ? 0 : fallback))) / (factor ?? 1));
  }

  /** The tokens that may be counted, for them to be within `budget`. */
  limit(budget) {
    return this.#share === 1 || budget === Infinity ? budget : Math.floor(budget * this.#share);
  }

  /** The smallest budget that allows for `tokens`. */
  minimum(tokens) {
    if (this.#share === 1) return tokens;
    // The quotient may be rounded.
    const about = Math.ceil(tokens / this.#share);
    return [about - 1, about, about + 1].find((budget) => this.limit(budget) >= tokens) ?? about;
  }
}

module.exports = { Allowance };
