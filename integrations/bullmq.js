// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('bullmq', {
  bullmq: () => require.resolve('bullmq/package.json'),
});
module.exports = require('../lib/integrations/bullmq.js');
