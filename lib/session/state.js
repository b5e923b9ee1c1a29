// @ts-check
'use strict';

const { History } = require('./history.js');
const { Sent } = require('./sent.js');

/**
 * @typedef {object} Request
 * @property {object[]} messages
 * @property {number} tokens as they are counted here
 * @property {number | undefined} time
 * @property {number} reused tokens that the request before had as well
 * @property {number} surplus tokens above those that an epoch leaves
 */

/**
 * State of a session between two requests. It is immutable: a step makes a new one, and a step that fails changes nothing.
 *
 * @typedef {object} State
 * @property {import('../types.d.ts').Format} format
 * @property {boolean} isFormatShown a message or an option determined the format
 * @property {import('../types.d.ts').Counter} counter
 * @property {import('../types.d.ts').History} history
 * @property {import('../types.d.ts').Sent} sent
 * @property {Request} last the last request
 * @property {ReadonlySet<string>} seen fingerprints of all signed thinking that was ever in the history
 * @property {number} carried cost of carrying the surplus since the last epoch
 * @property {number | undefined} cutOff if the history differs from the saved one: number of messages that `sent` covers for certain
 * @property {number} floor tokens that the last epoch left if it missed its target; otherwise 0
 */
/**
 * The state before the first request, which brings the format and its counter.
 *
 * @type {State}
 */
const START = {
  format: /** @type {any} */ (undefined),
  isFormatShown: false,
  counter: /** @type {any} */ (undefined),
  history: new History(),
  sent: new Sent(),
  last: { messages: [], tokens: 0, time: undefined, reused: 0, surplus: 0 },
  seen: new Set(),
  carried: 0,
  floor: 0,
  cutOff: undefined,
};

module.exports = { START };
