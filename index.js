'use strict';

const { compress } = require('./lib/compress.js');
const { uncompress } = require('./lib/uncompress.js');
const { classifyMessage } = require('./lib/classify.js');
const { countTokens } = require('./lib/tokens/index.js');

module.exports = { compress, uncompress, classifyMessage, countTokens, ...require('./lib/analysis.js'), ...require('./lib/llm/index.js') };
