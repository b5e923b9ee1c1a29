// @ts-check
'use strict';

const { combineScores } = require('../entropy.js');
const { SENTENCE_COLUMN } = require('../generated/layout.js');
const { isUnawaited } = require('../promises.js');

/** Range of combined scores, so that they weigh about as much as those of the rules. */
const SCALE = 20;

/**
 * A scorer as the engine calls it: with a text and a row of `SENTENCE_COLUMN` for each of its sentences. It returns the scores to
 * use, or undefined if the caller's scorer fails or answers with something else: the engine then uses its own.
 *
 * @template T
 * @typedef {(text: string, rows: Int32Array) => T} Scorer
 */

/**
 * Returns a scorer that asks `entropyScorer` and expects the answer at once.
 *
 * @param {any} options
 * @returns {Scorer<Float64Array | undefined>}
 * @throws {Error} when called: `entropyScorer` answers with a promise
 */
function syncScorer(options) {
  return (text, rows) => {
    let answer;
    try {
      answer = options.entropyScorer(sentencesOf(text, rows));
    } catch {
      return undefined;
    }
    if (isUnawaited(answer)) {
      throw new Error(
        'compress(): options.entropyScorer answered with a promise, and sync mode waits for none; with a summarizer or classifier it does',
      );
    }
    return scoresOf(answer, rows, options);
  };
}

/**
 * Returns a scorer that waits for the answer of `entropyScorer`.
 *
 * @param {any} options
 * @returns {Scorer<Promise<Float64Array | undefined>>}
 */
function asyncScorer(options) {
  return async (text, rows) => {
    try {
      return scoresOf(await options.entropyScorer(sentencesOf(text, rows)), rows, options);
    } catch {
      return undefined;
    }
  };
}

/**
 * @param {string} text
 * @param {Int32Array} rows
 */
function sentencesOf(text, rows) {
  const sentences = [];
  for (let at = 0; at < rows.length; at += SENTENCE_COLUMN.COUNT) {
    sentences.push(text.slice(rows[at + SENTENCE_COLUMN.START], rows[at + SENTENCE_COLUMN.END]));
  }
  return sentences;
}

/**
 * @param {unknown} answer
 * @param {Int32Array} rows
 * @param {any} options
 */
function scoresOf(answer, rows, { entropyScorerMode }) {
  const raw = firstNumbers(answer, rows.length / SENTENCE_COLUMN.COUNT);
  if (raw === undefined) return undefined;
  if (entropyScorerMode === 'replace') return new Float64Array(raw);
  const ours = raw.map((_, index) => rows[SENTENCE_COLUMN.COUNT * index + SENTENCE_COLUMN.SCORE]);
  return new Float64Array(combineScores(ours, raw)).map((score) => SCALE * score);
}

/**
 * Returns the first `count` numbers of an answer, or undefined if it has fewer.
 *
 * @param {any} answer
 * @param {number} count
 */
function firstNumbers(answer, count) {
  if (!Array.isArray(answer) && !ArrayBuffer.isView(answer)) return undefined;
  const numbers = [];
  for (let index = 0; index < count; index++) {
    const number = /** @type {any} */ (answer)[index];
    if (typeof number !== 'number' || Number.isNaN(number)) return undefined;
    numbers.push(number);
  }
  return numbers;
}

module.exports = { asyncScorer, syncScorer };
