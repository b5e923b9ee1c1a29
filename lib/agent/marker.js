'use strict';

const { createHash } = require('node:crypto');
const { isObject } = require('../formats/reader.js');

/** Stands in the text of an edit where the marker is to be. */
const PLACEHOLDER = '[palimpsest:]';
const START = '[palimpsest:';
const MARKER = /\[palimpsest:([a-z][0-9a-z]{9})(?=[ \]])/g;

/**
 * A key of ten letters and digits for what `seed` describes: seven and a letter of its SHA-256 (41 bits), and two that
 * follow from those, so that what only looks like a marker is none. Never a number, which objects would put in front.
 */
function keyOf(seed) {
  const hash = parseInt(createHash('sha256').update(seed).digest('hex').slice(0, 12), 16);
  const name = String.fromCharCode(97 + (hash % 26)) + Math.floor(hash / 26).toString(36).padStart(7, '0').slice(-7);
  return name + checkOf(name);
}

function checkOf(name) {
  let sum = 7;
  for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) % 1296;
  return sum.toString(36).padStart(2, '0');
}

/** `[palimpsest:k3f9a2c81x stale read of src/a.ts, 120 lines]` */
function markerOf(key, description) {
  return `${START}${key}${description ? ` ${description.replace(/[\]\p{Cc}]+/gu, ' ')}` : ''}]`;
}

/** The keys of the markers in a text. */
function keysIn(text) {
  if (!text.includes(START)) return [];
  return Array.from(text.matchAll(MARKER), ([, key]) => key).filter((key) => checkOf(key.slice(0, 8)) === key.slice(8));
}

/**
 * A text with its marker: in the place of the placeholder, else behind it.
 *
 * @param {boolean} json whether the text is that of a JSON object, and has to stay one
 */
function mark(text, marker, json) {
  const place = text.indexOf(PLACEHOLDER);
  if (place >= 0) {
    const written = json ? JSON.stringify(marker).slice(1, -1) : marker;
    return text.slice(0, place) + written + text.slice(place + PLACEHOLDER.length);
  }
  if (!json) return text === '' ? marker : `${text}\n${marker}`;
  const value = text === '' ? {} : JSON.parse(text);
  return isObject(value) ? JSON.stringify({ ...value, palimpsest: marker }) : text;
}

module.exports = { PLACEHOLDER, keyOf, keysIn, mark, markerOf };
