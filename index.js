'use strict';

const { compress } = require('./lib/compress.js');
const { uncompress } = require('./lib/uncompress.js');
const { classifyMessage } = require('./lib/classify.js');
const { restore } = require('./lib/agent/restore.js');


/** What only few programs call is read when it is called. */
const countTokens = (input, options) => require('./lib/tokens/index.js').countTokens(input, options);

module.exports = { compress, uncompress, classifyMessage, countTokens, restore, ...require('./lib/analysis.js'), ...require('./lib/llm/index.js') };
