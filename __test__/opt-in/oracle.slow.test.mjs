// Functions of the opt-in features against the contract's rules written a second time, on random texts.
import assert from 'node:assert/strict';
import test from 'node:test';

import * as palimpsest from 'palimpsest/compress';
import * as contract from '../support/opt-in.mjs';
import { anyText, fromPieces, Random } from '../support/random.mjs';
import { SEED } from '../support/seed.mjs';

const WORDS = [
  'must',
  'use',
  'rather',
  'instead',
  'instead,',
  'the',
  'fix',
  'is',
  "we'll",
  'we will',
  'go with',
  'implement',
  'actually',
  'Actually,',
  'correction:',
  'no',
  'No,',
  "it's",
  "that's",
  'wait,',
  'wait. ',
  'sorry,',
  'i',
  'not',
  'but',
  'scratch that',
  'ignore',
  "Don't use",
  'dont  add',
  'not dawn but',
  'not noon, use',
  'Sorry, the',
  'sorry.  I',
  'ignore my',
  'disregard',
  'i was wrong',
  'let me clarify',
  "don't",
  'dont',
  'add',
  'do',
  'deadline',
  'breaking change',
  'dependency',
];
const NAMES = [
  'fooBar',
  'FooBar',
  'read_token',
  'read_tokenX',
  'grpc',
  'TLS',
  'src/a.rs:10',
  'É.rs:1',
  'é.RS:1',
  'ÀB.c:2:3',
  'a.b',
  'x_',
  'pier',
  'crane',
  'harbour',
  'ledger',
  'Lantern',
  'fog2',
];
/** In lowercase, the last two become ASCII letters. */
const GAPS = [' ', ' ', ' ', ' ', '\n', '  ', '\u00a0', ', ', '. ', '', '_', 'é', "'", '\u212a', '\u0130'];
const text = (random) =>
  Array.from({ length: random.integer(0, 14) }, () => random.pick(random.chance(0.25) ? WORDS : NAMES) + random.pick(GAPS)).join('');
const content = (random) => (random.chance(0.1) ? anyText(random) : text(random));

const conversation = (random) =>
  Array.from({ length: random.integer(0, 9) }, (_, index) => ({
    id: `m${index}`,
    role: random.pick(['user', 'user', 'assistant', '', undefined]),
    content: random.chance(0.05) ? random.pick([null, '', 7]) : content(random),
  }));

/** Compares both on `count` inputs, numbers to within rounding, and returns the results of the contract. */
function compare(count, generate, engine, expected, from = SEED) {
  return Array.from({ length: count }, (_, number) => {
    const input = generate(new Random(from + number));
    const [actual, wanted] = [engine(input), expected(input)];
    const rounded = (value) =>
      JSON.stringify(value, (_key, part) => {
        const plain = part instanceof Map ? [...part] : part;
        return typeof plain === 'number' ? Number(plain.toFixed(11)) : plain;
      });
    assert.equal(rounded(actual), rounded(wanted), `seed ${from + number}: ${JSON.stringify(input)}`);
    return wanted;
  });
}

test('signals of a text', () => {
  const found = compare(20_000, content, palimpsest.scoreContentSignals, contract.scoreContentSignals);
  for (const score of [0, 0.1, 0.15, 0.25, 0.35, 0.4]) assert.ok(found.filter((other) => other === score).length > 50, `${score}`);
});

test('the importance of messages', () => {
  const found = compare(5000, conversation, palimpsest.computeImportance, contract.computeImportance);
  assert.ok(found.filter((scores) => [...scores.values()].some((score) => score > 0.65)).length > 500);
});

test('contradictions', () => {
  const input = (random) => [conversation(random), random.pick([0.15, 0.3, 0.6])];
  const signals = new Set();
  // The rarest signal comes up once in some thousand conversations.
  for (let round = 0; round === 0 || (signals.size < 10 && round < 20); round++) {
    const found = compare(
      5000,
      input,
      (args) => palimpsest.analyzeContradictions(...args),
      (args) => contract.analyzeContradictions(...args),
      SEED + 5000 * round,
    );
    assert.ok(found.filter(({ size }) => size > 0).length > 500);
    for (const annotations of found) for (const { signal } of annotations.values()) signals.add(signal);
  }
  assert.equal(signals.size, 10, [...signals].join());
});

test('sentences', () => {
  const pieces = fromPieces(['a b', '.', '. ', '!', '?', '\n', ' ', '\r', '\u2028', 'é', '\ufeff'], 12);
  compare(20_000, pieces, palimpsest.splitSentences, contract.splitSentences);
});

test('normalised and combined scores', () => {
  const scores = (random) => Array.from({ length: random.integer(0, 6) }, () => random.integer(-9, 9) / 4);
  for (let seed = SEED; seed < SEED + 5000; seed++) {
    const random = new Random(seed);
    const [one, weight] = [scores(random), random.integer(-1, 4) / 2];
    const other = one.map(() => random.next());
    const normalized = palimpsest.normalizeScores(one);
    // By their definition: in the same order and proportion, from 0 to 1.
    const [low, high] = [Math.min(...one), Math.max(...one)];
    one.forEach((score, index) => assert.ok(Math.abs(low + normalized[index] * (high - low) - score) < 1e-12 || low === high));
    if (low === high) assert.ok(normalized.every((score) => score === 0.5));
    else if (one.length > 0) assert.deepEqual([Math.min(...normalized), Math.max(...normalized)], [0, 1]);
    const theirs = palimpsest.normalizeScores(other);
    palimpsest.combineScores(one, other, weight).forEach((score, index) => {
      assert.ok(Math.abs(score - (normalized[index] + weight * (theirs[index] - normalized[index]))) < 1e-12);
    });
  }
});
