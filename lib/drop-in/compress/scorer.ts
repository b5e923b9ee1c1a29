import { SENTENCE_COLUMN } from '../../generated/layout.js';
import { isUnawaited } from '../../promises.js';
import type { EntropyScorer } from '../../../index.js';

/**
 * A scorer as the engine calls it: with a text and a row of `SENTENCE_COLUMN` for each of its sentences. It returns the
 * caller's scores, or undefined if the caller's scorer fails or answers with something else: the engine then uses its own.
 */
export type Scorer<T> = (text: string, rows: Int32Array) => T;

/**
 * Returns a scorer that asks `entropyScorer` and expects the answer at once.
 *
 * @throws {Error} when called: `entropyScorer` answers with a promise
 */
export function syncScorer(options: { entropyScorer?: EntropyScorer | null | undefined }): Scorer<Float64Array | undefined> {
  return (text, rows) => {
    let answer: unknown;
    try {
      answer = options.entropyScorer?.(sentencesOf(text, rows));
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

/** Returns a scorer that waits for the answer of `entropyScorer`. */
export function asyncScorer(options: { entropyScorer?: EntropyScorer | null | undefined }): Scorer<Promise<Float64Array | undefined>> {
  return async (text, rows) => {
    try {
      return scoresOf(await options.entropyScorer?.(sentencesOf(text, rows)), rows);
    } catch {
      return undefined;
    }
  };
}

function sentencesOf(text: string, rows: Int32Array) {
  const sentences: string[] = [];
  for (let at = 0; at < rows.length; at += SENTENCE_COLUMN.COUNT) {
    sentences.push(text.slice(rows[at + SENTENCE_COLUMN.START], rows[at + SENTENCE_COLUMN.END]));
  }
  return sentences;
}

/** Returns the score of each row from an answer, or undefined if it has fewer. */
function scoresOf(answer: unknown, rows: Int32Array) {
  if (!Array.isArray(answer) && !ArrayBuffer.isView(answer)) return undefined;
  const scores = new Float64Array(rows.length / SENTENCE_COLUMN.COUNT);
  for (let index = 0; index < scores.length; index++) {
    const score = (answer as ArrayLike<unknown>)[index];
    if (typeof score !== 'number' || Number.isNaN(score)) return undefined;
    scores[index] = score;
  }
  return scores;
}
