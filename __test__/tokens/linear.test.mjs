// Counting takes time in proportion to the text, whatever it holds.
import assert from 'node:assert/strict';
import test from 'node:test';

import { countTokens } from '../../index.mjs';
import { ENCODINGS, expectedCount } from './support.mjs';

const random = (seed) => () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
const next = random(7);
const pick = (letters, length) => Array.from({ length }, () => letters[Math.floor(next() * letters.length)]).join('');

const repeated = ['a', 'A', ' ', '\n', '\t', '\r\n', '=', '-', '/', '7', '.', '─', 'é', '中', '🙂', '\u0301', 'ab', 'abc', 'aA', 'QUJD', ' \n', "'s", '中A', '<|endoftext|>'];
/** Text of `length` UTF-16 code units for each name. */
const hostile = {
  ...Object.fromEntries(repeated.map((unit) => [JSON.stringify(unit), (length) => unit.repeat(Math.ceil(length / unit.length))])),
  base64: (length) => pick('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', length),
  'small letters': (length) => pick('abcdefghijklmnopqrstuvwxyz', length),
  'two letters': (length) => pick('ab', length),
  brackets: (length) => pick('()[]{}<>', length),
  blanks: (length) => pick(' \t', length),
  // Pairs whose rank is lower than that of the pair before: whether two bytes are merged depends on all that follow.
  'in the reverse order of ranks': (length) => 'ggegenatinhere'.repeat(Math.ceil(length / 14)),
};

function fastest(text, tokenizer) {
  let best = Infinity;
  for (let round = 0; round < 3; round++) {
    const start = process.hrtime.bigint();
    countTokens(text, { tokenizer });
    best = Math.min(best, Number(process.hrtime.bigint() - start) / 1e6);
  }
  return best;
}

for (const tokenizer of ENCODINGS) {
  for (const [name, make] of Object.entries(hostile)) {
    test(`${tokenizer}: ${name}`, () => {
      const text = make(1 << 20);
      assert.equal(countTokens(text.slice(0, 5000), { tokenizer }), expectedCount(text.slice(0, 5000), tokenizer));
      const [quarter, whole] = [fastest(text.slice(0, 1 << 18), tokenizer), fastest(text.slice(0, 1 << 20), tokenizer)];
      // Four times the text in four times the time; twice as much is granted, and 5 ms for what is too short to measure.
      assert.ok(whole < 8 * quarter + 5, `${quarter.toFixed(1)} ms for a quarter, ${whole.toFixed(1)} ms for the whole`);
      // Slower than any measured by a factor of ten: the square of this length would take minutes.
      assert.ok(whole < 5000, `${whole.toFixed(1)} ms`);
    });
  }
}
