'use strict';
const withBreakpoints = (messages) => messages;
module.exports = { withBreakpoints };
