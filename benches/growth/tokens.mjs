// Exact counting.
import { createRequire } from 'node:module';
import { cases, repeats } from './family.mjs';

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

/** Texts of `length` UTF-16 code units that are hard to count. */
export const HOSTILE = {
  ...repeats(repeated),
  base64: (length) => pick('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', length),
  'small letters': (length) => pick('abcdefghijklmnopqrstuvwxyz', length),
  'two letters': (length) => pick('ab', length),
  brackets: (length) => pick('()[]{}<>', length),
  blanks: (length) => pick(' \t', length),
  'letters that depend on what follows': (length) => dependent.repeat(Math.ceil(length / dependent.length)),
};

/** Messages of `count` parts that are read by what stands before them. */
const MESSAGES = {
  'steps of a UI message': (count) => [
    { id: '1', role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
    { id: '2', role: 'assistant', parts: Array.from({ length: count }, () => ({ type: 'step-start' })) },
  ],
};

export const tokens = [
  ...['o200k_base', 'cl100k_base'].flatMap((tokenizer) =>
    cases(`countTokens, ${tokenizer}`, 1 << 19, HOSTILE, ({ countTokens }, text) => countTokens(text, { tokenizer })),
  ),
  ...cases('countTokens', 1 << 16, MESSAGES, ({ countTokens }, messages) => countTokens(messages, { format: 'ai-sdk-ui' })),
];
