// @ts-check
'use strict';

// Helpers that turn a call to an LLM into the callbacks that `compress` takes.
module.exports = {
  ...require('./summarizer.js'),
  ...require('./classifier.js'),
};
