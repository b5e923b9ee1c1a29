// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('mastra');
module.exports = require('../lib/integrations/mastra.js');
