// @ts-check
'use strict';

const { fingerprintsOf } = require('../agent/fingerprint.js');
const { DEFAULT_CONCURRENCY, notesOf, offering, textOf } = require('../fit/summaries.js');

/** Maximum size of the summaries, as a share of an epoch's target. */
const SHARE = 0.12;
/** Maximum size of the summaries, as a share of the history; they are saved with the session. */
const HISTORY_SHARE = 0.01;
/** Growth of the history, as a share, after which the messages to drop are computed again. */
const GROWTH = 1.05;
/** The length of a fingerprint. */
const PRINT = 11;

/** Summaries of a session, each requested once, in the background. */
class Summaries {
  #summarizer;
  #concurrency;
  /**
   * Summary by the fingerprint of its text; null if there is none yet or none that is shorter.
   *
   * @type {Map<string, string | null>}
   */
  #answers;
  /** Texts waiting for a summary. */
  #waiting = [];
  #running = 0;
  /** Tokens of the history when the messages to drop were last computed. */
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

  /** Returns the notes on the messages that an epoch drops, from the answers so far, in steps. Requests the missing ones. */
  *noting(fitting, budget) {
    const share = shareOf(fitting, budget);
    const offers = yield* offering(fitting, budget, share);
    const prints = this.#ask(offers.map((offer) => textOf(fitting, offer)));
    // Answers that come at once are used; there is no waiting.
    yield { now: () => undefined, later: nextTurn };
    return notesOf(
      offers,
      prints.map((print) => this.#answers.get(print)),
      share,
      fitting.tokenizer,
    );
  }

  /** Returns whether the history has grown enough since the messages to drop were last computed. */
  isDue(history) {
    return history.tokens() >= GROWTH * this.#ahead;
  }

  /** Requests summaries of the messages that the next epoch would drop, in steps. */
  *asking(fitting, budget) {
    this.#ahead = fitting.before;
    const offers = yield* offering(fitting, budget, shareOf(fitting, budget));
    this.#ask(offers.map((offer) => textOf(fitting, offer)));
  }

  /** Requests summaries of new texts, and returns the fingerprints of all. */
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
        // The text is dropped without a summary, as without a summarizer.
      }
    }
    this.#running--;
  }

  /** Fingerprints of all requested texts, and the latest answers up to a number of UTF-16 code units. */
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

  /** Returns whether `toJSON` may have written this. */
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
