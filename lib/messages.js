// @ts-check
'use strict';

const { mismatch } = require('./checks.js');

/** A text is a message's content if that is a string, else empty: parts, `null` and nothing have no text. */
const textOf = (message) => (typeof message.content === 'string' ? message.content : '');

/** An id as a text; undefined where it can't be one, such as an object without a prototype. */
function nameOf(id) {
  if (typeof id === 'string') return id;
  try {
    return String(id);
  } catch {
    return undefined;
  }
}

/** Throws the documented TypeErrors for what is no array of messages. */
function checkMessages(messages, caller) {
  if (!Array.isArray(messages)) throw new TypeError(`${caller}(): messages must be an array`);
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (message === null || typeof message !== 'object') {
      throw new TypeError(`${caller}(): messages[${index}] must be an object`);
    }
    if (message.id === null || message.id === undefined) {
      throw new TypeError(`${caller}(): messages[${index}] is missing required field "id"`);
    }
    if (nameOf(message.id) === undefined) throw mismatch(`${caller}(): messages[${index}].id`, 'a string', message.id);
  }
}

module.exports = { checkMessages, nameOf, textOf };
