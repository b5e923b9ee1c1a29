'use strict';

const { createHash } = require('node:crypto');

/** How a marker begins: `[palimpsest:k3f9a2c81x stale read of src/a.ts, 120 lines]`. The key comes next. */
const OPENING = '[palimpsest:';
/** A prime, so that the keys of a round lie far from each other. */
const STRIDE = 1_000_000_007;
const MARKER = /\[palimpsest:([a-z][0-9a-z]{9})(?=[ \]])/g;

/**
 * A key of ten letters and digits for what `seed` describes: seven and a letter of its SHA-256 (41 bits), and two that
 * follow from those, so that what only looks like a marker is none. Never a number, which objects would put in front.
 */
const keyOf = (seed) => keysOf(seed, 1)[0];

/** Distinct keys for so many things that `seed` describes together: a SHA-256 for each would take most of the time. */
function keysOf(seed, count) {
  const first = parseInt(createHash('sha256').update(seed).digest('hex').slice(0, 12), 16);
  return Array.from({ length: count }, (_, index) => nameOf(first + index * STRIDE));
}

function nameOf(number) {
  const name =
    String.fromCharCode(97 + (number % 26)) +
    Math.floor(number / 26)
      .toString(36)
      .padStart(7, '0')
      .slice(-7);
  return name + checkOf(name);
}

function checkOf(name) {
  let sum = 7;
  for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) % 1296;
  return sum.toString(36).padStart(2, '0');
}

/** The keys of the markers in a text. */
function keysIn(text) {
  if (!text.includes(OPENING)) return [];
  return Array.from(text.matchAll(MARKER), ([, key]) => key).filter((key) => checkOf(key.slice(0, 8)) === key.slice(8));
}

module.exports = { OPENING, keyOf, keysOf, keysIn };
