// @ts-check
'use strict';

const { getIn } = require('../formats/copy.js');
const { write } = require('../formats/write.js');
const { RUN_COLUMN } = require('../generated/layout.js');
const native = require('../native.js');
const { HASH } = require('./entries.js');
const { fingerprintsOf, Fingerprints, memoryOf, messageText } = require('./fingerprint.js');
const { MARKER_START } = require('./marker.js');
const { joined, printAt } = require('./rounds.js');
const { outline } = require('./structure.js');
const { markedKeys, placeKind } = require('./stubs.js');
const { surfaceOf } = require('./surface.js');

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
 * thinking was made behind something else than the messages that stood before them. `surface`, where there is one, is that of the
 * message which was left (surface.js).
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
  /** @type {number[]} */
  const placeOf = [];
  written.sources.forEach(({ first, last }, at) => {
    for (let place = first; place <= last; place++) placeOf[place] = at;
  });
  placesOf(messages, format, marked, keys).forEach((places, index) => {
    entries.push([keys[index], { at: placeOf[marked[index].part.message], of: of[index], places }]);
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
 * @param {typeof memoryOf} [known] as `memoryOf`, where the caller has just asked it
 * @returns {Originals}
 */
const originalsOf = (messages, written, stale, known) => roundOf([], messages, written, stale, known);

/**
 * Returns the entries of a round: those of its stubs, and one for each run of removed or changed messages.
 *
 * @param {[string, any][]} stubs
 * @param {readonly import('../types.d.ts').Foreign[]} before
 * @param {import('../types.d.ts').Written} written
 * @param {ReadonlySet<object>} [stale]
 * @param {typeof memoryOf} [known]
 */
function roundOf(stubs, before, written, stale = new Set(), known = memoryOf) {
  const runs = runsOf(before, written);
  if (stubs.length + runs.length === 0) return {};
  const keys = keysOfRound(runs, written.messages, stubs, known);
  const entries = [...stubs, ...cutsOf(runs, written.messages, keys, stale)];
  if (entries.length === 0) return {};
  const { length } = written.messages;
  const originals = {};
  entries.forEach(([key, entry], step) => (originals[key] = Object.assign({ round: keys.round, step, length, hash: HASH }, entry)));
  if (entries.length > stubs.length) originals[entries[0][0]].prints = keys.left;
  return originals;
}

/**
 * Asks the engine once for the fingerprints and keys of a round, and remembers the fingerprints.
 *
 * @param {readonly Run[]} runs
 * @param {readonly import('../types.d.ts').Foreign[]} after the messages that the round left
 * @param {readonly [string, any][]} stubs
 * @param {typeof memoryOf} known
 */
function keysOfRound(runs, after, stubs, known) {
  const left = runs.length === 0 ? [] : after;
  const taken = runs.flatMap(({ originals }) => originals);
  // Those whose fingerprints are known are numbered from 0 on, the others from -1 down until it is known how many there are.
  const numbers = new Map();
  const prints = [];
  const fresh = [];
  const memories = [];
  for (const list of [left, taken]) {
    for (const message of list) {
      if (numbers.has(message)) continue;
      const memory = known(message);
      if (memory?.print === undefined) {
        memories.push(memory);
        numbers.set(message, -fresh.push(message));
      } else numbers.set(message, prints.push(memory.print) - 1);
    }
  }
  const numberOf = (message) => {
    const number = numbers.get(message);
    return number < 0 ? prints.length - 1 - number : number;
  };
  const columns = new Uint32Array(RUN_COLUMN.COUNT * runs.length);
  runs.forEach(({ originals, at, end }, index) => {
    const row = RUN_COLUMN.COUNT * index;
    columns[row + RUN_COLUMN.START] = at;
    columns[row + RUN_COLUMN.END] = end;
    columns[row + RUN_COLUMN.TAKEN] = originals.length;
  });
  const keys = native.roundKeys({
    known: joined(prints),
    texts: fresh.map(messageText),
    length: after.length,
    left: Uint32Array.from(left, numberOf),
    runs: columns,
    taken: Uint32Array.from(taken, numberOf),
    stubs: stubs.map(([key]) => key),
  });
  memories.forEach((memory, index) => {
    if (memory !== undefined) memory.print = printAt(keys.prints, index);
  });
  return keys;
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
  const all = edits.flatMap(({ part, text }, edit) =>
    format.replace(messages[part.message], part, text).map(({ path, value }) => ({ path, value, edit })),
  );
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

/**
 * The runs of messages that were removed or replaced; those from `at` to `end` of what is left replace them.
 *
 * @typedef {{ originals: import('../types.d.ts').Foreign[], at: number, end: number }} Run
 *
 * @param {readonly import('../types.d.ts').Foreign[]} before
 * @param {import('../types.d.ts').Written} written
 * @returns {Run[]}
 */
function runsOf(before, { messages: after, sources }) {
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
  return runs;
}

/**
 * Returns an entry with its key for each run; none for a run that was rewritten with itself.
 *
 * @param {readonly Run[]} runs
 * @param {readonly import('../types.d.ts').Foreign[]} after
 * @param {import('../../binding').RoundKeys} keys
 * @param {ReadonlySet<object>} stale
 * @returns {[string, any][]}
 */
function cutsOf(runs, after, { cuts, left, taken }, stale) {
  return runs.flatMap(({ originals, at, end }, index) => {
    if (cuts[index] === '') return [];
    /** @type {Record<string, any>} */
    const entry = {
      at,
      before: printAt(left, at - 1) ?? null,
      after: printAt(left, end) ?? null,
      now: Array.from({ length: end - at }, (_, place) => printAt(left, at + place)),
      of: taken[index],
      was: outline(originals, after.slice(at, end)),
    };
    const places = stale.size === 0 ? [] : originals.flatMap((message, place) => (stale.has(message) ? [place] : []));
    if (places.length > 0) entry.stale = places;
    const surface = at < end ? surfaceOf(after[at]) : [];
    if (surface.length > 0) entry.surface = surface;
    return [[cuts[index], entry]];
  });
}

module.exports = { applyEdits, applyTexts, originalsOf };
