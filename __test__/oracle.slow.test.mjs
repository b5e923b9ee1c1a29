// The engine against the contract's rules written a second time (support/contract.mjs), on many random texts. If they
// differ, the text is printed with its seed.
//
// `PALIMPSEST_ORACLE_ROUNDS=20 node --test __test__/oracle.slow.test.mjs` looks further.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import test from 'node:test';

import * as palimpsest from '../unbundled/drop-in.js';
import * as contract from './support/contract.mjs';
import {
  anyText,
  fromPieces,
  plainProse,
  Random,
  randomConversation,
  randomFences,
  randomLines,
  randomOptions,
  randomProse,
} from './support/random.mjs';
import { cases, SEED } from './support/seed.mjs';

const native = createRequire(import.meta.url)('../unbundled/native.js').default;

const ROUNDS = Number(process.env.PALIMPSEST_ORACLE_ROUNDS ?? 1);
const COUNT = cases(20_000);

/**
 * Compares `engine(input)` with `expected(input)` on `count` inputs from `generate(random)`, and returns how often each
 * `outcome(expected value)` came up, so that a test can tell that its inputs reached what it is about.
 */
function compare({ generate, engine, expected, count = COUNT, outcome = (value) => value }) {
  const outcomes = {};
  for (let number = 0; number < count * ROUNDS; number++) {
    const seed = SEED + number;
    const input = generate(new Random(seed));
    const [actual, wanted] = [JSON.stringify(engine(input)), expected(input)];
    if (actual !== JSON.stringify(wanted)) {
      assert.fail(`seed ${seed}: ${JSON.stringify(input)}\nengine:   ${actual}\ncontract: ${JSON.stringify(wanted)}`);
    }
    const name = outcome(wanted);
    outcomes[name] = (outcomes[name] ?? 0) + 1;
  }
  return outcomes;
}

/** Asserts that each of `names` occurred at least this often. */
function assertReached(outcomes, names, least = 100) {
  const rare = names.filter((name) => !(outcomes[name] >= least));
  assert.deepEqual(rare, [], `the random inputs say too little: ${JSON.stringify(outcomes)}`);
}

const oneOf =
  (...generators) =>
  (random) =>
    random.pick(generators)(random);

// ---- The text model: every one of the 65,536 code units ------------------------------------------------------------

function unitsWhere(predicate) {
  const found = [];
  for (let code = 0; code <= 0xffff; code++) if (predicate(String.fromCharCode(code))) found.push(code.toString(16));
  return found;
}

test('white space is what \\s matches: a URL ends before it and trimming removes it', () => {
  const expected = unitsWhere((unit) => /\s/.test(unit));
  assert.deepEqual(
    unitsWhere((unit) => palimpsest.extractEntities(`http://a${unit}b`, 9).includes('http://a')),
    expected,
  );
  const isTrimmed = (unit) => {
    const content = `${unit.repeat(2)}x${'y'.repeat(400)}${unit.repeat(2)}`;
    const [{ content: text }] = palimpsest.compress([{ id: 'a', index: 0, content }], { observationThreshold: -1 }).messages;
    return text.startsWith('[summary: xy');
  };
  // A mark that ends a sentence is also dropped at its start, though not trimmed.
  assert.deepEqual(
    unitsWhere((unit) => !'.!?'.includes(unit) && isTrimmed(unit)),
    expected,
  );
});

test('word characters are what \\w matches: they decide where a word ends', () => {
  const isWord = (unit) => !palimpsest.extractEntities(`${unit}fooBar`, 9).some((entity) => entity === 'fooBar');
  assert.deepEqual(
    unitsWhere(isWord),
    unitsWhere((unit) => /\w/.test(unit)),
  );
});

test('a line starts after any character that . does not match', () => {
  const startsLine = (unit) => palimpsest.classifyMessage(`x${unit}Traceback (most recent call last)`).reasons.includes('error_traceback');
  assert.deepEqual(
    unitsWhere(startsLine),
    unitsWhere((unit) => !/./.test(unit)),
  );
});

