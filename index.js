'use strict';
module.exports = {
  ...require('./lib/compress.js'),
};
