// @ts-check
'use strict';

const { fingerprintsOf } = require('../agent/fingerprint.js');
const { DEFAULT_CONCURRENCY, notesOf, offering, textOf } = require('../fit/summaries.js');

/** Summaries may take so much of what an epoch leaves, */
const SHARE = 0.12;
/** and so much of the history: they are saved with the session. */
const HISTORY_SHARE = 0.01;
/** What would go is looked up again when the history has grown by this share. */
const GROWTH = 1.05;
/** The length of a fingerprint. */
const PRINT = 11;

/** The summaries of a session: asked for in the background, each once. */
class Summaries {
  #summarizer;
  #concurrency;
  /**
   * By the fingerprint of the text: its summary, or null where there is none that is any good, or none yet.
   *
   * @type {Map<string, string | null>}
   */
  #answers;
  /** Texts that wait to be summed up. */
  #waiting = [];
  #running = 0;
  /** The tokens of the history when it was last looked at ahead of an epoch. */
  #ahead = 0;

  /**
   * @param {Record<string, any>} options of the session
   * @param {{ asked: string, answers: (string | null)[] }} [saved] what `toJSON` wrote
   */
  constructor({ summarizer, concurrency }, saved) {
    const { asked, answers } = saved ?? { asked: '', answers: [] };
    this.#summarizer = summarizer;
    this.#concurrency = concurrency ?? DEFAULT_CONCURRENCY;
    const prints = asked.match(/.{11}/gs) ?? [];
    const first = prints.length - answers.length;
    this.#answers = new Map();
    prints.forEach((print, index) => this.#answers.set(print, answers[index - first] ?? null));
  }

  /** What is said of what goes at an epoch, by the answers that are there, in steps. What was never asked for is asked for. */
  *noting(fitting, budget) {
    const share = shareOf(fitting, budget);
    const offers = yield* offering(fitting, budget, share);
    const prints = this.#ask(offers.map((offer) => textOf(fitting, offer)));
    // Whoever answers at once is heard. Nobody is waited for.
    yield { now: () => undefined, later: nextTurn };
    return notesOf(
      offers,
      prints.map((print) => this.#answers.get(print)),
      share,
      fitting.tokenizer,
    );
  }

  /** Whether the history has grown enough since what would go was last looked up. */
  isDue(history) {
    return history.tokens() >= GROWTH * this.#ahead;
  }

  /** Asks for what would go at the next epoch, in steps. */
  *asking(fitting, budget) {
    this.#ahead = fitting.before;
    const offers = yield* offering(fitting, budget, shareOf(fitting, budget));
    this.#ask(offers.map((offer) => textOf(fitting, offer)));
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

  /** All texts that were asked for, by their fingerprints, and the answers to the latest, of no more than so many UTF-16 code units. */
  toJSON(units) {
    const answers = [];
    let left = units;
    for (const answer of [...this.#answers.values()].reverse()) {
      left -= answer?.length ?? 0;
      if (left < 0) break;
      answers.push(answer);
    }
    return { asked: [...this.#answers.keys()].join(''), answers: answers.reverse() };
  }

  /** Whether `toJSON` may have written this. */
  static isSaved(json) {
    if (typeof json?.asked !== 'string' || !Array.isArray(json.answers)) return false;
    return (
      json.asked.length % PRINT === 0 &&
      json.answers.length <= json.asked.length / PRINT &&
      json.answers.every((answer) => answer === null || typeof answer === 'string')
    );
  }
}

const shareOf = ({ before }, budget) => Math.min(SHARE * budget, HISTORY_SHARE * before);

const nextTurn = () => new Promise((resolve) => void setImmediate(resolve));

module.exports = { Summaries };