test('case is folded for ASCII letters only, and for the micro sign', () => {
  const score = (text) => palimpsest.bestSentenceScore(text);
  assert.deepEqual(
    unitsWhere((unit) => score(`mu${unit}t`) >= 4),
    ['53', '73'],
  );
  const isScored = (unit) => score(`5 ${unit}b x`) === 2; // `%` is a unit where a word character stands right behind it
  assert.deepEqual(
    unitsWhere(isScored),
    [...'%GKMTgkmt'].map((unit) => unit.charCodeAt(0).toString(16)),
  );
  const isUnit = (unit) => palimpsest.classifyMessage(`5 ${unit}s`).reasons.includes('numeric_with_units');
  assert.deepEqual(
    unitsWhere(isUnit),
    unitsWhere((unit) => /\b\d+\s*(?:[\u00b5mn]?s)\b/i.test(`5 ${unit}s`)),
  );
});

test('each code unit counts as one special character or none', () => {
  const isSpecial = (unit) => palimpsest.classifyMessage(`${unit}${unit}aaaaaaaaa`).reasons.includes('high_special_char_ratio');
  assert.deepEqual(
    unitsWhere(isSpecial),
    unitsWhere((unit) => contract.holds('high_special_char_ratio', `${unit}${unit}aaaaaaaaa`)),
  );
});

test('texts are cut between UTF-16 code units, through a surrogate pair if need be', () => {
  for (let shift = 0; shift < 4; shift++) {
    const content = `${'\u00e9'.repeat(shift)}${'\ud83d\ude00'.repeat(400)}`;
    const [{ content: text }] = palimpsest.compress([{ id: 'a', index: 0, content }], { recencyWindow: 0 }).messages;
    assert.equal(text, `[summary: ${content.slice(0, Math.round(content.length * 0.3) - 3)}...]`);
  }
});

// ---- Classification: all reasons on mixed texts, and each on arrangements of what it reads -----------------------------

test('the 27 reasons, decision and confidence on mixed texts', () => {
  const seen = {};
  const outcomes = compare({
    generate: anyText,
    engine: palimpsest.classifyMessage,
    expected: contract.classify,
    outcome: ({ decision, reasons }) => {
      for (const reason of reasons) seen[reason] = (seen[reason] ?? 0) + 1;
      return decision;
    },
  });
  assert.equal(Object.keys(contract.REASONS).length, 27);
  assertReached(outcomes, ['T0', 'T2', 'T3']);
  // The rarest comes up some thirty times.
  assertReached(seen, Object.keys(contract.REASONS), 5);
});

