// @ts-check
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
 * Entries that `restore` needs, by key; plain JSON as far as the messages are.
 *
 * Every entry names the `round` (one call of `applyEdits`) it was made in, its `step` in it, how many messages the round left
 * (`length`), and which fingerprints it holds (`hash`). A stub's key stands in its marker, so it is found wherever it is:
 *
 *     { round, step, length, hash, at, of, places: [{ in, up, written, value }] }
 *
 * `value` describes what stood in a place (a node of structure.js; without it there was nothing), `written` is the fingerprint of
 * what stands there now, `up` levels above the text with the marker and in a place of the kind `in`. `at` is the index of its message
 * in what the round left, `of` the fingerprint of the message as it was. Messages that were removed or rewritten without a stub are
 * found by the messages there and around them:
 *
 *     { round, step, length, hash, at, before, after, now, of, was }
 *
 * The `now.length` messages from `at` on, whose fingerprints are `now`, between those of the fingerprints `before` and
 * `after` (null: the start or the end), stand for the messages that `was` describes, and whose fingerprints are `of`. In a round with
 * such entries, the first holds the fingerprints of all messages that the round left (`prints`): one that reads like another
 * one is told from it by those around it. `stale`, where it is there, has the indices of the messages in `was` whose signed
 * thinking was made behind something else than the messages that stood before them.
 *
 * @typedef {Record<string, any>} Originals entries of any version; entries.js checks them
 */

/**
 * Applies the engine's edits and keeps the originals.
 *
 * @param {readonly import('../types.d.ts').Foreign[]} messages
 * @param {import('../types.d.ts').FormatModule} format
 * @param {(import('../types.d.ts').Edit & { keyAt?: number })[]} edits each text holds a marker without its key, which
 *   goes in at `keyAt`, behind `MARKER_START`
 * @param {Set<string>} [taken] the keys of the markers in `messages`, where the caller knows them
 * @returns {{ messages: any[], originals: Originals }}
 */
function applyEdits(messages, format, edits, taken = new Set(messages.flatMap(markedKeys))) {
  const entries = [];
  const removals = edits.filter((edit) => edit.remove);
  const texts = /** @type {{ part: import('../types.d.ts').Part, text: string, keyAt?: number }[]} */ (
    edits.filter((edit) => !edit.remove)
  );
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
 * Writes texts without markers and keeps the originals: `restore` finds them by the fingerprints of their messages.
 *
 * @param {readonly import('../types.d.ts').Foreign[]} messages
 * @param {import('../types.d.ts').FormatModule} format
 * @param {import('../types.d.ts').Edit[]} edits
 * @returns {{ messages: any[], originals: Originals }}
 */
function applyTexts(messages, format, edits) {
  const written = write(format, messages, edits);
  return { messages: written.messages, originals: originalsOf(messages, written) };
}

/**
 * Returns the originals of edits without markers: the messages that are left are known by their fingerprints.
 *
 * @param {readonly import('../types.d.ts').Foreign[]} messages
 * @param {import('../types.d.ts').Written} written what `write` made of them
 * @param {ReadonlySet<object>} [stale] messages whose signed thinking was made after other messages
 * @returns {Originals}
 */
const originalsOf = (messages, written, stale) => roundOf([], messages, written, stale);

/**
 * Returns the entries of a round: those of its stubs, and one for each run of removed or changed messages.
 *
 * @param {[string, any][]} stubs
 * @param {readonly import('../types.d.ts').Foreign[]} before
 * @param {import('../types.d.ts').Written} written
 * @param {ReadonlySet<object>} [stale]
 */
function roundOf(stubs, before, written, stale = new Set()) {
  const { entries: cuts, prints } = cutsOf(before, written, stale);
  const entries = [...stubs, ...cuts];
  if (entries.length === 0) return {};
  const { length } = written.messages;
  const round = keyOf(`round ${length} ${entries.map(([key]) => key).join()}`);
  const originals = {};
  entries.forEach(([key, entry], step) => (originals[key] = { round, step, length, hash: HASH, ...entry }));
  if (cuts.length > 0) originals[entries[0][0]].prints = joined(prints);
  return originals;
}

/** Returns the keys of stubs. Each depends only on the part and the message before it, so that a grown history gets the same stubs. */
function freeKeys(messages, edits, taken) {
  const prints = new Fingerprints();
  const before = prints.of(edits.map(({ part }) => messages[part.message - 1] ?? ''));
  const texts = fingerprintsOf(edits.map(({ part }) => part.text));
  const seeds = edits.map(
    ({ part }, index) => `${part.message} ${before[index]} ${JSON.stringify(part.path)} ${part.kind} ${part.callId} ${texts[index]}`,
  );
  return native.freeMarkerKeys(seeds, [...taken]);
}

/** Returns for each stub the places where it was written, and their former values. */
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

/** Returns the depth of the text with the marker below `value`; undefined if there is none. */
function depthOf(value, key) {
  if (typeof value === 'string') return value.includes(MARKER_START + key) ? 0 : undefined;
  if (value === null || typeof value !== 'object') return undefined;
  for (const inner of Object.values(value)) {
    const depth = depthOf(inner, key);
    if (depth !== undefined) return depth + 1;
  }
  return undefined;
}

/** Returns an entry with its key for each run of removed messages and each changed message; and the fingerprints. */
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
  // One call for all of them.
  const fingerprints = new Fingerprints();
  fingerprints.of([...after, ...runs.flatMap(({ originals }) => originals)]);
  const prints = fingerprints.of(after);
  // A text may have been rewritten with itself.
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
