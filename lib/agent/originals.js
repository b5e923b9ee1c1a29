'use strict';

const { getIn } = require('../formats/copy.js');
const { write } = require('../formats/write.js');
const native = require('../native.js');
const { HASH } = require('./entries.js');
const { fingerprintsOf, Fingerprints } = require('./fingerprint.js');
const { MARKER_START, keyOf, keysOf } = require('./marker.js');
const { joined } = require('./rounds.js');
const { outline } = require('./structure.js');
const { markedKeys, placeKind } = require('./stubs.js');

/**
 * What `restore` needs, by key; plain JSON as far as the messages are.
 *
 * Every entry names the `round` (one call of `applyEdits`) it was made in, its `step` in it, how many messages the round left
 * (`length`), and which fingerprints it holds (`hash`). A stub's key stands in its marker, so it is found wherever it is:
 *
 *     { round, step, length, hash, at, of, places: [{ in, up, written, value }] }
 *
 * `value` describes what stood in a place (a node of structure.js), `written` is the fingerprint of what stands there now, which is
 * `up` levels above the text with the marker, in a place of the kind `in`. Without `value` there was nothing. `at` is the index of
 * its message in what the round left, `of` the fingerprint of the message as it was. What was taken out or rewritten without a stub is known by what stands there and around it:
 *
 *     { round, step, length, hash, at, before, after, now, of, was }
 *
 * The `now.length` messages from `at` on, whose fingerprints are `now`, between those of the fingerprints `before` and
 * `after` (null: the start or the end), stand for the messages that `was` describes, and whose fingerprints are `of`. In a round with
 * such entries, the first holds the fingerprints of all messages that the round left (`prints`): one that reads like another
 * one is told from it by those around it. `stale`, where it is there, has the indices of the messages in `was` whose signed
 * thinking was made behind something else than the messages that stood before them.
 *
 * @typedef {Record<string, object>} Originals
 */

/**
 * Makes the engine's edits, and keeps what they take out.
 *
 * @param {object[]} messages
 * @param {object} format the format module to write with
 * @param {(import('../formats/write.js').Edit & { keyAt?: number })[]} edits each text holds a marker without its key, which
 *   goes in at `keyAt`, behind `MARKER_START`
 * @param {Set<string>} [taken] the keys of the markers in `messages`, where the caller knows them
 * @returns {{ messages: object[], originals: Originals }}
 */
