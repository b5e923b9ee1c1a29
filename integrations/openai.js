// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('openai');
module.exports = require('../lib/integrations/openai.js');
