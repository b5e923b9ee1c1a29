// @ts-check
'use strict';

const { isUnawaited } = require('./promises.js');
const { checkArray, checkFunction, checkNumber, checkString, describe, mismatch } = require('./checks.js');

/** From which confidence on a verdict on a token is followed. */
const MIN_CONFIDENCE = 0.5;

/** Splits a text at white space. */
function whitespaceTokenize(text) {
  checkString('whitespaceTokenize(): text', text);
  return text.split(/\s+/).filter(Boolean);
}

/** A classifier for tests: keeps the words in which one of the patterns is found. */
function createMockTokenClassifier(patterns, confidence = 0.9) {
  checkArray('createMockTokenClassifier(): patterns', patterns);
  const wrong = patterns.findIndex((pattern) => typeof pattern?.test !== 'function');
  if (wrong >= 0) throw mismatch(`createMockTokenClassifier(): patterns[${wrong}]`, 'a RegExp', patterns[wrong]);
  checkNumber('createMockTokenClassifier(): confidence', confidence);
  const isWanted = (token) => patterns.some((pattern) => pattern.test(token));
  return (content) => whitespaceTokenize(content).map((token) => ({ token, keep: isWanted(token), confidence }));
}

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
    const { token, keep, confidence } = classification[index] ?? {};
    if (typeof token !== 'string' || typeof confidence !== 'number') {
      const got = describe(classification[index]);
      throw new TypeError(`the token classifier must return { token, keep, confidence } at [${index}], got ${got}`);
    }
    if (Boolean(keep) === confidence >= minConfidence) kept.push(token);
  }
  return tidied(kept.join(' '));
}

/** No blanks before what closes or behind what opens, and one where there are several. */
function tidied(text) {
  // One pattern that never goes back: on a long run of blanks each other one would start over at each of them. A blank that
  // stays as it is, as nearly all do, is no match: a call for each would take longer than the rest.
  const untidy = /([([{])\s+|\s(?:\s*([.,;:!?)\]}])|\s+)/g;
  return text.replace(untidy, (_, opening, closing) => opening ?? closing ?? ' ').trim();
}

/** See `index.d.ts`. */
function compressWithTokenClassifierSync(content, classifier, minConfidence) {
  checkCall('compressWithTokenClassifierSync', content, classifier, minConfidence);
  const classification = classifier(content);
  if (classification instanceof Promise) {
    classification.catch(() => {});
    throw new Error('compressWithTokenClassifierSync(): the token classifier returned a promise; use compressWithTokenClassifier()');
  }
  return keptText(classification, minConfidence);
}

/** See `index.d.ts`. */
function compressWithTokenClassifier(content, classifier, minConfidence) {
  checkCall('compressWithTokenClassifier', content, classifier, minConfidence);
  return (async () => keptText(await classifier(content), minConfidence))();
}

function checkCall(caller, content, classifier, minConfidence) {
  checkString(`${caller}(): content`, content);
  checkFunction(`${caller}(): classifier`, classifier);
  if (minConfidence !== undefined) checkNumber(`${caller}(): minConfidence`, minConfidence);
}

/**
 * What `compress` asks for a summary where it has a token classifier: the text that is left, or nothing where the
 * classifier failed, gave no classification or left nothing. Each such answer is told to `fallBack`.
 *
 * @throws {Error} from the summary of a call that can't wait: the classifier returned a promise
 */
function tokenSummarizer(classifier, canWait, fallBack) {
  const textOf = (classification) => {
    const text = keptText(classification);
    return text === '' ? fallBack() : text;
  };
  const later = async (classification) => {
    try {
      return textOf(await classification);
    } catch {
      return fallBack();
    }
  };
  return (text) => {
    let classification;
    try {
      classification = classifier(text);
      if (!isPromise(classification)) return textOf(classification);
    } catch {
      return fallBack();
    }
    if (canWait) return later(classification);
    isUnawaited(classification);
    throw new Error('options.mlTokenClassifier returned a promise, and compress() is in sync mode: that takes a summarizer or classifier');
  };
}

const isPromise = (value) => typeof value?.then === 'function';

module.exports = {
  compressWithTokenClassifier,
  compressWithTokenClassifierSync,
  createMockTokenClassifier,
  tokenSummarizer,
  whitespaceTokenize,
};