const CLASSIFIER_PIECES = {
  code_fence: [['```', '```', '`', ' ', '   ', '\n', '\n', '\n', 'js', 'c+', '\r', '\u2028', 'x'], 12],
  indented_code: [['    ', ' ', '\t', '\n', '\n', '\r', 'x', '\u2028', '\u00a0'], 12],
  latex_math: [['$', '$', 'x', '\n', '\r'], 9],
  unicode_math: [[...'∀∃∈∉⊆⊇∪∩∧∨¬→↔∑∏∫√∞≈≠≤≥±×÷', '∁', '⊂', '÷', 'x', 'Ø', '≡', '←', '∓', '·'], 2],
  json_structure: [['{', '[', '"', '1', '-', ' ', '\n', '\ufeff', 'x'], 5],
  yaml_structure: [['a', 'b-:', 'c: ', 'd: ', 'e: x', ':', ' ', '\n', '\n', '\n', '\r', '_', '\u2029'], 10],
  verse_pattern: [['\n', '\n', '\nA', '\nBc d', '\nD', 'e', '.', '!', '\r', ' '], 9],
  high_line_length_variance: [['\n', '\n', 'x', 'xxxx', 'xxxxxxxxxxxxxxxx', '\r'], 14],
  high_special_char_ratio: [
    ['{', ']', '<', '|', '\\', ';', ':', '@', '#', '$', '=', '`', '~', 'aaaa', 'bbbbb', '\u00e9\u00e9\u00e9', '/', '.', '-', '_'],
    9,
  ],
  sql_content: [
    [
      'left',
      'join',
      'order',
      'by',
      'not',
      'null',
      'select',
      'from',
      'where',
      'set',
      'union',
      'values',
      'x',
      ' ',
      ' ',
      ' ',
      '  ',
      '\n',
      '_',
      'é',
      'WITH',
      'recursive',
      'JOIN',
    ],
    12,
  ],
  api_key: [
    [
      'sk-',
      'sk',
      '-',
      '-',
      '_',
      'ab-',
      'cde-',
      'Ab',
      'x',
      'g',
      '1',
      '0123456789',
      'abcdefghij',
      'ABCDEFGHIJ',
      'f0',
      ' ',
      'é',
      '.',
      'SG.',
      'AKIA',
      'ghp_',
      'github_pat_',
      'xoxb-',
      'glpat-',
      'npm_',
      'AIza',
      'sk_live_',
      'rk_test_',
      'abcdefghijklmnopqrstuvwxyz0123456789',
    ],
    9,
  ],
  reasoning_chain: [
    [
      'thus',
      'first',
      'second',
      'Hence',
      'therefore',
      'let me',
      'think',
      'step',
      'by',
      ' ',
      ' ',
      '\n',
      '-',
      ':',
      '1',
      '.',
      ')',
      'Analysis',
      '\t',
      '∴',
      'QED',
      'which means',
      "let's",
      'consider',
    ],
    16,
  ],
  url: [['http', 's', ':', '//', 'http://', ' ', 'x', 'H'], 6],
  email: [['@', '@b', '.', '.de', 'a', 'bc', '-', '+', '_', '1', ' ', 'é'], 9],
  phone: [['555', '555', '1234', '-', '.', ' ', 'a', '_', '(', '\u00a0', '5'], 9],
  version_number: [['v', 'V', '1', '23', '.', '.', 'x', '_', ' ', 'version', '\n', 'é'], 9],
  hash_or_sha: [['0123456789', 'abcdef0123', 'ABCDEF', 'g', ' ', '0', 'deadbeefdeadbeefdeadbeefdeadbeefdeadbee'], 6],
  base64_content: [['abcdefghij', 'ABCDEFGHI', '+', '/', '0', '-', '_', '=', 'abcdefghijklmnopqrstuvwxyz0123456789ABC'], 6],
  file_path: [['/', '/', 'a', '.', '-', '_', ' ', 'é'], 9],
  ip_or_semver: [['1', '23', '.', '.', 'x', '_', ' ', '-'], 10],
  quoted_key: [['"', '"', 'abc', 'a', ',', ':', ' ', '\n'], 9],
  legal_term: [['shall', 'may', 'not', ' ', ' ', '\n', 'HEREBY', '_', 'é', 'Whereas', 'x', 'notwithstanding'], 6],
  direct_quote: [['"', '"', '“', '”', 'abcdefghij', 'abcde', 'x', '\n'], 9],
  numeric_with_units: [
    ['1', '5', '.', ' ', 's', 'm', 'k', 'M', 'B', 'H', 'z', 'g', '°', 'C', 'f', 'µ', 'μ', 'n', 'T', '_', 'x', '\u00a0'],
    7,
  ],
  error_traceback: [
    [
      'Traceback (most recent call last)',
      'Exception in thread',
      'at ',
      'at ',
      'at',
      'a',
      'b.c',
      '(',
      '(',
      '\n',
      '\n',
      ' ',
      '\r',
      '$',
      's',
      '\u2028',
    ],
    8,
  ],
  http_error: [
    [
      'status',
      'status code',
      'HTTP/1.1',
      'Response status code is',
      ' code',
      ' ',
      ' ',
      ':',
      '\n',
      '404',
      '503',
      '50',
      '0',
      'http/2',
      '.0',
      ' is',
      'x',
      '_',
      '200',
      ' 404',
      ': 503',
    ],
    5,
  ],
  failure_signature: [
    [
      'connection',
      'timed',
      'out',
      'timeout',
      'refused',
      'permission',
      'denied',
      'execution',
      'failed',
      'authentication',
      'error',
      'authorization',
      ' ',
      ' ',
      ' ',
      '\n ',
      '_',
    ],
    6,
  ],
};

for (const [reason, [pieces, maximum]] of Object.entries(CLASSIFIER_PIECES)) {
  test(`${reason} on arrangements of what it reads`, () => {
    const outcomes = compare({
      generate: fromPieces(pieces, maximum),
      engine: (text) => palimpsest.classifyMessage(text).reasons,
      expected: contract.reasonsOf,
      outcome: (reasons) => reasons.includes(reason),
    });
    assertReached(outcomes, [true, false], 50);
  });
}

test('reasoning chains by themselves', () => {
  const [pieces] = CLASSIFIER_PIECES.reasoning_chain;
  const outcomes = compare({
    generate: oneOf(fromPieces(pieces, 20), anyText),
    engine: native.isReasoningChain,
    expected: contract.isReasoningChain,
  });
  assertReached(outcomes, [true, false]);
});

// ---- Entities, scores, structure ---------------------------------------------------------------------------------------

