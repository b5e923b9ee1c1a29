// @ts-check
'use strict';

const { isUnawaited } = require('../promises.js');

/**
 * What the engine asks the adapters of a call. Each text is taken apart once, however often its route is looked at. What
 * an adapter throws is passed on; an answer of the wrong kind is told to `fallBack`, and the text then goes the way that it
 * would go without adapters or, once it has been summarised, stays as it is.
 */
function askAdapters(adapters, texts, fallBack) {
  const found = new Map();

  function takeApart(text) {
    if (text === '') return undefined;
    const number = adapters.findIndex((adapter) => settled(adapter.detect(text), fallBack));
    if (number < 0) return undefined;
    const preserved = settled(adapters[number].extractPreserved(text), fallBack);
    const compressible = settled(adapters[number].extractCompressible(text), fallBack);
    if (isListOfStrings(preserved) && isListOfStrings(compressible)) {
      return { number, preserved, prose: compressible.join(' ') };
    }
    fallBack();
    return undefined;
  }

  return {
    /** The number of the adapter that has taken the text at `index` apart, or -1. */
    findAdapter(index) {
      if (!found.has(index)) found.set(index, takeApart(texts[index]));
      return found.get(index)?.number ?? -1;
    },
    /** What is to be summarised of it. */
    adaptedProse: (index) => found.get(index).prose,
    /** The new text with a summary of that, if there is one. */
    reconstruct(index, summary) {
      const { number, preserved } = found.get(index);
      const text = settled(adapters[number].reconstruct(preserved, summary), fallBack);
      return typeof text === 'string' && text !== '' ? text : fallBack();
    },
  };
}

/** An answer, or nothing where it is a promise: adapters answer at once. */
function settled(answer, fallBack) {
  return isUnawaited(answer) ? fallBack() : answer;
}

const isListOfStrings = (value) => Array.isArray(value) && value.every((element) => typeof element === 'string');

module.exports = { askAdapters };
