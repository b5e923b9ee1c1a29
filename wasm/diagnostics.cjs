'use strict';
// What lib/ uses of node:diagnostics_channel, for runtimes without it: nobody can subscribe.

module.exports = { channel: () => ({ hasSubscribers: false, publish() {} }) };
