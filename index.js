'use strict';

const { compress } = require('./lib/compress.js');
const { uncompress } = require('./lib/uncompress.js');
const { classifyMessage } = require('./lib/classify.js');

/** What only some programs call is read when it is called. */
const countTokens = (input, options) => require('./lib/tokens/index.js').countTokens(input, options);
const prune = (messages, options) => require('./lib/agent/prune.js').prune(messages, options);
const restore = (messages, originals) => require('./lib/agent/restore.js').restore(messages, originals);
const validate = (messages, options) => require('./lib/validate/index.js').validate(messages, options);

module.exports = {
  compress,
  uncompress,
  classifyMessage,
  countTokens,
  prune,
  restore,
  validate,
  ...require('./lib/analysis.js'),
  ...require('./lib/llm/index.js'),
};
