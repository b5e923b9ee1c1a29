// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('anthropic');
module.exports = require('../lib/integrations/anthropic.js');
