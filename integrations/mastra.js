// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('mastra', {
  '@mastra/core': () => require.resolve('@mastra/core/package.json'),
});
module.exports = require('../lib/integrations/mastra.js');
