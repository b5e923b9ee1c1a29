// @ts-check
'use strict';

/** @import { Foreign, Problems } from '../types.d.ts' */
// The messages of `compress`, which requires only an id.

const { show } = require('./shapes.js');

/**
 * @param {readonly Foreign[]} messages
 * @param {Problems} problems
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
