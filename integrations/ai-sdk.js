// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('ai-sdk');
module.exports = require('../lib/integrations/ai-sdk.js');
