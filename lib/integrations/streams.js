// @ts-check
'use strict';

/** @import { Foreign } from '../types.d.ts' */

/**
 * Watches what a reader takes from an iterator, without reading anything itself: only the iterator's own methods are replaced, so it stays
 * the same object, and errors and its end come as before.
 *
 * @template {AsyncIterator<Foreign>} T
 * @param {T} iterator
 * @param {(value: Foreign) => void} see is called for each value, before the reader gets it
 * @param {() => void} end is called at the end, at an error, and if the reader stops
 * @returns {T}
 */
function watch(iterator, see, end) {
  const { next, return: close } = iterator;
  iterator.next = async (...given) => {
    try {
      const result = await next.apply(iterator, given);
      if (result.done) end();
      else see(result.value);
      return result;
    } catch (error) {
      end();
      throw error;
    }
  };
  if (close !== undefined) {
    iterator.return = (value) => {
      end();
      return close.call(iterator, value);
    };
  }
  return iterator;
}

/**
 * Watches an iterator for the usage that a stream reports: the last one counts. A value that can't be read is passed on all the same.
 *
 * @template {AsyncIterator<Foreign>} T
 * @param {T} iterator
 * @param {(value: Foreign) => Foreign} usageOf returns the usage in a value of the stream, if it has one
 * @param {{ observe: (usage: Foreign) => void, look: import('./core.js').Turn['look'] }} turn `observe` is called once
 * @returns {T}
 */
function watchUsage(iterator, usageOf, { observe, look }) {
  let usage;
  const end = () => {
    if (usage === undefined) return;
    observe(usage);
    usage = undefined;
  };
  const see = (value) => (usage = look(() => usageOf(value ?? {})) ?? usage);
  return look(() => watch(iterator, see, end)) ?? iterator;
}

module.exports = { watchUsage };
