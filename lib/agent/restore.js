'use strict';

const { describe } = require('../arguments.js');
const { isObject } = require('../formats/reader.js');
const { fingerprint, perMessage } = require('./fingerprint.js');
const { rebuild } = require('./structure.js');
const { markedKeys, restoreStubs } = require('./stubs.js');

/** How many messages with the same fingerprint are looked at before a place counts as gone. */
const MAX_TRIES = 32;

/**
 * Puts back what was taken out: exact for what came out of `prune` or `fit` with the `originals` of it, also when messages
 * were appended since, when both went through JSON, and after several rounds with `{ ...first, ...second }`.
 *
 * A stub is found by its marker, wherever its message stands now; a text that only quotes a marker is left alone. What was
 * taken out without a stub is put back between the messages it stood between. What can't be put back is named in `missing`:
 * markers whose original is not there or whose text was changed, and originals whose neighbours are gone.
 *
 * @param {object[]} messages never changed
 * @param {import('./originals.js').Originals} originals
 * @returns {{ messages: object[], missing: string[], restored: number }} `restored`: how many originals were put back
 * @throws {TypeError} `messages` is not an array of objects, or `originals` is no object of entries
 */
function restore(messages, originals) {
  check(messages, originals, 'restore(): messages', 'restore(): originals');
  return putBack(messages, originals);
}

/** {@link restore} of arguments that were checked. */
function putBack(messages, originals) {
  const state = { found: new Set(), missing: new Set(), printOf: perMessage(fingerprint), keysOf: perMessage(markedKeys) };
  const { rounds, inOrder } = roundsOf(originals);
  let current = messages.slice();
  while (rounds.length > 0) {
    const [round] = rounds.splice(inOrder ? -1 : latest(rounds, current, state), 1);
    current = undoStubs(round.stubs, undoCuts(round.cuts, current, state), state);
  }
  const { found, missing } = state;
  for (const message of current) {
    for (const key of state.keysOf(message)) if (!found.has(key)) missing.add(key);
  }
  return { messages: current, missing: [...missing], restored: found.size };
}

/** @throws {TypeError} one of the arguments, which are called so, is none that `restore` takes */
function check(messages, originals, messagesName, originalsName) {
  if (!Array.isArray(messages)) throw new TypeError(`${messagesName} must be an array, got ${describe(messages)}`);
  messages.forEach((message, index) => {
    if (!isObject(message)) throw new TypeError(`${messagesName}[${index}] must be an object, got ${describe(message)}`);
  });
  if (!isObject(originals)) throw new TypeError(`${originalsName} must be an object, got ${describe(originals)}`);
  for (const key of Object.keys(originals)) {
    const entry = originals[key];
    const fits = isObject(entry) && typeof entry.round === 'string' && (Array.isArray(entry.places) || (Array.isArray(entry.was) && Array.isArray(entry.now)));
    if (!fits) throw new TypeError(`${originalsName}[${JSON.stringify(key)}] is no original`);
  }
}

/** The rounds, first to last: in the order of the keys, unless what stored them sorted the keys. */
function roundsOf(originals) {
  const rounds = new Map();
  let inOrder = true;
  let last;
  for (const key of Object.keys(originals)) {
    const entry = originals[key];
    let round = rounds.get(entry.round);
    if (!round) rounds.set(entry.round, (round = { length: entry.length, stubs: new Map(), cuts: [], steps: 0 }));
    else if (last !== round) inOrder = false;
    if (entry.step < round.steps) inOrder = false;
    round.steps = entry.step;
    last = round;
    if (entry.places) round.stubs.set(key, entry);
    else round.cuts.push({ key, entry });
  }
  for (const { cuts } of rounds.values()) cuts.sort((a, b) => a.entry.at - b.entry.at);
  return { rounds: [...rounds.values()], inOrder };
}

/** Which round was the last, where the order of the keys doesn't say it: the longest of those that fit as they are. */
function latest(rounds, messages, state) {
  let best = rounds.length - 1;
  let length = -1;
  rounds.forEach((round, index) => {
    if (round.length > length && round.cuts.every(({ entry }) => stands(entry, entry.at, messages, state))) [best, length] = [index, round.length];
  });
  return best;
}

function undoStubs(stubs, messages, { found, keysOf }) {
  if (stubs.size === 0) return messages;
  const waiting = new Map(stubs);
  return messages.map((message) => {
    const here = keysOf(message).filter((key) => waiting.has(key));
    if (here.length === 0) return message;
    const restored = new Set();
    const original = restoreStubs(message, waiting, restored);
    for (const key of restored) {
      // A key stands for one place: what quotes it comes later.
      waiting.delete(key);
      found.add(key);
    }
    return original;
  });
}

function undoCuts(cuts, messages, state) {
  if (cuts.length === 0) return messages;
  const result = [];
  let copied = 0;
  let shift = 0; // how far the messages stand from where the round left them
  let positions;
  for (const { key, entry } of cuts) {
    const expected = entry.at + shift;
    let at = expected >= copied && stands(entry, expected, messages, state) ? expected : -1;
    for (let neighbours = 2; at < 0 && neighbours > 0; neighbours--) {
      positions ??= positionsOf(messages, state);
      at = search(entry, expected, copied, messages, positions, state, neighbours);
    }
    if (at < 0) {
      state.missing.add(key);
      continue;
    }
    const end = at + entry.now.length;
    for (; copied < at; copied++) result.push(messages[copied]);
    for (const original of rebuild(entry.was, messages.slice(at, end))) result.push(original);
    copied = end;
    shift = at - entry.at;
    state.found.add(key);
  }
  for (; copied < messages.length; copied++) result.push(messages[copied]);
  return result;
}

/**
 * Whether what a cut left stands at this place, beside so many of its neighbours; where it left nothing, it needs both. In front
 * of what stood at the start, and behind what stood at the end, anything may have been added.
 */
function stands({ before, after, now }, at, messages, { printOf }, neighbours = 2) {
  const end = at + now.length;
  if (at < 0 || end > messages.length) return false;
  if (!now.every((mark, index) => printOf(messages[at + index]) === mark)) return false;
  if (now.length === 0 && before === null && after === null) return at === 0;
  const isBehind = before === null || (at > 0 && printOf(messages[at - 1]) === before);
  const isBefore = after === null || (end < messages.length && printOf(messages[end]) === after);
  return isBehind + isBefore >= (now.length > 0 ? neighbours : 2);
}

function positionsOf(messages, { printOf }) {
  const positions = new Map();
  messages.forEach((message, index) => {
    const print = printOf(message);
    if (positions.has(print)) positions.get(print).push(index);
    else positions.set(print, [index]);
  });
  return positions;
}

/** The place nearest to `expected`, not before `from`, where what a cut left stands; -1 where there is none. */
function search(entry, expected, from, messages, positions, state, neighbours) {
  const [mark, offset] = entry.now.length > 0 ? [entry.now[0], 0] : entry.before !== null ? [entry.before, 1] : [entry.after, 0];
  const places = positions.get(mark) ?? [];
  let high = lowerBound(places, expected - offset);
  let low = high - 1;
  for (let tries = 0; tries < MAX_TRIES && (low >= 0 || high < places.length); tries++) {
    const nextIsLow = high >= places.length || (low >= 0 && expected - places[low] <= places[high] - expected);
    const at = (nextIsLow ? places[low--] : places[high++]) + offset;
    if (at >= from && stands(entry, at, messages, state, neighbours)) return at;
  }
  return -1;
}

function lowerBound(sorted, value) {
  let low = 0;
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

module.exports = { restore, check, putBack };
