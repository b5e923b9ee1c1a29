// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('gemini');
module.exports = require('../lib/integrations/gemini.js');
