// Counting takes time in proportion to the text, whatever it holds.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import test from 'node:test';

import { countTokens } from '../../index.mjs';
import { ENCODINGS, expectedCount } from './support.mjs';

const random = (seed) => () => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed / 2147483648;
};
const next = random(7);
const pick = (letters, length) => Array.from({ length }, () => letters[Math.floor(next() * letters.length)]).join('');

const repeated = [
  'a',
  'A',
  ' ',
  '\n',
  '\t',
  '\r\n',
  '=',
  '-',
  '/',
  '7',
  '.',
  '─',
  'é',
  '中',
  '🙂',
  '\u0301',
  'ab',
  'abc',
  'aA',
  'QUJD',
  ' \n',
  "'s",
  '中A',
  '<|endoftext|>',
];
/** The longest word of which each two letters have a lower rank than the two before: whether they are merged depends on all that follow. */
const dependent = (() => {
  const [line] = createRequire(import.meta.url)('tiktoken/encoders/o200k_base.json').bpe_ranks.split('\n');
  const tokens = line
    .split(' ')
    .slice(2)
    .map((token) => Buffer.from(token, 'base64').toString('latin1'));
  const longest = new Map();
  for (const pair of tokens.filter((token) => /^[a-z]{2}$/.test(token))) {
    const chain = pair[0] + (longest.get(pair[1]) ?? pair[1]);
    if (chain.length > (longest.get(pair[0])?.length ?? 1)) longest.set(pair[0], chain);
  }
  return [...longest.values()].reduce((a, b) => (b.length > a.length ? b : a));
})();
assert.ok(dependent.length > 20, dependent);

/** Text of `length` UTF-16 code units for each name. */
const hostile = {
  ...Object.fromEntries(repeated.map((unit) => [JSON.stringify(unit), (length) => unit.repeat(Math.ceil(length / unit.length))])),
  base64: (length) => pick('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', length),
  'small letters': (length) => pick('abcdefghijklmnopqrstuvwxyz', length),
  'two letters': (length) => pick('ab', length),
  brackets: (length) => pick('()[]{}<>', length),
  blanks: (length) => pick(' \t', length),
  'letters that depend on what follows': (length) => dependent.repeat(Math.ceil(length / dependent.length)),
};

/** The least processor time of three counts, in ms: the clock on the wall would measure what else the machine does. */
function fastest(text, tokenizer) {
  let best = Infinity;
  for (let round = 0; round < 3; round++) {
    const start = process.cpuUsage();
    countTokens(text, { tokenizer });
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

for (const tokenizer of ENCODINGS) {
  for (const [name, make] of Object.entries(hostile)) {
    test(`${tokenizer}: ${name}`, () => {
      const text = make(1 << 19);
      assert.equal(countTokens(text.slice(0, 5000), { tokenizer }), expectedCount(text.slice(0, 5000), tokenizer));
      const [quarter, whole] = [fastest(text.slice(0, 1 << 17), tokenizer), fastest(text.slice(0, 1 << 19), tokenizer)];
      // Four times the text in four times the time. As much again is granted, and 10 ms for what is too short to measure.
      assert.ok(whole < 8 * quarter + 10, `${quarter.toFixed(1)} ms for a quarter, ${whole.toFixed(1)} ms for the whole`);
      // Ten times the slowest that was measured: with the square of this length it would take minutes.
      assert.ok(whole < 2000, `${whole.toFixed(1)} ms`);
    });
  }
}