const ENTITY_PIECES = {
  words: [['Ab', 'Lamp', 'The', 'It', 'foo', 'B', 'Bar', '_', 'x1', ' ', ' ', '\n', '\u00a0', 'é', 'grpc', 'TLS', 'y', '-', ', '], 12],
  quantities: [['1', '25', '.', ' ', '\n', 'ms', 'retrie', 's', '%', 'x', 'node', 'GB', 'y', 'percent', 'Day', ',', '_'], 9],
  paths: [['.', '.', '/', '-', 'a', 'B_', 'toolong', '1', ' ', 'é', './', '../', 'rs'], 12],
  urls: [['http', 's', ':', '//', 'http://', 'https://', ' ', 'x', '.', '\u0085', '\ufeff', ')'], 8],
  versions: [['v', 'V', '1', '23', '.', '.', 'x', '_', ' '], 10],
};

for (const [kind, [pieces, maximum]] of Object.entries(ENTITY_PIECES)) {
  test(`entities: ${kind}`, () => {
    const outcomes = compare({
      generate: fromPieces(pieces, maximum),
      engine: (text) => palimpsest.extractEntities(text, 500),
      expected: (text) => contract.extractEntities(text, 500),
      outcome: (found) => found.length > 0,
    });
    assertReached(outcomes, [true, false]);
  });
}

test('entities of mixed texts, under every cap', () => {
  const caps = [undefined, null, 0, 1, 4, 500, -1, Number.NaN, 2.5];
  const outcomes = compare({
    generate: (random) => [anyText(random).repeat(random.pick([1, 1, 1, 1, 1, 8])), random.pick(caps)],
    engine: ([text, cap]) => palimpsest.extractEntities(text, cap),
    expected: ([text, cap]) => contract.extractEntities(text, cap),
    outcome: (found) => Math.min(found.length, 10),
  });
  assertReached(outcomes, [0, 1, 3, 5, 10]);
});

test('the score of the best sentence', () => {
  const marks = fromPieces(
    [
      'a',
      'b.rs',
      '.',
      '!',
      '?',
      '\n',
      ' ',
      ':',
      '1',
      ':2:',
      'ok',
      'Ok,',
      'so',
      'must',
      'thus',
      'ERROR',
      'fooBar',
      'a_b',
      'grpc',
      '5 ms',
      'x'.repeat(38),
      'é',
      '\ufeff',
      "i'll",
      'key point',
      '_',
    ],
    10,
  );
  const starts = fromPieces(
    ['got it', 'got  it', 'no', 'no problem', ' ', ',', '.', '!', '\n', 'x', 'I’ll', "I'll", 'well', '_', 'OK', '\u00a0', 'ſo'],
    4,
  );
  const outcomes = compare({
    generate: oneOf(marks, starts, anyText, randomProse),
    engine: palimpsest.bestSentenceScore,
    expected: contract.bestSentenceScore,
    outcome: Math.sign,
  });
  assertReached(outcomes, [-1, 0, 1]);
});

test('structural elements', () => {
  const outcomes = compare({
    generate: oneOf(
      fromPieces(['|', '|', 'a', '\n', '\n', '\r', '{', '[', ' ', '```', '\u2028', '    ', '| a |'], 20),
      randomLines,
      randomFences,
    ),
    engine: native.countStructuralElements,
    expected: contract.structureCount,
  });
  assertReached(outcomes, [0, 1, 2, 3]);
});

// ---- Whole messages: excerpts, structured summaries, code splits ---------------------------------------------------------

/** A message that only its content can keep, and not even short content if `observationThreshold` is -1. */
const one = (content, options) => [[{ id: 'm', index: 0, role: 'tool', content }], { recencyWindow: 0, trace: true, ...options }];
const action = ({ compression }) => compression.decisions?.[0]?.reason.replace(/:.*/, '');

function compareCompressions(generate, count = COUNT) {
  return compare({
    count,
    generate,
    engine: ([messages, options]) => palimpsest.compress(messages, options),
    expected: ([messages, options]) => contract.compress(messages, options),
    outcome: action,
  });
}

test('excerpts: sentences, paragraphs, scores and packing', () => {
  const pieces = fromPieces(
    ['a b c', '.', '. ', '! ', '?', '\n', '\n\n', ' ', 'must', 'ok, ', 'x'.repeat(70), 'fooBar baz', '5 ms', '\ud83d\ude00'],
    30,
  );
  const outcomes = compareCompressions((random) => {
    const text = random.pick([pieces, randomProse, (r) => plainProse(r, 120)])(random);
    return one(random.chance(0.5) ? text.padEnd(320, ' tail') : text + random.pick(['', text]), { observationThreshold: -1 });
  });
  assertReached(outcomes, ['compressible_prose', 'single_reverted']);
});

