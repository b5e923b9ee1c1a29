'use strict';
class Summaries {}
module.exports = { Summaries };
