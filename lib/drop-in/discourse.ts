import { checkArray, checkFunction, checkNumber, checkString, describe, mismatch } from '../checks.js';
import native from '../native.js';
import type { Foreign } from '../types.js';

/** See `index.d.ts`. */
export function segmentEDUs(text: string) {
  checkString('segmentEDUs(): text', text);
  return native.segmentEDUs(text).map(({ text: clause, dependsOnLast }, index) => {
    return { text: clause, index, dependsOn: dependsOnLast ? [index - 1] : [], score: 0 };
  });
}

/** See `index.d.ts`. */
export function scoreEDUs(edus: readonly Foreign[], scorer: Foreign) {
  checkEDUs('scoreEDUs(): edus', edus);
  checkScorer('scoreEDUs(): scorer', scorer);
  const texts = edus.map(({ text }: Foreign) => text);
  const scores = scorer ? texts.map((text: string) => scoreOf(text, scorer)) : native.scoreEDUs(texts);
  return edus.map((edu: Foreign, place: number) => ({ ...edu, score: scores[place] }));
}

/** See `index.d.ts`. */
export function selectEDUs(edus: readonly Foreign[], budget: number, maxDepth = 2) {
  checkEDUs('selectEDUs(): edus', edus);
  edus.forEach(({ score }: Foreign, index: number) => checkNumber(`selectEDUs(): edus[${index}].score`, score));
  checkNumber('selectEDUs(): budget', budget);
  checkNumber('selectEDUs(): maxDepth', maxDepth);
  const isPlace = (place: number) => Number.isInteger(place) && place >= 0 && place < edus.length;
  const isSelected = native.selectEDUs(
    edus.map(({ text }: Foreign) => text.length),
    edus.map(({ score }: Foreign) => score),
    edus.map(({ dependsOn }: Foreign) => (Array.isArray(dependsOn) ? dependsOn.filter(isPlace) : [])),
    budget,
    // There are no more levels than units.
    Math.max(0, Math.min(edus.length, Math.floor(maxDepth) || 0)),
  );
  return edus.filter((_, place: number) => isSelected[place]);
}

/** See `index.d.ts`. */
export function summarizeWithEDUs(text: string, budget: number, scorer: Foreign) {
  checkString('summarizeWithEDUs(): text', text);
  checkNumber('summarizeWithEDUs(): budget', budget);
  checkScorer('summarizeWithEDUs(): scorer', scorer);
  if (!scorer) return native.summarizeWithEDUs(text, budget);
  const selected = selectEDUs(scoreEDUs(segmentEDUs(text), scorer), budget);
  return selected.map((edu: Foreign) => edu.text).join(' ') || text.slice(0, budget).trim();
}

function scoreOf(text: string, scorer: Foreign) {
  const score = scorer(text);
  if (typeof score !== 'number') throw new TypeError(`scorer must return a number, got ${describe(score)}`);
  return score;
}

function checkEDUs(name: string, edus: readonly Foreign[]) {
  checkArray(name, edus);
  const wrong = edus.findIndex((edu: Foreign) => typeof edu?.text !== 'string');
  if (wrong >= 0) throw mismatch(`${name}[${wrong}].text`, 'a string', edus[wrong]?.text);
}

function checkScorer(name: string, scorer: Foreign) {
  if (scorer !== undefined && scorer !== null) checkFunction(name, scorer);
}
