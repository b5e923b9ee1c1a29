import { CALIBRATED_MARGIN, factorOf, isExact, marginOf } from '../margins.js';
import type { FitSettings } from '../../index.js';
import type { Model } from '../models.js';

/** The share of a limit that counts may take: all of it if they are the provider's, otherwise less. */
export class Allowance {
  /** Whether counts are the provider's. */
  isExact: boolean;
  #share: number;
  /** Tokens that the provider counts of what is not counted here, such as a file of which little is known. */
  #beside: number;

  /**
   * @param format its name
   * @param options of `fit`, checked
   * @param model the model that they name
   * @param isOwn whether the caller gave the limit and named no model, so that it is in counted tokens
   */
  constructor(
    format: string,
    options: Pick<FitSettings, 'calibration' | 'margin' | 'tokenizer' | 'tokenCounter'>,
    model: Model | undefined,
    isOwn: boolean,
  ) {
    const { calibration, margin } = options;
    this.isExact = isExact(format, options, model);
    const factor = calibration ? factorOf(calibration.counted, calibration.actual) : undefined;
    // What was counted too much may be what goes, so it makes no room.
    this.#beside = calibration && factor === undefined ? Math.max(0, calibration.actual - calibration.counted) : 0;
    const defaultMargin = () => {
      if (this.isExact) return 0;
      if (factor !== undefined) return CALIBRATED_MARGIN;
      return isOwn ? 0 : marginOf(format, options, model);
    };
    this.#share = Math.min(1, (1 - (margin ?? defaultMargin())) / (factor ?? 1));
  }

  /** Returns the maximum number of counted tokens for `limit`. */
  of(limit: number) {
    if (limit === Infinity || (this.#share === 1 && this.#beside === 0)) return limit;
    return Math.max(0, Math.floor(limit * this.#share - this.#beside));
  }

  /** Returns the smallest limit that allows for `tokens`. */
  minimum(tokens: number) {
    if (this.#share === 1 && this.#beside === 0) return tokens;
    // The quotient may be rounded.
    const about = Math.ceil((tokens + this.#beside) / this.#share);
    return [about - 1, about, about + 1].find((limit) => this.of(limit) >= tokens) ?? about;
  }
}