test('structured summaries: lists, keys, file marks, status lines', () => {
  const line = fromPieces(
    ['src/a.rs', '.b', ':1:', ':', ' ', ' - ', '\t* ', '• ', 'key', 'PASS', 'ok', 'Tests', 'ERROR', '/', 'é', '3'],
    6,
  );
  const outcomes = compareCompressions((random) => {
    const lines = Array.from({ length: random.integer(4, 14) }, () => line(random) + random.pick(['', ' plain words behind it', ': x']));
    const text = random.chance(0.3) ? randomLines(random) : lines.join(random.pick(['\n', '\n', '\r\n', '\n\n', '\n ']));
    return one(random.chance(0.3) ? `${text}\n${text}` : text, { observationThreshold: -1 });
  });
  assertReached(outcomes, ['compressible_prose', 'single_reverted']);
});

test('code splits: fences, segments, joined prose', () => {
  const pieces = fromPieces(['```', '```', '`', '\n', '\n', '\n', ' ', '    ', 'x', '\r', '\u2028', 'js'], 20);
  const outcomes = compareCompressions((random) => {
    const prose = plainProse(random, 80);
    const code = random.pick([pieces, randomFences])(random);
    const fence = `${random.pick(['', 'short\n'])}\`\`\`\n${'code();\n'.repeat(20)}\`\`\``;
    return one(random.pick([`${prose}\n${code}`, `${code}${prose}`, `${prose}\n${code}\n${prose}`, code, fence + code]));
  });
  assertReached(outcomes, ['code_split', 'code_split_reverted', 'code_fence_no_prose', 'short_content']);
});

test('budgets of summaries of any length', () => {
  const outcomes = compareCompressions((random) => {
    const length = Math.round(120 * 2 ** (random.next() * 9));
    // Long texts in sentences only: the contract's patterns written down plainly take quadratic time without them.
    const piece = random.pick(length < 3000 ? ['x', 'ab ', 'word and. ', 'é'] : ['word and. ', 'Every other word. ']);
    return one(piece.repeat(length).slice(0, length), { observationThreshold: -1 });
  }, 500);
  assertReached(outcomes, ['compressible_prose']);
});

test('JSON that nothing but its grammar keeps', () => {
  const tokens = [
    'true',
    'null',
    'false',
    ',',
    ',',
    ' ',
    '\n',
    '\t',
    '[',
    ']',
    '{',
    '}',
    '"a"',
    ':',
    '1',
    '-0',
    '01',
    '1.',
    '1e9',
    '.5',
    '"\\u12"',
    '"\\ud800"',
    '"\t"',
    '\u00a0',
    '\ufeff',
    '"\ud800"',
    '"é"',
    '\\',
    '"',
  ];
  const inner = fromPieces(tokens, 5);
  const value = (random) => random.pick(['true', 'null', '[]', '{}', '[null]', '1', '"s"', '{"k": [1, 2]}', '-1.5e3', '""', '\n{ }']);
  const outcomes = compareCompressions((random) => {
    const items = Array.from({ length: random.integer(1, 6) }, () => (random.chance(0.93) ? value(random) : inner(random)));
    const text = `${random.pick(['', ' ', '\ufeff'])}[ true, ${items.join(', ')}${random.pick([']', ']', ']', ',]', '] ', '}'])}`;
    return one(`${' '.repeat(130)}${text}`);
  });
  assertReached(outcomes, ['json_structure', 'compressible_prose']);
});

// ---- Ids, duplicates, conversations --------------------------------------------------------------------------------------

test('summary ids', () => {
  const id = fromPieces(['a', 'b', '_', '0', '10', '9', 'é', '\ud83d\ude00', '\ud800', '\uffff', '\uff5e', ' ', ''], 4);
  const content = 'The lighthouse keeper repaired the lantern before dusk and went home. '.repeat(4);
  compare({
    count: 5000,
    generate: (random) => {
      const ids = new Set(Array.from({ length: random.integer(1, 5) }, () => id(random)));
      return [...ids].map((one, index) => ({ id: one, index, content: content + index }));
    },
    engine: (messages) => palimpsest.compress(messages, { recencyWindow: 0, dedup: false }).messages[0].metadata._cce_original.summary_id,
    expected: (messages) => contract.summaryId(messages.map((message) => message.id)),
  });
});

