'use strict';

const { describe } = require('./arguments.js');

/** From which confidence on a verdict on a token is followed. */
const MIN_CONFIDENCE = 0.5;

/** Splits a text at white space. */
function whitespaceTokenize(text) {
  if (typeof text !== 'string') throw new TypeError(`whitespaceTokenize(): text must be a string, got ${describe(text)}`);
  return text.split(/\s+/).filter(Boolean);
}

/** A classifier for tests: keeps the words in which one of the patterns is found. */
function createMockTokenClassifier(patterns, confidence = 0.9) {
  if (!Array.isArray(patterns)) {
    throw new TypeError(`createMockTokenClassifier(): patterns must be an array, got ${describe(patterns)}`);
  }
  const isWanted = (token) => patterns.some((pattern) => pattern.test(token));
  return (content) => whitespaceTokenize(content).map((token) => ({ token, keep: isWanted(token), confidence }));
}

const isThenable = (value) => value !== null && typeof value === 'object' && typeof value.then === 'function';

/**
 * The text that is left when the tokens that are to go are gone: those that the classifier surely wants gone, and those
 * that it hardly wants kept.
 *
 * @throws {TypeError} the classification is no array of `{ token, keep, confidence }`
 */
function keptText(classification, minConfidence = MIN_CONFIDENCE) {
  if (!Array.isArray(classification)) {
    throw new TypeError(`the token classifier must return an array of { token, keep, confidence }, got ${describe(classification)}`);
  }
  const kept = [];
  for (let index = 0; index < classification.length; index++) {
    const entry = classification[index];
    if (typeof entry?.token !== 'string' || typeof entry.confidence !== 'number') {
      throw new TypeError(`the token classifier must return { token, keep, confidence } at [${index}], got ${describe(entry)}`);
    }
    if (Boolean(entry.keep) === (entry.confidence >= minConfidence)) kept.push(entry.token);
  }
  return tidied(kept.join(' '));
}

const CLOSING = new Set('.,;:!?)]}');
const OPENING = new Set('([{');

/** No blanks before what closes or behind what opens, and one where there are several. */
function tidied(text) {
  // One pattern that never goes back: on a long run of blanks each other one would start over at each of them.
  const spaced = text.replace(/\s+/g, (blanks, at) => {
    if (CLOSING.has(text[at + blanks.length]) || OPENING.has(text[at - 1])) return '';
    return blanks.length > 1 ? ' ' : blanks;
  });
  return spaced.trim();
}

/** See `index.d.ts`. */
function compressWithTokenClassifierSync(content, classifier, minConfidence) {
  const classification = classifier(content);
  if (classification instanceof Promise) {
    classification.catch(() => {});
    throw new Error('compressWithTokenClassifierSync(): the token classifier returned a promise; use compressWithTokenClassifier()');
  }
  return keptText(classification, minConfidence);
}

/** See `index.d.ts`. */
async function compressWithTokenClassifier(content, classifier, minConfidence) {
  return keptText(await classifier(content), minConfidence);
}

module.exports = {
  compressWithTokenClassifier,
  compressWithTokenClassifierSync,
  createMockTokenClassifier,
  isThenable,
  keptText,
  whitespaceTokenize,
};
