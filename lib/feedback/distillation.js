'use strict';

const { textOf } = require('../messages.js');

/** See `index.d.ts`. */
function createDistillationPairs({ messages, verbatim }) {
  const pairs = [];
  for (const message of messages) {
    const ids = message.metadata?._cce_original?.ids;
    if (!Array.isArray(ids)) continue;
    const originals = ids.filter((id) => Object.hasOwn(verbatim, id)).map((id) => textOf(verbatim[id]));
    const input = originals.join('\n');
    const output = textOf(message);
    if (input !== '' && output !== '' && input !== output) pairs.push({ input, output });
  }
  return pairs;
}

module.exports = { createDistillationPairs };
