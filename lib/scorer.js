// @ts-check
'use strict';

const { combineScores } = require('./entropy.js');
const { isUnawaited } = require('./promises.js');

/** How far apart combined scores are, so that they weigh about as much as those of the rules. */
const SCALE = 20;

/**
 * The caller's `entropyScorer` as the engine calls it: from a text and three numbers for each of its sentences, which are
 * its start, its end and our own score of it, to the scores to use. These are `undefined` where the scorer fails or its
 * answer is no good, which leaves it at our own.
 */
function sentenceScorer({ entropyScorer, entropyScorerMode }, isAsync) {
  const isReplaced = entropyScorerMode === 'replace';
  const scoresOf = (answer, numbers) => {
    const count = numbers.length / 3;
    const raw = firstNumbers(answer, count);
    if (raw === undefined) return undefined;
    if (isReplaced) return new Float64Array(raw);
    const ours = raw.map((_, index) => numbers[3 * index + 2]);
    return new Float64Array(combineScores(ours, raw)).map((score) => SCALE * score);
  };
  if (isAsync) {
    return async (text, numbers) => {
      try {
        return scoresOf(await entropyScorer(sentencesOf(text, numbers)), numbers);
      } catch {
        return undefined;
      }
    };
  }
  return (text, numbers) => {
    let answer;
    try {
      answer = entropyScorer(sentencesOf(text, numbers));
    } catch {
      return undefined;
    }
    if (isUnawaited(answer)) {
      throw new Error(
        'compress(): options.entropyScorer answered with a promise, and sync mode waits for none; with a summarizer or classifier it does',
      );
    }
    return scoresOf(answer, numbers);
  };
}

function sentencesOf(text, numbers) {
  const sentences = [];
  for (let at = 0; at < numbers.length; at += 3) sentences.push(text.slice(numbers[at], numbers[at + 1]));
  return sentences;
}

/** The first `count` numbers of an answer; `undefined` where there are not that many. */
function firstNumbers(answer, count) {
  if (!Array.isArray(answer) && !ArrayBuffer.isView(answer)) return undefined;
  const numbers = [];
  for (let index = 0; index < count; index++) {
    const number = answer[index];
    if (typeof number !== 'number' || Number.isNaN(number)) return undefined;
    numbers.push(number);
  }
  return numbers;
}

module.exports = { sentenceScorer };
