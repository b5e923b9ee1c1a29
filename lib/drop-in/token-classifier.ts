import { isUnawaited } from '../promises.js';
import { checkArray, checkFunction, checkNumber, checkString, describe, mismatch } from '../checks.js';
import type { MLTokenClassifier, TokenClassification } from '../../index.js';

/** Minimum confidence of a verdict on a token that is followed. */
const MIN_CONFIDENCE = 0.5;

/** Splits a text at white space. */
export function whitespaceTokenize(text: string) {
  checkString('whitespaceTokenize(): text', text);
  return text.split(/\s+/).filter(Boolean);
}

/** Returns a classifier for tests, which keeps the words that match one of the patterns. */
export function createMockTokenClassifier(patterns: RegExp[], confidence = 0.9) {
  checkArray('createMockTokenClassifier(): patterns', patterns);
  const wrong = patterns.findIndex((pattern) => typeof pattern?.test !== 'function');
  if (wrong >= 0) throw mismatch(`createMockTokenClassifier(): patterns[${wrong}]`, 'a RegExp', patterns[wrong]);
  checkNumber('createMockTokenClassifier(): confidence', confidence);
  const isWanted = (token: string) => patterns.some((pattern) => pattern.test(token));
  return (content: string) => whitespaceTokenize(content).map((token) => ({ token, keep: isWanted(token), confidence }));
}

/**
 * Returns the text that remains without the tokens to drop: those that the classifier confidently drops, and those that it keeps
 * without confidence.
 *
 * @throws {TypeError} the classification is no array of `{ token, keep, confidence }`
 */
function keptText(classification: unknown, minConfidence = MIN_CONFIDENCE) {
  if (!Array.isArray(classification)) {
    throw new TypeError(`the token classifier must return an array of { token, keep, confidence }, got ${describe(classification)}`);
  }
  const kept: string[] = [];
  for (let index = 0; index < classification.length; index++) {
    const { token, keep, confidence }: Partial<TokenClassification> = classification[index] ?? {};
    if (typeof token !== 'string' || typeof confidence !== 'number') {
      const got = describe(classification[index]);
      throw new TypeError(`the token classifier must return { token, keep, confidence } at [${index}], got ${got}`);
    }
    if (Boolean(keep) === confidence >= minConfidence) kept.push(token);
  }
  return tidied(kept.join(' '));
}

/** Removes blanks before closing and after opening punctuation, and leaves one of several. */
function tidied(text: string) {
  // One pattern that never backtracks: others would start over at each blank of a long run. A blank that stays as it is, as
  // nearly all do, does not match, because a call for each would take longer than everything else.
  const untidy = /([([{])\s+|\s(?:\s*([.,;:!?)\]}])|\s+)/g;
  return text.replace(untidy, (_, opening?: string, closing?: string) => opening ?? closing ?? ' ').trim();
}

/** See `index.d.ts`. */
export function compressWithTokenClassifierSync(content: string, classifier: MLTokenClassifier, minConfidence: number | undefined) {
  checkCall('compressWithTokenClassifierSync', content, classifier, minConfidence);
  const classification = classifier(content);
  if (classification instanceof Promise) {
    classification.catch(() => {});
    throw new Error('compressWithTokenClassifierSync(): the token classifier returned a promise; use compressWithTokenClassifier()');
  }
  return keptText(classification, minConfidence);
}

/** See `index.d.ts`. */
export function compressWithTokenClassifier(content: string, classifier: MLTokenClassifier, minConfidence: number | undefined) {
  checkCall('compressWithTokenClassifier', content, classifier, minConfidence);
  return (async () => keptText(await classifier(content), minConfidence))();
}

function checkCall(caller: string, content: unknown, classifier: unknown, minConfidence: number | undefined) {
  checkString(`${caller}(): content`, content);
  checkFunction(`${caller}(): classifier`, classifier);
  if (minConfidence !== undefined) checkNumber(`${caller}(): minConfidence`, minConfidence);
}

/**
 * Returns a summarizer made of a token classifier. It returns the text that remains, or undefined if the classifier failed, gave no
 * classification or left nothing; it calls `fallBack` for each of those.
 *
 * @throws {Error} when called: the classifier returned a promise, and the call can't wait
 */
export function tokenSummarizer(classifier: MLTokenClassifier, canWait: boolean, fallBack: () => void): (text: string) => unknown {
  const textOf = (classification: unknown) => {
    const text = keptText(classification);
    return text === '' ? fallBack() : text;
  };
  const later = async (classification: unknown) => {
    try {
      return textOf(await classification);
    } catch {
      return fallBack();
    }
  };
  return (text) => {
    let classification: unknown;
    try {
      classification = classifier(text);
      if (!isPromise(classification)) return textOf(classification);
    } catch {
      return fallBack();
    }
    if (canWait) return later(classification);
    isUnawaited(classification);
    throw new Error(
      'compress(): options.mlTokenClassifier answered with a promise, and sync mode waits for none; with a summarizer or classifier it does',
    );
  };
}

const isPromise = (value: unknown) => typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
