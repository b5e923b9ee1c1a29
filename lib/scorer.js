'use strict';

const { combineScores } = require('./entropy.js');

/** How far apart combined scores are, so that they weigh about as much as those of the rules. */
const SCALE = 20;

/**
 * The caller's `entropyScorer` as the engine calls it: from sentences and our own scores of them to the scores to use, or
 * `undefined` where the scorer fails or its answer is no good, which leaves it at our own.
 */
function sentenceScorer({ entropyScorer, entropyScorerMode }, isAsync) {
  const isReplaced = entropyScorerMode === 'replace';
  const scoresOf = (answer, ours) => {
    if (!isEnough(answer, ours.length)) return undefined;
    const raw = Array.from(answer).slice(0, ours.length);
    return Float64Array.from(isReplaced ? raw : combineScores(ours, raw).map((score) => SCALE * score));
  };
  if (isAsync) {
    return async (sentences, ours) => {
      try {
        return scoresOf(await entropyScorer(sentences), ours);
      } catch {
        return undefined;
      }
    };
  }
  return (sentences, ours) => {
    let answer;
    try {
      answer = entropyScorer(sentences);
    } catch {
      return undefined;
    }
    if (typeof answer?.then === 'function') {
      // What it is rejected with must not end the process.
      Promise.resolve(answer).catch(() => {});
      throw new Error(
        'compress(): options.entropyScorer answered with a promise, and sync mode waits for none; with a summarizer or classifier it does',
      );
    }
    return scoresOf(answer, ours);
  };
}

/** Whether there is a number for each sentence. */
function isEnough(answer, count) {
  if (!Array.isArray(answer) && !ArrayBuffer.isView(answer)) return false;
  for (let index = 0; index < count; index++) {
    if (typeof answer[index] !== 'number' || Number.isNaN(answer[index])) return false;
  }
  return true;
}

module.exports = { sentenceScorer };
