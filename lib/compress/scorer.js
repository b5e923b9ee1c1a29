// @ts-check
'use strict';

const { SENTENCE_COLUMN } = require('../generated/layout.js');
const { isUnawaited } = require('../promises.js');

/**
 * A scorer as the engine calls it: with a text and a row of `SENTENCE_COLUMN` for each of its sentences. It returns the
 * caller's scores, or undefined if the caller's scorer fails or answers with something else: the engine then uses its own.
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
    return scoresOf(answer, rows);
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
      return scoresOf(await options.entropyScorer(sentencesOf(text, rows)), rows);
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
 * Returns the score of each row from an answer, or undefined if it has fewer.
 *
 * @param {any} answer
 * @param {Int32Array} rows
 */
function scoresOf(answer, rows) {
  if (!Array.isArray(answer) && !ArrayBuffer.isView(answer)) return undefined;
  const scores = new Float64Array(rows.length / SENTENCE_COLUMN.COUNT);
  for (let index = 0; index < scores.length; index++) {
    const score = /** @type {any} */ (answer)[index];
    if (typeof score !== 'number' || Number.isNaN(score)) return undefined;
    scores[index] = score;
  }
  return scores;
}

module.exports = { asyncScorer, syncScorer };
