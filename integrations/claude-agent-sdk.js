// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('claude-agent-sdk', {
  '@anthropic-ai/claude-agent-sdk': () => require.resolve('@anthropic-ai/claude-agent-sdk/package.json'),
});
module.exports = require('../lib/integrations/claude-agent-sdk.js');
