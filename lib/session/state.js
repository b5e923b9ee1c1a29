// @ts-check
'use strict';

const { History } = require('./history.js');
const { Sent } = require('./sent.js');

/**
 * What a session knows between two requests. It is never changed: a step makes another one, and where it fails, nothing has happened.
 *
 * @typedef {object} State
 * @property {import('../types.d.ts').Format} format
 * @property {boolean} isFormatShown a message or an option said that it is this one
 * @property {import('../types.d.ts').Counter} counter
 * @property {import('../types.d.ts').History} history
 * @property {import('../types.d.ts').Sent} sent
 * @property {{ messages: object[], tokens: number, time: number | undefined, reused: number, surplus: number }} last the last request, its tokens as
 *   they are counted here, and of them those that the request before had as well; `surplus`: what it took more than an epoch leaves
 * @property {Set<string>} dropped the fingerprints of signed thinking that was there once
 * @property {number} carried what carrying the surplus has cost since the last epoch
 * @property {number | undefined} cutOff where the history went on in another way when it was saved: how many messages `sent` covers for sure
 * @property {number} floor the tokens that the last epoch left, where it missed its target; otherwise 0
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
  dropped: new Set(),
  carried: 0,
  floor: 0,
  cutOff: undefined,
};

module.exports = { START };
