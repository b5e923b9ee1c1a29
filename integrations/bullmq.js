// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('bullmq');
module.exports = require('../lib/integrations/bullmq.js');
