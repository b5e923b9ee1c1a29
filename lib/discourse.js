'use strict';

const { checkText } = require('./analysis.js');
const { describe } = require('./arguments.js');
const native = require('./native.js');

/** See `index.d.ts`. */
function segmentEDUs(text) {
  checkText(text, 'segmentEDUs');
  return native.segmentEDUs(text).map(({ text: clause, dependsOnLast }, index) => {
    return { text: clause, index, dependsOn: dependsOnLast ? [index - 1] : [], score: 0 };
  });
}

/** See `index.d.ts`. */
function scoreEDUs(edus, scorer) {
  checkEDUs(edus, 'scoreEDUs');
  checkScorer(scorer, 'scoreEDUs');
  const texts = edus.map(({ text }) => text);
  const scores = scorer ? texts.map((text) => scoreOf(text, scorer)) : native.scoreEDUs(texts);
  return edus.map((edu, place) => ({ ...edu, score: scores[place] }));
}

/** See `index.d.ts`. */
function selectEDUs(edus, budget, maxDepth = 2) {
  checkEDUs(edus, 'selectEDUs');
  checkNumber(budget, 'selectEDUs', 'budget');
  checkNumber(maxDepth, 'selectEDUs', 'maxDepth');
  const isPlace = (place) => Number.isInteger(place) && place >= 0 && place < edus.length;
  const isSelected = native.selectEDUs(
    edus.map(({ text }) => text.length),
    edus.map(({ score }) => Number(score)),
    edus.map(({ dependsOn }) => (Array.isArray(dependsOn) ? dependsOn.filter(isPlace) : [])),
    budget,
    // There are no more levels than units.
    Math.max(0, Math.min(edus.length, Math.floor(maxDepth) || 0)),
  );
  return edus.filter((_, place) => isSelected[place]);
}

/** See `index.d.ts`. */
function summarizeWithEDUs(text, budget, scorer) {
  checkText(text, 'summarizeWithEDUs');
  checkNumber(budget, 'summarizeWithEDUs', 'budget');
  checkScorer(scorer, 'summarizeWithEDUs');
  if (!scorer) return native.summarizeWithEDUs(text, budget);
  const selected = selectEDUs(scoreEDUs(segmentEDUs(text), scorer), budget);
  return selected.map((edu) => edu.text).join(' ') || text.slice(0, budget).trim();
}

function scoreOf(text, scorer) {
  const score = scorer(text);
  if (typeof score !== 'number') throw new TypeError(`scorer must return a number, got ${describe(score)}`);
  return score;
}

function checkEDUs(edus, caller) {
  if (!Array.isArray(edus)) throw new TypeError(`${caller}(): edus must be an array, got ${describe(edus)}`);
  const wrong = edus.findIndex((edu) => typeof edu?.text !== 'string');
  if (wrong >= 0) throw new TypeError(`${caller}(): edus[${wrong}].text must be a string`);
}

function checkScorer(scorer, caller) {
  if (scorer === undefined || scorer === null || typeof scorer === 'function') return;
  throw new TypeError(`${caller}(): scorer must be a function, got ${describe(scorer)}`);
}

function checkNumber(value, caller, name) {
  if (typeof value !== 'number') throw new TypeError(`${caller}(): ${name} must be a number, got ${describe(value)}`);
}

module.exports = { scoreEDUs, segmentEDUs, selectEDUs, summarizeWithEDUs };