function applyEdits(messages, format, edits, taken = new Set(messages.flatMap(markedKeys))) {
  const entries = [];
  const removals = edits.filter((edit) => edit.remove);
  const texts = edits.filter((edit) => !edit.remove);
  const keys = freeKeys(messages, texts, taken);
  const marked = texts.map((edit, index) => ({
    part: edit.part,
    text: edit.text.slice(0, edit.keyAt) + keys[index] + edit.text.slice(edit.keyAt),
  }));
  const stubbed = write(format, messages, marked).messages;
  const written = write(format, stubbed, removals);
  const of = new Fingerprints().of(marked.map(({ part }) => messages[part.message]));
  const placeOf = new Map(
    written.sources.flatMap(({ first, last }, at) => Array.from({ length: last - first + 1 }, (_, offset) => [first + offset, at])),
  );
  placesOf(messages, format, marked, keys).forEach((places, index) => {
    entries.push([keys[index], { at: placeOf.get(marked[index].part.message), of: of[index], places }]);
  });
  return { messages: written.messages, originals: roundOf(entries, stubbed, written) };
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
 * @param {ReadonlySet<object>} [stale] the messages whose signed thinking was made behind something else
 * @returns {Originals}
 */
const originalsOf = (messages, written, stale) => roundOf([], messages, written, stale);

/** The entries of a round: those of its stubs, and one for each run of messages that went or that are not what they were. */
function roundOf(stubs, before, written, stale = new Set()) {
  const { entries: cuts, prints } = cutsOf(before, written, stale);
  const entries = [...stubs, ...cuts];
  const { length } = written.messages;
  const round = keyOf(`round ${length} ${entries.map(([key]) => key).join()}`);
  const originals = {};
  entries.forEach(([key, entry], step) => (originals[key] = { round, step, length, hash: HASH, ...entry }));
  if (cuts.length > 0) originals[entries[0][0]].prints = joined(prints);
  return originals;
}

/** The keys of stubs. Each depends only on the part and what stands before it, so that a history that has grown gets the same stubs. */
function freeKeys(messages, edits, taken) {
  const prints = new Fingerprints();
  const before = prints.of(edits.map(({ part }) => messages[part.message - 1] ?? ''));
  const texts = fingerprintsOf(edits.map(({ part }) => part.text));
  const seeds = edits.map(
    ({ part }, index) => `${part.message} ${before[index]} ${JSON.stringify(part.path)} ${part.kind} ${part.callId} ${texts[index]}`,
  );
  return native.freeMarkerKeys(seeds, [...taken]);
}

/** For each stub the places where it was written, and what stood there. */
function placesOf(messages, format, edits, keys) {
  const all = edits.flatMap(({ part, text }, edit) => format.replace(messages[part.message], part, text).map((set) => ({ ...set, edit })));
  const prints = fingerprintsOf(all.map(({ value }) => value));
  const placesOfEdits = edits.map(() => []);
  all.forEach(({ path, value, edit }, index) => {
    const message = messages[edits[edit].part.message];
    const place = { in: placeKind(message, path), up: depthOf(value, keys[edit]), written: prints[index] };
    const before = getIn(message, path);
    if (before !== undefined) [place.value] = outline([before], []);
    const known = placesOfEdits[edit];
    if (!known.some((other) => other.in === place.in && other.up === place.up && other.written === place.written)) known.push(place);
  });
  return placesOfEdits;
}

/** How many levels below `value` the text with the marker stands; undefined where there is none. */
function depthOf(value, key) {
  if (typeof value === 'string') return value.includes(MARKER_START + key) ? 0 : undefined;
  if (value === null || typeof value !== 'object') return undefined;
  for (const inner of Object.values(value)) {
    const depth = depthOf(inner, key);
    if (depth !== undefined) return depth + 1;
  }
  return undefined;
}

/** An entry for each run of messages that went, and for each message that is not what it was, under its key; and the fingerprints. */
function cutsOf(before, { messages: after, sources }, stale) {
  const runs = [];
  const cut = (from, end, at, count) => from < end && runs.push({ originals: before.slice(from, end), at, end: at + count });
  let from = 0;
  after.forEach((message, at) => {
    const { first, last } = sources[at];
    cut(from, first, at, 0);
    if (first < last || message !== before[first]) cut(first, last + 1, at, 1);
    from = last + 1;
  });
  cut(from, before.length, after.length, 0);
  if (runs.length === 0) return { entries: [], prints: [] };
  // All in one call of the engine.
  const fingerprints = new Fingerprints();
  fingerprints.of([...after, ...runs.flatMap(({ originals }) => originals)]);
  const prints = fingerprints.of(after);
  // A text may have been written again as it was.
  const changes = runs.filter(({ originals, at, end }) => joined(fingerprints.of(originals)) !== joined(prints.slice(at, end)));
  const found = changes.map(({ originals, at, end }) => ({
    at,
    before: prints[at - 1] ?? null,
    after: prints[end] ?? null,
    now: prints.slice(at, end),
    of: joined(fingerprints.of(originals)),
    was: outline(originals, after.slice(at, end)),
    ...(originals.some((message) => stale.has(message))
      ? { stale: originals.flatMap((message, index) => (stale.has(message) ? [index] : [])) }
      : {}),
  }));
  const keys = keysOf(`cuts ${joined(prints)} ${found.map(({ at, of }) => `${at} ${of}`).join('; ')}`, found.length);
  return { entries: found.map((entry, index) => [keys[index], entry]), prints };
}

module.exports = { applyEdits, applyTexts, originalsOf };
