// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('gemini', {
  '@google/genai': () => require.resolve('@google/genai/package.json'),
});
module.exports = require('../lib/integrations/gemini.js');
