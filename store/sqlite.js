// Written by scripts/entries.mjs.
'use strict';

module.exports = require('../lib/store/sqlite.js');
