'use strict';

const { textOf } = require('./messages.js');

// Bits of a message's flags; the number of its role stands above them. `src/node/conversation.rs` reads them.
const PRESERVED_ROLE = 1;
const TOOL_CALLS = 2;
const ANSWERS_TOOL_CALL = 4;
const STRING_ID = 8;
const ROLE_UNIT = 16;

/**
 * Flattens messages into what the engine reads in one call: reading properties is ten times cheaper here than from
 * native code.
 */
function gatherMessages(messages, preserve, tokens) {
  const count = messages.length;
  const texts = new Array(count);
  const ids = new Array(count);
  const lengths = new Uint32Array(count);
  const idEnds = new Uint32Array(count);
  const flags = new Uint32Array(count);
  const roles = new Map();
  let idUnits = 0;
  for (let index = 0; index < count; index++) {
    const message = messages[index];
    const text = textOf(message);
    texts[index] = text;
    lengths[index] = text.length;
    const id = message.id;
    const idText = typeof id === 'string' ? id : String(id);
    ids[index] = idText;
    idUnits += idText.length;
    idEnds[index] = idUnits;
    const role = message.role;
    let flag = roles.get(role);
    if (flag === undefined) {
      const isPreserved = typeof role === 'string' && role !== '' && preserve.has(role);
      flag = roles.size * ROLE_UNIT + (isPreserved ? PRESERVED_ROLE : 0);
      roles.set(role, flag);
    }
    const calls = message.tool_calls;
    if (Array.isArray(calls) && calls.length > 0) flag |= TOOL_CALLS;
    if (message.tool_call_id !== undefined && message.tool_call_id !== null) flag |= ANSWERS_TOOL_CALL;
    flags[index] = typeof id === 'string' ? flag | STRING_ID : flag;
  }
  return { texts, lengths, ids: ids.join(''), idEnds, flags, tokens };
}

module.exports = { gatherMessages };
