'use strict';

const { checkMessageList, checkText } = require('./analysis.js');
const { textOf } = require('./messages.js');
const native = require('./native.js');

/** See `index.d.ts`. */
function scoreContentSignals(content) {
  checkText(content, 'scoreContentSignals');
  return native.scoreContentSignals(content);
}

/** See `index.d.ts`. */
function computeImportance(messages) {
  checkMessageList(messages, 'computeImportance');
  return new Map(native.computeImportance(messages.map(textOf)).entries());
}

module.exports = { computeImportance, scoreContentSignals };
