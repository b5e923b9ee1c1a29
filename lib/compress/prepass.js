'use strict';

const { MESSAGE_COLUMN, MESSAGE_FLAG, TURN_KIND } = require('../generated/layout.js');
const { textOf } = require('../messages.js');
const native = require('../native.js');

const { ANSWERS_TOOL_CALL, TOOL_CALLS } = MESSAGE_FLAG;

/**
 * Trims tool results that the agent will not need again, in `gathered` too. Those of preserved roles, with tool calls of their
 * own or that already stand for others stay.
 *
 * @returns the messages with copies in the place of what was trimmed, how many these are, how many UTF-16 code units all
 *   messages had and how many these are shorter altogether; and what the engine has read, if it had to
 */
function trimToolResults(messages, gathered, preserve) {
  const { texts, ids, columns } = gathered;
  const kinds = kindsOf(messages, gathered, preserve);
  if (!kinds.includes(TURN_KIND.trimmable)) return { messages, count: 0, removed: 0 };
  const { results, conversation } = native.trimToolResults(texts, ids, columns, kinds, answeredCalls(messages, gathered));
  const lengths = columnOf(columns, MESSAGE_COLUMN.LENGTH, messages.length);
  const units = lengths.reduce((sum, length) => sum + length, 0);
  const working = results.length > 0 ? messages.slice() : messages;
  let removed = 0;
  for (const { index, text } of results) {
    working[index] = { ...messages[index], content: text };
    removed += lengths[index] - text.length;
    texts[index] = text;
    lengths[index] = text.length;
  }
  return { messages: working, count: results.length, units, removed, conversation };
}

/** One of the columns, each as long as there are messages. */
const columnOf = (columns, place, count) => columns.subarray(place * count, (place + 1) * count);

function kindsOf(messages, { texts, columns }, preserve) {
  const count = messages.length;
  const flags = columnOf(columns, MESSAGE_COLUMN.FLAGS, count);
  const kinds = new Uint8Array(count);
  for (let index = 0; index < count; index++) {
    const { role, metadata } = messages[index];
    if (role === 'assistant') kinds[index] = TURN_KIND.assistant;
    else if (role === 'tool' || role === 'function') {
      const calls = flags[index] & TOOL_CALLS;
      const stays = calls || preserve.has(role) || texts[index] === '' || metadata?._cce_original !== undefined;
      kinds[index] = stays ? TURN_KIND.tool : TURN_KIND.trimmable;
    }
  }
  return kinds;
}

/** The calls that a later message answers, as the APIs of OpenAI and others write them. */
function answeredCalls(messages, { columns }) {
  const answered = { names: [], arguments: [], answers: [] };
  const pending = new Map();
  const flags = columnOf(columns, MESSAGE_COLUMN.FLAGS, messages.length);
  messages.forEach((message, index) => {
    if (flags[index] & ANSWERS_TOOL_CALL) {
      const call = pending.get(message.tool_call_id);
      if (call !== undefined) {
        answered.names.push(call.name);
        answered.arguments.push(jsonOf(call.given));
        answered.answers.push(index);
        pending.delete(message.tool_call_id);
      }
    }
    if (!(flags[index] & TOOL_CALLS)) return;
    for (const call of message.tool_calls) {
      if (!isObject(call)) continue;
      const called = isObject(call.function) ? call.function : {};
      const name = called.name ?? call.name;
      const given = called.arguments ?? call.arguments ?? call.args ?? call.input;
      if (typeof name === 'string' && given !== undefined) pending.set(call.id, { name, given });
    }
  });
  return { ...answered, answers: Uint32Array.from(answered.answers) };
}

const isObject = (value) => value !== null && typeof value === 'object';

function jsonOf(value) {
  try {
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  } catch {
    return ''; // what JSON can't hold is no argument that we know
  }
}

/**
 * Says in the statistics of a result what was trimmed, and has the ratios compare it with the conversation as it was given:
 * the engine knows only the trimmed one.
 */
function reportTrimmed({ count, units, removed }, given, { messages, compression, tokenCount }, tokensOf) {
  if (count > 0) {
    const share = (before, after) => (after > 0 ? before / after : 1);
    compression.ratio = share(
      units,
      messages.reduce((sum, message) => sum + textOf(message).length, 0),
    );
    compression.token_ratio = share(tokensOf(given), tokenCount ?? tokensOf(messages));
  }
  compression.messages_tool_prepass_trimmed = count;
  compression.chars_tool_prepass_removed = removed;
}

module.exports = { reportTrimmed, trimToolResults };
