// @ts-check
'use strict';

/** Errors about a place in the messages without the function's name, because several functions share the code that throws them. */
const unnamed = new WeakSet();

/**
 * An error about a place in the messages.
 *
 * @param {string} text begins with the place: `messages[14].content[2].input`
 * @param {{ cause?: unknown }} [options]
 */
function misplaced(text, options) {
  const error = new TypeError(text, options);
  if (text.startsWith('messages')) unnamed.add(error);
  return error;
}

/**
 * Puts the function's name before an error of {@link misplaced}; any other error is left as it is.
 *
 * @param {string} caller
 * @param {unknown} error
 */
function withCaller(caller, error) {
  if (error instanceof TypeError && unnamed.delete(error)) {
    const text = `${caller}(): ${error.message}`;
    error.stack = error.stack?.replace(error.message, () => text);
    error.message = text;
  }
  return error;
}

/**
 * A function whose errors about places in the messages begin with its name, like all others.
 *
 * @template {any[]} A
 * @template T
 * @param {string} caller
 * @param {(...args: A) => T} work
 * @returns {(...args: A) => T}
 */
function named(caller, work) {
  const wrapped = (/** @type {A} */ ...args) => {
    try {
      return work(...args);
    } catch (error) {
      throw withCaller(caller, error);
    }
  };
  return Object.defineProperties(wrapped, { name: { value: work.name }, length: { value: work.length } });
}

module.exports = { misplaced, named, withCaller };
