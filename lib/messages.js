'use strict';

/** A text is a message's content if that is a string, else empty: parts, `null` and nothing have no text. */
const textOf = (message) => (typeof message.content === 'string' ? message.content : '');

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
  }
}

module.exports = { checkMessages, textOf };
