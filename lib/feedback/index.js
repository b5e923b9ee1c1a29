// @ts-check
'use strict';

// Conclusions from the outcomes of agents with compressed histories: terms that a summarizer should keep, terms that it need not
// keep, and pairs of texts to train one with.
module.exports = {
  ...require('./collector.js'),
  ...require('./refine.js'),
  ...require('./distillation.js'),
};
