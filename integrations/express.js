// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('express', {
  express: () => require.resolve('express/package.json'),
});
module.exports = require('../lib/integrations/express.js');
