'use strict';
module.exports = {
  ...require('./lib/compress.js'),
  ...require('./lib/uncompress.js'),
  ...require('./lib/llm/index.js'),
};
