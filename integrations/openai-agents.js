// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('openai-agents');
module.exports = require('../lib/integrations/openai-agents.js');
