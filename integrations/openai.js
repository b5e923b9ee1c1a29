// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('openai', {
  openai: () => require.resolve('openai/package.json'),
});
module.exports = require('../lib/integrations/openai.js');
