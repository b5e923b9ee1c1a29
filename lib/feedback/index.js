// @ts-check
'use strict';

// What can be learned from how an agent did with a compressed history: which terms a summarizer should keep, which it
// need not, and pairs of texts to train one with.
module.exports = {
  ...require('./collector.js'),
  ...require('./refine.js'),
  ...require('./distillation.js'),
};
