'use strict';

const { textOf } = require('./messages.js');
const native = require('./native.js');

// What a message is to the engine's pass over tool results; `src/node/prepass.rs` reads them.
const OTHER = 0;
const SAID = 1;
const TRIMMABLE = 2;
const TOOL = 3;

/**
 * Trims tool results that the agent will not need again. Those of preserved roles, with tool calls of their own or that
 * already stand for others stay.
 *
 * @returns the conversation with copies in the place of what was trimmed, how many these are, how many UTF-16 code units
 *   they are shorter altogether, and what they were
 */
function trimToolResults(messages, preserve) {
  const kinds = Uint8Array.from(messages, (message) => kindOf(message, preserve));
  if (!kinds.includes(TRIMMABLE)) return { messages, count: 0, removed: 0 };
  // Of other messages those are read that may say what a tool is to do.
  const isRead = (index) => kinds[index] !== OTHER || kinds[index + 1] === TRIMMABLE;
  const texts = messages.map((message, index) => (isRead(index) ? textOf(message) : ''));
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  const trimmed = native.trimToolResults(texts, kinds, Math.min(units, 0xffffffff), answeredCalls(messages));
  const working = trimmed.length > 0 ? messages.slice() : messages;
  let removed = 0;
  for (const { index, text } of trimmed) {
    working[index] = { ...messages[index], content: text };
    removed += texts[index].length - text.length;
  }
  const untrimmed = {
    indices: Uint32Array.from(trimmed, ({ index }) => index),
    texts: trimmed.map(({ index }) => texts[index]),
  };
  return { messages: working, count: trimmed.length, removed, untrimmed };
}

function kindOf({ role, content, tool_calls: calls, metadata }, preserve) {
  if (role === 'assistant') return SAID;
  if (role !== 'tool' && role !== 'function') return OTHER;
  const stays = preserve.has(role) || (Array.isArray(calls) && calls.length > 0) || metadata?._cce_original !== undefined;
  return typeof content === 'string' && content !== '' && !stays ? TRIMMABLE : TOOL;
}

/** The calls that a later message answers, as the APIs of OpenAI and others write them. */
function answeredCalls(messages) {
  const answered = [];
  const pending = new Map();
  messages.forEach(({ tool_calls: calls, tool_call_id: id }, index) => {
    if (id !== undefined && id !== null && pending.has(id)) {
      answered.push({ ...pending.get(id), answer: index });
      pending.delete(id);
    }
    if (!Array.isArray(calls)) return;
    for (const call of calls) {
      const name = call?.function?.name ?? call?.name;
      const given = call?.function?.arguments ?? call?.arguments ?? call?.args ?? call?.input;
      if (typeof name === 'string' && given !== undefined) pending.set(call.id, { name, arguments: jsonOf(given) });
    }
  });
  return answered;
}

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
function reportTrimmed({ count, removed }, given, { messages, compression, tokenCount }, tokensOf) {
  if (count > 0) {
    const units = (list) => list.reduce((sum, message) => sum + textOf(message).length, 0);
    const share = (before, after) => (after > 0 ? before / after : 1);
    compression.ratio = share(units(given), units(messages));
    compression.token_ratio = share(tokensOf(given), tokenCount ?? tokensOf(messages));
  }
  compression.messages_tool_prepass_trimmed = count;
  compression.chars_tool_prepass_removed = removed;
}

module.exports = { reportTrimmed, trimToolResults };
