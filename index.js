'use strict';

const { compress } = require('./lib/compress.js');
const { uncompress } = require('./lib/uncompress.js');
const { classifyMessage } = require('./lib/classify.js');
const { restore } = require('./lib/agent/restore.js');

module.exports = { compress, uncompress, classifyMessage, restore, ...require('./lib/analysis.js'), ...require('./lib/llm/index.js') };
