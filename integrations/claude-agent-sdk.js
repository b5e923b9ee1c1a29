// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('claude-agent-sdk');
module.exports = require('../lib/integrations/claude-agent-sdk.js');
