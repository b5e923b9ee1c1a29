// The counts of the engine are those of OpenAI's tiktoken, on every text.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test, { describe } from 'node:test';
import { fileURLToPath } from 'node:url';

import fc from 'fast-check';

import { character } from '../support/characters.mjs';
import { HOSTILE } from '../../benches/growth/tokens.mjs';
import { countTokens } from 'palimpsest';
import { plainConversations } from '../corpus/index.mjs';
import { recordedFiles, withoutRecorded } from '../support/corpus.mjs';
import { cases } from '../support/seed.mjs';
import { ENCODINGS, expectedCount, strings } from './support.mjs';

function assertExact(text) {
  for (const tokenizer of ENCODINGS) {
    const [counted, expected] = [countTokens(text, { tokenizer }), expectedCount(text, tokenizer)];
    if (counted !== expected) assert.fail(`${tokenizer}: ${counted} instead of ${expected} for ${JSON.stringify(text.slice(0, 300))}`);
  }
}

const assertProperty = (arbitrary, numRuns = cases(1500)) => fc.assert(fc.property(arbitrary, assertExact), { numRuns });

test('every text of the small corpus', () => new Set(strings(plainConversations())).forEach(assertExact));

for (const form of ['native', 'plain']) {
  test(`every text of recorded conversations, ${form}`, { skip: withoutRecorded }, () => {
    // tiktoken takes seconds for each MB, and many texts occur again.
    const conversations = recordedFiles(form).map((file) => JSON.parse(readFileSync(file, 'utf8')));
    new Set(strings(conversations)).forEach(assertExact);
  });
}

test('texts whose tokens OpenAI documents', () => {
  // tests/test_simple_public.py of https://github.com/openai/tiktoken, and the Cookbook's "How to count tokens with tiktoken"
  assert.equal(countTokens('hello world', { tokenizer: 'cl100k_base' }), 2);
  assert.equal(countTokens('tiktoken is great!', { tokenizer: 'cl100k_base' }), 6);
  assert.equal(countTokens(''), 0);
});

test('texts that are hard to count', () => {
  for (const make of Object.values(HOSTILE)) assertExact(make(5000));
});

describe('generated texts', () => {
  const any = fc.string({ unit: character, maxLength: 60 });
  const words = fc.constantFrom(
    'the',
    'The',
    'THE',
    'iPhone',
    'getElementById',
    'snake_case_name',
    'Straße',
    'naïve',
    'être',
    'ΑΒΓαβγ',
    'Привет',
    'שלום',
    'مرحبا',
    'สวัสดี',
    'नमस्ते',
    '漢字かなカナ',
    '中文',
    '한국어',
    'e\u0301',
    '\u0301\u0302',
    'Ǆ',
    'ǅ',
    'ǆ',
    'ʰ',
    'ª',
    'ß',
    'ſ',
    'İ',
    'ﬀ',
    '𝔘𝔫𝔦',
    '𐐀𐐨',
    '🙂',
    '👩‍👩‍👧',
    '🇩🇪',
    '1',
    '12',
    '1234567',
    '٣٤٥',
    '½',
    '²',
    'Ⅷ',
    '①',
    '3.14',
    '1e10',
    '0x1F',
    'src/app.ts:10',
    '=>',
    '===',
    '//',
    '/*',
    '*/',
    '</div>',
    '{',
    '}',
    '{}',
    '();',
    '"',
    '`',
    '$',
    '\\',
    '\\n',
    '-',
    '--',
    '…',
    '—',
    '。',
    '，',
    '\ufeff',
    '\u200b',
    '\u200d',
    '\u00ad',
    '\0',
    '\x1b[0m',
    '\x7f',
    "'s",
    "'S",
    "'ſ",
    "'t",
    "'re",
    "'RE",
    "'ve",
    "'m",
    "'ll",
    "'lL",
    "'d",
    "'x",
    "'",
    "''",
    '’s',
    'can',
    "don't",
    "IT'S",
    "x'll'd",
    '<|endoftext|>',
    '<|endofprompt|>',
    '<|fim_prefix|>',
    '<|im_start|>',
    '<|',
    '|>',
  );
  const blanks = fc.constantFrom(
    '',
    '',
    '',
    ' ',
    ' ',
    '  ',
    '   ',
    '\t',
    '\n',
    '\n\n',
    '\r',
    '\r\n',
    ' \n',
    '\n ',
    '\n\t\t',
    '/\n',
    '\n/',
    ' \r\n \r\n ',
    '\u00a0',
    '\u3000',
    '\u2028',
    '\u0085',
    '\v',
    '\f',
    '\u1680',
    '\u202f',
    '\u180e',
    '\x1c',
    '\x1f',
  );
  const mixed = fc.array(fc.oneof(words, blanks), { maxLength: 30 }).map((all) => all.join(''));
  const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((all) => String.fromCharCode(...all));

  test('words, scripts, emoji, contractions, digits, code and blanks', () => assertProperty(mixed, 4000));
  test('any characters', () => assertProperty(any));
  test('any UTF-16 code units, halves of surrogate pairs included', () => assertProperty(units));
  test('ASCII', () => assertProperty(fc.string({ unit: 'binary-ascii', maxLength: 200 }), 3000));
  test('letters and marks that can be the end of one class and the beginning of another', () => {
    const unit = fc.constantFrom('A', 'a', 'ʰ', '中', '\u0301', 'ǅ', "'s", ' ', '1', '.');
    assertProperty(
      fc.array(unit, { maxLength: 20 }).map((all) => all.join('')),
      3000,
    );
  });
  test('runs', () => {
    const unit = fc.oneof(
      fc.constantFrom('a', 'A', ' ', '\n', '\t', '=', '-', '7', '─', 'é', '中', '🙂', 'ab', ' \n', '\r\n', 'QUJD', "'s", '\ud800'),
      words,
    );
    const run = fc.tuple(unit, fc.integer({ min: 1, max: 700 })).map(([piece, count]) => piece.repeat(count));
    assertProperty(
      fc.array(fc.oneof({ weight: 3, arbitrary: mixed }, run), { maxLength: 4 }).map((all) => all.join('')),
      300,
    );
  });
  test('long words of few letters', () => {
    const letters = fc
      .constantFrom('ab', 'abc', 'aeiost', 'XYZ', '=-', '<>', 'あい', 'ın')
      .chain((alphabet) => fc.array(fc.constantFrom(...alphabet), { minLength: 100, maxLength: 800 }).map((all) => all.join('')));
    assertProperty(letters, 300);
  });
});

test('every character, alone, after a letter, before one and in a run', () => {
  // Of those that are many and alike, every 61st.
  const isOneOfMany = /[\p{Cn}\p{Co}\p{Unified_Ideograph}\p{Script=Hangul}]/u;
  const characters = [];
  for (let code = 0; code < 0x110000; code++) {
    const character = String.fromCodePoint(code);
    if (code % 61 === 0 || !isOneOfMany.test(character)) characters.push(character);
  }
  for (let from = 0; from < characters.length; from += 64) {
    assertExact(
      characters
        .slice(from, from + 64)
        .map((c) => `x${c}y ${c}${c}. ${c}Z`)
        .join('\n'),
    );
  }
});

test('the vocabularies are those of tiktoken', () => {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../scripts/vocabularies.mjs', import.meta.url)), '--check']);
});
