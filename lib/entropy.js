// @ts-check
'use strict';

const { checkNumber, checkNumbers, checkString } = require('./checks.js');
const native = require('./native.js');

/** See `index.d.ts`. */
function splitSentences(text) {
  checkString('splitSentences(): text', text);
  return native.splitSentences(text);
}

/** See `index.d.ts`. */
function normalizeScores(scores) {
  checkNumbers('normalizeScores(): scores', scores);
  return normalized(scores);
}

/** See `index.d.ts`. */
function combineScores(heuristic, scores, weight = 0.6) {
  checkNumbers('combineScores(): heuristic', heuristic);
  checkNumbers('combineScores(): scores', scores);
  checkNumber('combineScores(): weight', weight);
  if (heuristic.length !== scores.length) {
    throw new Error(`combineScores(): there are ${heuristic.length} heuristic and ${scores.length} other scores`);
  }
  const [ours, theirs] = [normalized(heuristic), normalized(scores)];
  return ours.map((score, index) => score * (1 - weight) + theirs[index] * weight);
}

/** The scores between 0 and 1, in proportion; 0.5 each where all are the same. */
function normalized(scores) {
  let [least, most] = [Infinity, -Infinity];
  for (const score of scores) [least, most] = [Math.min(least, score), Math.max(most, score)];
  return scores.map((score) => (least === most ? 0.5 : (score - least) / (most - least)));
}

module.exports = { combineScores, normalizeScores, splitSentences };
