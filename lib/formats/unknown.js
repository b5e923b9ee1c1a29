// @ts-check
'use strict';

/** @import { Foreign, Format } from '../types.d.ts' */

const { types } = require('node:util');
const { whatIs } = require('../given.js');
const { misplaced } = require('../places.js');
const { shapeOf } = require('./shape.js');

const noObject = (message, index) => misplaced(`messages[${index}] must be an object, got ${whatIs(message, 'message')}`);

/**
 * The error for a message of no format, or of another one than those before it.
 *
 * @param {readonly Pick<Format, 'name' | 'recognises'>[]} formats all that there are
 * @param {Foreign} message
 * @param {number} index
 * @param {readonly Pick<Format, 'name' | 'recognises'>[]} before
 * @param {Map<unknown, number>} shows
 */
function unknownFormat(formats, message, index, before, shows) {
  // No format recognises a promise.
  if (types.isPromise(message)) return noObject(message, index);
  const fits = formats.filter((format) => format.recognises(message) !== 'no').map(({ name }) => name);
  if (fits.length === 0) {
    const known = whatIs(message, 'message');
    return misplaced(
      `messages[${index}] ${known === 'object' ? `is of no known format: ${shapeOf(message)}` : `must be a message, got ${known}`}`,
    );
  }
  const known = before.filter((format) => shows.has(format));
  const names = (known.length > 0 ? known : before).map(({ name }) => name).join(' or ');
  return misplaced(`messages[${index}] is ${fits.join(' or ')}, but the messages before it are ${names}: ${shapeOf(message)}`);
}

module.exports = { noObject, unknownFormat };
