// Written by scripts/entries.mjs.
'use strict';

require('../lib/integrations/peer.js').checkPeers('langchain', {
  langchain: () => require.resolve('langchain/package.json'),
  '@langchain/langgraph': () => require.resolve('@langchain/langgraph/package.json'),
});
module.exports = require('../lib/integrations/langchain.js');
