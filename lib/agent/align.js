'use strict';

// Where the messages that a round left stand in a history that was edited since. Only what is certain counts: a message is
// found by its fingerprint, and of equal messages each is found only where none of them was added or taken away.

/**
 * @param {readonly string[]} left fingerprints of the messages that the round left
 * @param {readonly string[]} now those of the history
 * @param {ReadonlySet<string>} gone those of the messages that went: one of these in the history may have been put back already
 * @returns {Int32Array} for each message that was left its place in the history, -1 where that is not certain
 */
function align(left, now, gone) {
  if (startsWith(now, left)) return Int32Array.from(left, (_, index) => index);
  const places = new Int32Array(left.length).fill(-1);
  placeUnique(left, now, gone, places);
  let from = { left: 0, now: 0 };
  for (const anchor of [...increasing(places), left.length]) {
    const to = { left: anchor, now: anchor < left.length ? places[anchor] : now.length };
    placeEqual(left, now, gone, from, to, places);
    from = { left: to.left + 1, now: to.now + 1 };
  }
  return places.map((place, index) => (isAlone(index, places) ? -1 : place));
}

/**
 * Whether a message stands beside none of its neighbours, nor at the start where it stood there: another branch may hold one that
 * reads alike. The end says nothing, because messages are appended there.
 */
function isAlone(index, places) {
  const place = places[index];
  const isBehind = index === 0 ? place === 0 : places[index - 1] >= 0 && places[index - 1] === place - 1;
  const isBefore = index + 1 < places.length && places[index + 1] === place + 1;
  return !isBehind && !isBefore;
}

const startsWith = (list, start) => start.length <= list.length && start.every((print, index) => print === list[index]);

/** Places the messages of which there is one on both sides. */
function placeUnique(left, now, gone, places) {
  const [there, here] = [left, now].map(soleIndices);
  for (const [print, index] of there) {
    const place = here.get(print) ?? -1;
    if (index >= 0 && place >= 0 && !gone.has(print)) places[index] = place;
  }
}

/** For each fingerprint the index of its message, -1 where there are several. */
function soleIndices(prints) {
  const indices = new Map();
  prints.forEach((print, index) => indices.set(print, indices.has(print) ? -1 : index));
  return indices;
}

/**
 * The indices of a longest increasing sequence of the places that are known (patience sorting): the messages that nobody moved.
 */
function increasing(places) {
  const tails = []; // for each length the index whose place ends such a sequence lowest
  const before = new Int32Array(places.length).fill(-1);
  places.forEach((place, index) => {
    if (place < 0) return;
    let low = 0;
    for (let high = tails.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (places[tails[middle]] < place) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[index] = tails[low - 1];
    tails[low] = index;
  });
  const sequence = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index]) sequence.push(index);
  return sequence.reverse();
}

/**
 * Places messages between two that are placed: all where nothing changed there (behind the last one, messages may have been
 * appended), else equal ones in their order, where there are as many as there were.
 */
function placeEqual(left, now, gone, from, to, places) {
  const count = to.left - from.left;
  const isTail = to.left === left.length;
  let same = 0;
  while (same < count && left[from.left + same] === now[from.now + same]) same++;
  const isAppended = isTail && left.slice(from.left).every((print) => !gone.has(print));
  if (same === count && (isAppended || to.now - from.now === count)) {
    for (let index = 0; index < count; index++) places[from.left + index] = from.now + index;
    return;
  }
  const open = [];
  for (let index = from.left; index < to.left; index++) if (places[index] < 0 && !gone.has(left[index])) open.push(index);
  const there = byPrint(left, open);
  const here = byPrint(
    now,
    Array.from({ length: to.now - from.now }, (_, offset) => from.now + offset),
  );
  for (const [print, indices] of there) {
    const found = here.get(print);
    if (found?.length === indices.length) indices.forEach((index, order) => (places[index] = found[order]));
  }
}

function byPrint(prints, indices) {
  const groups = new Map();
  for (const index of indices) {
    const group = groups.get(prints[index]);
    if (group) group.push(index);
    else groups.set(prints[index], [index]);
  }
  return groups;
}

module.exports = { align, startsWith };
