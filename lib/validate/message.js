// @ts-check
'use strict';
// The messages of `compress`, which requires only an id.

const { show } = require('./shapes.js');

/**
 * @param {readonly import('../types.d.ts').Foreign[]} messages
 * @param {import('../types.d.ts').Problems} problems
 */
function check(messages, problems) {
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (message === null || typeof message !== 'object') {
      problems.add('message-shape', [index], `a message has to be an object, not ${show(message)}`);
    } else if (message.id === null || message.id === undefined) {
      problems.add('missing-id', [index], 'the message has no id');
    }
  }
}

module.exports = { check };
