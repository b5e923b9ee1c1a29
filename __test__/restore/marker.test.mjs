// Marks as JavaScript reads them are those that the engine writes and docs/reference/marks.md lists.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { tabled } from '../support/marks.mjs';

const require = createRequire(import.meta.url);
const { canonicalTexts } = require('../../unbundled/equality/canonical.js');
const { joined, messagePrints } = require('../../unbundled/equality/fingerprint.js');
const { keyAt, keysIn, markIn, MARKER_START } = require('../../unbundled/agent/marker.js');
const native = require('../../unbundled/native.js').default;

const keys = native.freeMarkerKeys(
  Array.from({ length: 20_000 }, (_, index) => `seed ${index}`),
  [],
);
const SIGNS = [...'0123456789abcdefghijklmnopqrstuvwxyz'];

test('every key of the engine is read in a marker, and nowhere else', () => {
  assert.equal(new Set(keys).size, keys.length);
  for (const key of keys) {
    assert.deepEqual(keysIn(`${MARKER_START}${key} stale read] and ${MARKER_START}${key}]`), [key, key]);
    for (const text of [key, `[${key} x]`, `${MARKER_START}${key}`, `${MARKER_START}${key}x x]`, `${MARKER_START} ${key} x]`])
      assert.deepEqual(keysIn(text), [], text);
  }
});

test('a key with another sign in one place is none: its checksum is wrong', () => {
  for (const key of keys.slice(0, 300)) {
    for (let at = 0; at < key.length; at++) {
      for (const sign of [...SIGNS, 'A', '-', 'é']) {
        if (sign === key[at]) continue;
        assert.deepEqual(keysIn(`${MARKER_START}${key.slice(0, at)}${sign}${key.slice(at + 1)} x]`), [], `${key} with ${sign} at ${at}`);
      }
    }
  }
});

test('a round’s keys are longer, and in no marker', () => {
  const edits = {
    known: '',
    ...canonicalTexts(['a', 'b', 'c'], true),
    length: 2,
    left: Uint32Array.of(0, 1),
    runs: Uint32Array.of(1, 1, 1),
    taken: Uint32Array.of(2),
  };
  const { prints, round, left, taken, cuts } = native.roundKeys(edits);
  for (const key of [round, keyAt(cuts, 0)]) {
    assert.match(key, /^[a-z][0-9a-z]{19}$/);
    assert.deepEqual(keysIn(`${MARKER_START}${key} x]`), []);
  }
  assert.equal(prints, joined(messagePrints(['a', 'b', 'c'])));
  const known = joined(messagePrints(['a', 'b']));
  const again = native.roundKeys({ ...edits, known, ...canonicalTexts(['c'], true) });
  assert.deepEqual(again, { prints: messagePrints(['c'])[0], round, left, taken, cuts }, 'known fingerprints are taken as they are');
});

test('every mark without a key that docs/reference/marks.md lists is one', () => {
  const marks = tabled('## Marks').filter((mark) => !mark.includes(MARKER_START));
  assert.ok(marks.length >= 10);
  for (const mark of marks)
    for (const text of [mark, `before ${mark}\nbehind`]) assert.equal(markIn(text), mark === '[…]' ? 'short' : 'long', text);
  for (const text of ['[...]', '…', '[…x]', 'an […', '[… a\nb]', '(…)']) assert.equal(markIn(text), undefined, text);
});
