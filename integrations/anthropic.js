// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('anthropic', {
  '@anthropic-ai/sdk': () => require.resolve('@anthropic-ai/sdk/package.json'),
});
module.exports = require('../lib/integrations/anthropic.js');
