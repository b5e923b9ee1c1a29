// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('express');
module.exports = require('../lib/integrations/express.js');