test('duplicates, exact and near', () => {
  const lines = [
    'one line of text that is long enough to count as something',
    'another Line',
    'Σίσυφος ΟΔΟΣ',
    'third\r',
    '  padded  ',
    'x',
    'İstanbul',
    'ΑΣ \ud800',
    '',
  ];
  const outcomes = compare({
    generate: (random) => {
      const texts = [];
      for (let count = random.integer(2, 7); count > 0; count--) {
        const own = Array.from({ length: random.integer(1, 9) }, () => random.pick(lines));
        if (texts.length > 0 && random.chance(0.5)) own.splice(0, random.integer(1, 9), ...random.pick(texts).split('\n'));
        const text = own.join('\n');
        texts.push(random.chance(0.1) ? text.toUpperCase() : text.padEnd(random.chance(0.9) ? 200 : 0, '\nfill up'));
      }
      const messages = texts.map((content, index) => ({ id: `m${index}`, index, role: random.pick(['user', 'user', 'system']), content }));
      return [messages, random.pick([0, 2, 4, texts.length]), random.pick([0.1, 0.5, 0.85])];
    },
    engine: ([messages, recencyStart, threshold]) => {
      const exact = palimpsest.analyzeDuplicates(messages, recencyStart);
      return sorted([...exact, ...palimpsest.analyzeFuzzyDuplicates(messages, recencyStart, ['system'], exact, threshold)]);
    },
    expected: ([messages, recencyStart, fuzzyThreshold]) => {
      const options = { preserve: ['system'], dedup: true, fuzzyDedup: true, fuzzyThreshold };
      return sorted(
        [...contract.duplicates(messages, options, recencyStart)].map(([position, { of, similarity }]) => [
          position,
          { duplicateOfIndex: of, contentLength: messages[position].content.length, similarity },
        ]),
      );
    },
    outcome: (found) => Math.min(found.length, 3),
  });
  assertReached(outcomes, [0, 1, 2, 3]);
});

const sorted = (entries) => entries.sort(([a], [b]) => a - b);

test('whole conversations under all options, by every number, decision and original', () => {
  const counter = (message) => contract.textOf(message).split(/\s+/).length;
  const patterns = () => [
    { re: /lamp keeper/gi, label: 'lamp' },
    { re: /dusk\?/, label: 'dusk' },
  ];
  const actions = {};
  compare({
    count: 2500,
    generate: (random) => {
      const messages = randomConversation(random);
      const counted = random.chance(0.2);
      const preserved = random.chance(0.2);
      const options = randomOptions(random, messages);
      // Patterns remember where they stopped, so each side gets its own.
      return {
        messages,
        options,
        own: () => ({ ...options, ...(counted && { tokenCounter: counter }), ...(preserved && { preservePatterns: patterns() }) }),
      };
    },
    engine: ({ messages, own }) => palimpsest.compress(messages, own()),
    expected: ({ messages, own }) => contract.compress(messages, own()),
    outcome: ({ compression, fits }) => {
      for (const { action, reason } of compression.decisions ?? []) {
        const name = `${action} ${reason.replace(/:.*/, '')}`;
        actions[name] = (actions[name] ?? 0) + 1;
      }
      return fits;
    },
  });
  assertReached(
    actions,
    [
      'preserved preserved_role',
      'preserved recency_window',
      'preserved tool_calls',
      'preserved short_content',
      'preserved already_compressed',
      'preserved code_fence_no_prose',
      'preserved hard_t0',
      'preserved pattern',
      'preserved single_reverted',
      'preserved merge_reverted',
      'preserved code_split_reverted',
      'deduped exact_duplicate',
      'fuzzy_deduped fuzzy_duplicate',
      'code_split code_split',
      'compressed compressible_prose',
      'compressed merged_compressed',
      'truncated force_converge',
    ],
    // The rarest comes up some twenty times, whatever the seed.
    5,
  );
});

test('the quality of any result against any input', () => {
  const message = (random) => ({ id: random.pick(['a', 'b', 'c', 'd']), index: 0, content: random.chance(0.1) ? null : anyText(random) });
  compare({
    count: 5000,
    generate: (random) => {
      const input = Array.from({ length: random.integer(0, 4) }, () => message(random));
      const output = input
        .filter(() => random.chance(0.6))
        .map((kept) => (random.chance(0.5) ? kept : { ...kept, content: anyText(random) }));
      return [input, output];
    },
    engine: ([input, output]) => palimpsest.computeQualityScore(input, output),
    expected: ([input, output]) => contract.quality(input, output),
  });
});
