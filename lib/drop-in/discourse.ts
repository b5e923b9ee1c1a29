import { checkArray, checkFunction, checkNumber, checkString, describe, mismatch } from '../checks.js';
import native from '../native.js';
import type { EDU } from '../../drop-in.js';

type Scorer = ((text: string) => number) | null | undefined;

/** See `index.d.ts`. */
export function segmentEDUs(text: string) {
  checkString('segmentEDUs(): text', text);
  return native.segmentEDUs(text).map(({ text: clause, dependsOnLast }, index) => {
    return { text: clause, index, dependsOn: dependsOnLast ? [index - 1] : [], score: 0 };
  });
}

/** See `index.d.ts`. */
export function scoreEDUs(edus: readonly EDU[], scorer: Scorer) {
  checkEDUs('scoreEDUs(): edus', edus);
  checkScorer('scoreEDUs(): scorer', scorer);
  const texts = edus.map(({ text }) => text);
  const scores = scorer ? texts.map((text) => scoreOf(text, scorer)) : native.scoreEDUs(texts);
  return edus.map((edu, place) => ({ ...edu, score: scores[place] }));
}

/** See `index.d.ts`. */
export function selectEDUs(edus: readonly EDU[], budget: number, maxDepth = 2) {
  checkEDUs('selectEDUs(): edus', edus);
  edus.forEach(({ score }, index) => checkNumber(`selectEDUs(): edus[${index}].score`, score));
  checkNumber('selectEDUs(): budget', budget);
  checkNumber('selectEDUs(): maxDepth', maxDepth);
  const isPlace = (place: number) => Number.isInteger(place) && place >= 0 && place < edus.length;
  const isSelected = native.selectEDUs(
    edus.map(({ text }) => text.length),
    edus.map(({ score }) => score),
    edus.map(({ dependsOn }) => (Array.isArray(dependsOn) ? dependsOn.filter(isPlace) : [])),
    budget,
    // There are no more levels than units.
    Math.max(0, Math.min(edus.length, Math.floor(maxDepth) || 0)),
  );
  return edus.filter((_, place) => isSelected[place]);
}

/** See `index.d.ts`. */
export function summarizeWithEDUs(text: string, budget: number, scorer: Scorer) {
  checkString('summarizeWithEDUs(): text', text);
  checkNumber('summarizeWithEDUs(): budget', budget);
  checkScorer('summarizeWithEDUs(): scorer', scorer);
  if (!scorer) return native.summarizeWithEDUs(text, budget);
  const selected = selectEDUs(scoreEDUs(segmentEDUs(text), scorer), budget);
  return selected.map((edu) => edu.text).join(' ') || text.slice(0, budget).trim();
}

function scoreOf(text: string, scorer: NonNullable<Scorer>) {
  const score: unknown = scorer(text);
  if (typeof score !== 'number') throw new TypeError(`scorer must return a number, got ${describe(score)}`);
  return score;
}

function checkEDUs(name: string, edus: readonly Partial<EDU>[]) {
  checkArray(name, edus);
  const wrong = edus.findIndex((edu) => typeof edu?.text !== 'string');
  if (wrong >= 0) throw mismatch(`${name}[${wrong}].text`, 'a string', edus[wrong]?.text);
}

function checkScorer(name: string, scorer: Scorer) {
  if (scorer !== undefined && scorer !== null) checkFunction(name, scorer);
}
