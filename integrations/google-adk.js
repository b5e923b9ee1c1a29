// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('google-adk');
module.exports = require('../lib/integrations/google-adk.js');
