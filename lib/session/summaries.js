'use strict';

const { fingerprintsOf } = require('../agent/fingerprint.js');
const { withPauses } = require('../steps.js');
const { DEFAULT_CONCURRENCY, notesOf, offering, textOf } = require('../fit/summaries.js');

/** Summaries may take so much of what an epoch leaves, */
const SHARE = 0.12;
/** and so much of the history: they are saved with the session. */
const HISTORY_SHARE = 0.01;
/** What would go is looked up again when the history has grown by this share. */
const GROWTH = 1.05;
/** UTF-16 code units that a summary's fingerprint takes in a saved session, with what JSON puts around it. */
const PRINT = 14;

/** The summaries of a session: asked for in the background, each once. */
class Summaries {
  #summarizer;
  #concurrency;
  /** By the fingerprint of the text: its summary, or null where there is none that is any good, or none yet. */
  #answers;
  /** Texts that wait to be summed up. */
  #waiting = [];
  #running = 0;
  /** The tokens of the history when it was last looked at ahead of an epoch. */
  #ahead = 0;

  /** @param {Record<string, string | null>} [saved] what `toJSON` wrote */
  constructor({ summarizer, concurrency }, saved = {}) {
    this.#summarizer = summarizer;
    this.#concurrency = concurrency ?? DEFAULT_CONCURRENCY;
    this.#answers = new Map(Object.entries(saved));
  }

  /** What is said of what goes at an epoch, by the answers that are there, in steps. What was never asked for is asked for. */
  *noting(fitting, budget) {
    const share = Math.min(SHARE * budget, HISTORY_SHARE * fitting.before);
    const offers = yield* offering(fitting, budget, share);
    const prints = this.#ask(offers.map((offer) => textOf(fitting, offer)));
    // Whoever answers at once is heard. Nobody is waited for.
    yield { now: () => undefined, later: nextTurn };
    return notesOf(offers, prints.map((print) => this.#answers.get(print)), share, fitting.tokenizer);
  }

  /**
   * Asks for what would go at the next epoch.
   *
   * @param {number} tokens those of the history
   * @param {() => Promise<import('../fit/fitting.js').Fitting>} open
   * @param {number} budget
   */
  async askAhead(tokens, open, budget) {
    if (tokens < GROWTH * this.#ahead) return;
    this.#ahead = tokens;
    try {
      const fitting = await open();
      try {
        const share = Math.min(SHARE * budget, HISTORY_SHARE * fitting.before);
        const offers = await withPauses(offering(fitting, budget, share));
        this.#ask(offers.map((offer) => textOf(fitting, offer)));
      } finally {
        fitting.close();
      }
    } catch {
      // The epoch itself will say what is wrong.
    }
  }

  /** Has texts summed up that never were, and gives the fingerprints of all. */
  #ask(texts) {
    const prints = fingerprintsOf(texts);
    prints.forEach((print, index) => {
      if (this.#answers.has(print)) return;
      this.#answers.set(print, null);
      this.#waiting.push({ print, text: texts[index] });
    });
    while (this.#running < this.#concurrency && this.#waiting.length > 0) this.#work();
    return prints;
  }

  async #work() {
    this.#running++;
    while (this.#waiting.length > 0) {
      const { print, text } = this.#waiting.shift();
      try {
        const answer = await this.#summarizer(text);
        if (typeof answer === 'string') this.#answers.set(print, answer);
      } catch {
        // The text goes without a summary, as it would have gone without a summarizer.
      }
    }
    this.#running--;
  }

  /** Which texts were asked for, and the latest answers that together take no more than so many UTF-16 code units. */
  toJSON(units) {
    const saved = {};
    let left = units;
    for (const [print, answer] of [...this.#answers].reverse()) {
      left -= PRINT + (answer?.length ?? 4);
      if (left < 0) break;
      saved[print] = answer;
    }
    return saved;
  }
}

const nextTurn = () => new Promise((resolve) => void setImmediate(resolve));

module.exports = { Summaries };
