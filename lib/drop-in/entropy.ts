import { checkNumber, checkNumbers, checkString } from '../checks.js';
import native from '../native.js';

/** See `index.d.ts`. */
export function splitSentences(text: string) {
  checkString('splitSentences(): text', text);
  return native.splitSentences(text);
}

/** See `index.d.ts`. */
export function normalizeScores(scores: number[]) {
  checkNumbers('normalizeScores(): scores', scores);
  return Array.from(native.normalizeScores(Float64Array.from(scores)));
}

/** See `index.d.ts`. */
export function combineScores(heuristic: number[], scores: number[], weight = 0.6) {
  checkNumbers('combineScores(): heuristic', heuristic);
  checkNumbers('combineScores(): scores', scores);
  checkNumber('combineScores(): weight', weight);
  if (heuristic.length !== scores.length) {
    throw new Error(`combineScores(): there are ${heuristic.length} heuristic and ${scores.length} other scores`);
  }
  return Array.from(native.combineScores(Float64Array.from(heuristic), Float64Array.from(scores), weight));
}
