// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('google-adk', {
  '@google/adk': () => require.resolve('@google/adk/package.json'),
});
module.exports = require('../lib/integrations/google-adk.js');
