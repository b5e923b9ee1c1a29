// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('openai-agents', {
  '@openai/agents': () => require.resolve('@openai/agents/package.json'),
});
module.exports = require('../lib/integrations/openai-agents.js');
