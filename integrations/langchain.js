// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('langchain');
module.exports = require('../lib/integrations/langchain.js');
