// @ts-check
'use strict';

const { checkMessageList, checkString } = require('./checks.js');
const { textOf } = require('./messages.js');
const native = require('./native.js');

/** See `index.d.ts`. */
function scoreContentSignals(content) {
  checkString('scoreContentSignals(): content', content);
  return native.scoreContentSignals(content);
}

/** See `index.d.ts`. */
function computeImportance(messages) {
  checkMessageList('computeImportance(): messages', messages);
  return new Map(native.computeImportance(messages.map(textOf)).entries());
}

module.exports = { computeImportance, scoreContentSignals };
