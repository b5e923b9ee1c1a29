'use strict';

const { getIn } = require('../formats/copy.js');
const { write } = require('../formats/write.js');
const { fingerprint, perMessage } = require('./fingerprint.js');
const { OPENING, keyOf, keysOf } = require('./marker.js');
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
 * with the marker. Without `value` there was nothing. What was taken out or rewritten without a stub is known by what stands
 * there and around it:
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
  const stubbed = write(format, messages, marked).messages;
  const written = write(format, stubbed, removals);
  entries.push(...cuts(stubbed, written));
  return { messages: written.messages, originals: roundOf(entries, written.messages.length) };
}

/**
 * Writes texts that hold no marker, and keeps what they stand for: `restore` knows them by their messages.
 *
 * @param {object[]} messages
 * @param {object} format the format module to write with
 * @param {import('../formats/write.js').Edit[]} edits
 * @returns {{ messages: object[], originals: Originals }}
 */
function applyTexts(messages, format, edits) {
  const written = write(format, messages, edits);
  return { messages: written.messages, originals: originalsOf(messages, written) };
}

/**
 * What edits without markers took out: each message that is left is known by its fingerprint.
 *
 * @param {object[]} messages
 * @param {{ messages: object[], sources: { first: number, last: number }[] }} written what `write` made of them
 * @returns {Originals}
 */
const originalsOf = (messages, written) => roundOf(cuts(messages, written), written.messages.length);

function roundOf(entries, length) {
  const round = keyOf(`round ${length} ${entries.map(([key]) => key).join()}`);
  const originals = {};
  entries.forEach(([key, entry], step) => (originals[key] = { round, step, length, ...entry }));
  return originals;
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

/** An entry for each run of messages that went, and for each message that is not what it was, under its key. */
function cuts(before, { messages: after, sources }) {
  const found = [];
  const seeds = [];
  const printOf = perMessage(fingerprint);
  const cut = (from, end, at, now) => {
    if (from >= end) return;
    const originals = before.slice(from, end);
    const entry = entryOf(originals, after, at, at + now, printOf);
    found.push(entry);
    seeds.push(`${at} ${entry.before} ${entry.after} ${entry.now} ${originals.map(printOf)}`);
  };
  let from = 0;
  after.forEach((message, at) => {
    const { first, last } = sources[at];
    cut(from, first, at, 0);
    if (first < last || message !== before[first]) cut(first, last + 1, at, 1);
    from = last + 1;
  });
  cut(from, before.length, after.length, 0);
  const last = after.length > 0 ? printOf(after.at(-1)) : null;
  const keys = keysOf(`cuts ${after.length} ${last} ${seeds.join('; ')}`, found.length);
  return found.map((entry, index) => [keys[index], entry]);
}

function entryOf(originals, after, at, end, printOf) {
  const printAt = (index) => (index >= 0 && index < after.length ? printOf(after[index]) : null);
  const present = after.slice(at, end);
  return { at, before: printAt(at - 1), after: printAt(end), now: present.map(printOf), was: outline(originals, present) };
}

module.exports = { applyEdits, applyTexts, originalsOf };
