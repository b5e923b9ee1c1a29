'use strict';

const { getIn } = require('../formats/copy.js');
const { write } = require('../formats/write.js');
const { fingerprint } = require('./fingerprint.js');
const { OPENING, keyOf } = require('./marker.js');
const { outline } = require('./structure.js');
const { markedKeys } = require('./stubs.js');

/**
 * What `restore` needs, by key; plain JSON as far as the messages are.
 *
 * Every entry names the `round` (one call of `applyEdits`) it was made in, its `step` in it, and how many messages the round
 * left (`length`). A stub's key stands in its marker, so it is found wherever it is:
 *
 *     { round, step, length, places: [{ up, written, value }] }
 *
 * `value` is what stood in a place, `written` the fingerprint of what stands there now, which is `up` levels above the text
 * with the marker. Without `value` there was nothing. What was taken out without a stub is known by what stands around it:
 *
 *     { round, step, length, at, before, after, now, was }
 *
 * The `now.length` messages from `at` on, whose fingerprints are `now`, between those of the fingerprints `before` and
 * `after` (null: the start or the end), stand for the messages that `was` describes (see structure.js).
 *
 * @typedef {Record<string, object>} Originals
 */

/**
 * Makes the engine's edits, and keeps what they take out.
 *
 * @param {object[]} messages
 * @param {object} format the format module to write with
 * @param {(import('../formats/write.js').Edit & { keyAt?: number })[]} edits each text holds a marker without its key, which
 *   goes in at `keyAt`, behind `OPENING`
 * @param {Set<string>} [taken] the keys of the markers in `messages`, where the caller knows them
 * @returns {{ messages: object[], originals: Originals }}
 */
function applyEdits(messages, format, edits, taken = new Set(messages.flatMap(markedKeys))) {
  const entries = [];
  const removals = edits.filter((edit) => edit.remove);
  const texts = edits.filter((edit) => !edit.remove);
  const marked = texts.map((edit) => {
    const key = freeKey(messages, edit.part, taken);
    const text = edit.text.slice(0, edit.keyAt) + key + edit.text.slice(edit.keyAt);
    entries.push([key, { places: placesOf(messages, format, edit.part, text, key) }]);
    return { part: edit.part, text };
  });
  const stubbed = write(format, messages, marked);
  const result = removals.length > 0 ? write(format, stubbed, removals) : stubbed;
  if (removals.length > 0) entries.push(...cuts(stubbed, result));

  const round = keyOf(`round ${result.length} ${entries.map(([key]) => key).join()}`);
  const originals = {};
  entries.forEach(([key, entry], step) => (originals[key] = { round, step, length: result.length, ...entry }));
  return { messages: result, originals };
}

/** The key depends only on the part and what stands before it, so that a history that has grown gets the same stubs. */
function freeKey(messages, part, taken) {
  const before = part.message > 0 ? fingerprint(messages[part.message - 1]) : '';
  const seed = `${part.message} ${before} ${JSON.stringify(part.path)} ${part.kind} ${part.callId} ${fingerprint(part.text)} ${part.text.length}`;
  let key = keyOf(seed);
  for (let again = 1; taken.has(key); again++) key = keyOf(`${again} ${seed}`);
  taken.add(key);
  return key;
}

function placesOf(messages, format, part, text, key) {
  const message = messages[part.message];
  const places = [];
  for (const { path, value } of format.replace(message, part, text)) {
    const place = { up: depthOf(value, key), written: fingerprint(value), value: getIn(message, path) };
    if (!places.some(({ up, written }) => up === place.up && written === place.written)) places.push(place);
  }
  return places;
}

/** How many levels below `value` the text with the marker stands; undefined where there is none. */
function depthOf(value, key) {
  if (typeof value === 'string') return value.includes(OPENING + key) ? 0 : undefined;
  if (value === null || typeof value !== 'object') return undefined;
  for (const inner of Object.values(value)) {
    const depth = depthOf(inner, key);
    if (depth !== undefined) return depth + 1;
  }
  return undefined;
}

/** An entry for each run of messages that removals changed, joined or took away. */
function cuts(before, after) {
  const found = [];
  const places = new Map(); // message → its indices in `before`, the first one last
  for (let index = before.length - 1; index >= 0; index--) {
    const list = places.get(before[index]);
    if (list) list.push(index);
    else places.set(before[index], [index]);
  }
  const cut = (from, to, at, end) => {
    // Message by message where none went, so that each is found by itself.
    if (to - from === end - at) for (; from < to; from++, at++) found.push(entryOf(before.slice(from, from + 1), after, at, at + 1));
    else found.push(entryOf(before.slice(from, to), after, at, end));
  };
  let from = 0; // what of `before` and `after` is behind us
  let at = 0;
  after.forEach((message, index) => {
    const list = places.get(message) ?? [];
    while (list.at(-1) < from) list.pop();
    const same = list.pop();
    if (same === undefined) return;
    if (same > from || index > at) cut(from, same, at, index);
    from = same + 1;
    at = index + 1;
  });
  if (from < before.length || at < after.length) cut(from, before.length, at, after.length);
  return found;
}

function entryOf(originals, after, at, end) {
  const printAt = (index) => (index >= 0 && index < after.length ? fingerprint(after[index]) : null);
  const present = after.slice(at, end);
  const entry = { at, before: printAt(at - 1), after: printAt(end), now: present.map(fingerprint), was: outline(originals, present) };
  const ends = `${after.length} ${printAt(after.length - 1)} ${originals.map(fingerprint)}`;
  return [keyOf(`cut ${at} ${entry.before} ${entry.after} ${entry.now} ${ends}`), entry];
}

module.exports = { applyEdits };
