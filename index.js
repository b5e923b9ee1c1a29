'use strict';

const { compress } = require('./lib/compress.js');
const { uncompress } = require('./lib/uncompress.js');
const { classifyMessage } = require('./lib/classify.js');
const { validate } = require('./lib/validate/index.js');

module.exports = { compress, uncompress, classifyMessage, validate, ...require('./lib/analysis.js'), ...require('./lib/llm/index.js') };
