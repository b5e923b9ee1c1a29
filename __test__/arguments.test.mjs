import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { YamlAdapter } from '../unbundled/drop-in.js';
import checks from '../unbundled/checks.js';
import checking from '../unbundled/options/index.js';
import { cases } from './support/seed.mjs';

const { describe } = checks;
const checkCompressOptions = (options) => checking.checkOptions('compress', options);

const accepts = (options) => assert.doesNotThrow(() => checkCompressOptions(options));
const refuses = (options, message, name = 'TypeError') => {
  assert.throws(() => checkCompressOptions(options), { name, message });
};

/** The options of the contract's section 1.3, and the two that this package adds. */
const documented = [
  'preserve',
  'recencyWindow',
  'sourceVersion',
  'dedup',
  'fuzzyDedup',
  'fuzzyThreshold',
  'embedSummaryId',
  'preservePatterns',
  'tokenBudget',
  'minRecencyWindow',
  'forceConverge',
  'tokenCounter',
  'compressionThreshold',
  'observationThreshold',
  'summarizer',
  'classifier',
  'classifierMode',
  'trace',
  'concurrency',
  'signal',
];
const switches = ['dedup', 'fuzzyDedup', 'embedSummaryId', 'forceConverge', 'trace'];
const numbers = [
  'recencyWindow',
  'sourceVersion',
  'fuzzyThreshold',
  'tokenBudget',
  'minRecencyWindow',
  'compressionThreshold',
  'observationThreshold',
];

test('describe names the kind of a value', () => {
  const kinds = [null, undefined, 1, '1', 1n, true, Symbol('s'), () => {}, [], {}, new Map()].map(describe);
  assert.deepEqual(kinds, [
    'null',
    'undefined',
    'number',
    'string',
    'bigint',
    'boolean',
    'symbol',
    'function',
    'array',
    'object',
    'object',
  ]);
});

test('options are an object or nothing', () => {
  accepts(undefined);
  accepts({});
  accepts(Object.create(null));
  accepts(Object.freeze({ trace: true }));
  refuses(null, 'compress(): options must be an object, got null');
  accepts(4); // sessions.map(compress) passes the index
  refuses('trace', 'compress(): options must be an object, got string');
  refuses(() => {}, 'compress(): options must be an object, got function');
});

test('null and undefined mean the default for every option', () => {
  for (const name of documented) {
    accepts({ [name]: null });
    accepts({ [name]: undefined });
  }
});

test('switches are read for their truthiness and never refused', () => {
  fc.assert(fc.property(fc.constantFrom(...switches), fc.anything(), (name, value) => accepts({ [name]: value })));
});

test('numbers may be anything that a number can be', () => {
  const values = [0, -0, 1.5, -3, NaN, Infinity, Number.MAX_VALUE];
  for (const name of numbers) {
    for (const value of values) if (name !== 'tokenBudget' || !Number.isNaN(value)) accepts({ [name]: value });
    for (const [value, kind] of [
      ['4', 'string'],
      [4n, 'bigint'],
      [[4], 'array'],
      [true, 'boolean'],
    ]) {
      refuses({ [name]: value }, `compress(): options.${name} must be a number, got ${kind}`);
    }
  }
  accepts({ recencyWindow: -Infinity, tokenBudget: -Infinity });
});

test('a tokenBudget that is no number of tokens is refused', () => {
  refuses({ tokenBudget: NaN }, 'compress(): options.tokenBudget must be a number of tokens, got NaN', 'RangeError');
});

test('minRecencyWindow must be a safe integer', () => {
  for (const value of [-Infinity, -1e300]) {
    refuses(
      { minRecencyWindow: value },
      `compress(): options.minRecencyWindow must be at least -9007199254740991, got ${value}`,
      'RangeError',
    );
  }
});

test('callbacks', () => {
  for (const name of ['tokenCounter', 'summarizer', 'classifier']) {
    accepts({ [name]: () => 1 });
    accepts({ [name]: class {} });
    refuses({ [name]: 5 }, `compress(): options.${name} must be a function, got number`);
    refuses({ [name]: {} }, `compress(): options.${name} must be a function, got object`);
  }
  for (const none of [false, 0, '', NaN]) accepts({ summarizer: none, classifier: none });
  refuses({ tokenCounter: 0 }, 'compress(): options.tokenCounter must be a function, got number');
  refuses({ tokenCounter: false }, 'compress(): options.tokenCounter must be a function, got boolean');
});

test('preserve', () => {
  accepts({ preserve: [] });
  accepts({ preserve: ['system', 'tool'] });
  accepts({ preserve: new Set(['tool']) });
  accepts({ preserve: new Map([['tool', 1]]).keys() });
  const expected = 'compress(): options.preserve must be an iterable of role strings';
  refuses({ preserve: 'tool' }, `${expected} such as an array or a Set, got string`);
  refuses({ preserve: {} }, `${expected} such as an array or a Set, got object`);
  refuses({ preserve: true }, `${expected} such as an array or a Set, got boolean`);
  refuses({ preserve: ['tool', 5] }, `${expected}, got number`);
  refuses({ preserve: new Set([null]) }, `${expected}, got null`);
});

test('preserve: an iterable that can be read only once is not read by the check', () => {
  function* roles() {
    yield 'tool';
  }
  const preserve = roles();
  accepts({ preserve });
  assert.deepEqual([...preserve], ['tool']);
});

test('preservePatterns', () => {
  accepts({ preservePatterns: [] });
  accepts({
    preservePatterns: [
      { re: /x/g, label: 'x' },
      { re: { test: () => true }, label: '' },
    ],
  });
  const name = 'compress(): options.preservePatterns';
  refuses({ preservePatterns: /x/ }, `${name} must be an array of { re, label }, got object`);
  refuses({ preservePatterns: [/x/] }, `${name}[0].re must be a RegExp or an object with a test method, got undefined`);
  refuses({ preservePatterns: [null] }, `${name}[0] must be an object { re, label }, got null`);
  refuses(
    {
      preservePatterns: [
        { re: /x/, label: 'x' },
        { re: 'y', label: 'y' },
      ],
    },
    `${name}[1].re must be a RegExp or an object with a test method, got string`,
  );
  refuses({ preservePatterns: [{ re: /x/ }] }, `${name}[0].label must be a string, got undefined`);
});

test('preservePatterns: the check does not change the state of a pattern', () => {
  const re = /x/g;
  re.test('xx');
  accepts({ preservePatterns: [{ re, label: 'x' }] });
  assert.equal(re.lastIndex, 1);
});

test('classifierMode', () => {
  accepts({ classifierMode: 'hybrid' });
  accepts({ classifierMode: 'full' });
  refuses({ classifierMode: 'Full' }, "compress(): options.classifierMode must be 'hybrid' or 'full', got 'Full'");
  refuses({ classifierMode: 1 }, "compress(): options.classifierMode must be 'hybrid' or 'full', got 1");
});

test('thresholds of the opt-in features are any numbers', () => {
  for (const name of ['importanceThreshold', 'contradictionTopicThreshold', 'relevanceThreshold']) {
    for (const value of [0, -1, 0.5, 100, NaN, Infinity, null, undefined]) accepts({ [name]: value });
    refuses({ [name]: '0.5' }, `compress(): options.${name} must be a number, got string`);
  }
});

test('compressionDepth, budgetStrategy and entropyScorerMode are one of a few names', () => {
  for (const value of ['gentle', 'moderate', 'aggressive', 'auto', null]) accepts({ compressionDepth: value });
  refuses(
    { compressionDepth: 'deep' },
    "compress(): options.compressionDepth must be 'gentle', 'moderate', 'aggressive' or 'auto', got 'deep'",
  );
  for (const value of ['binary-search', 'tiered', null]) accepts({ budgetStrategy: value });
  refuses({ budgetStrategy: 'Tiered' }, "compress(): options.budgetStrategy must be 'binary-search' or 'tiered', got 'Tiered'");
  for (const value of ['augment', 'replace', null]) accepts({ entropyScorerMode: value });
  refuses({ entropyScorerMode: true }, "compress(): options.entropyScorerMode must be 'augment' or 'replace', got true");
});

test('entropyScorer is a function, or falsy for none', () => {
  for (const value of [() => [], async () => [], null, false, 0]) accepts({ entropyScorer: value });
  refuses({ entropyScorer: [1] }, 'compress(): options.entropyScorer must be a function, got array');
});

test('concurrency', () => {
  for (const value of [1, 4, 1000, Infinity]) accepts({ concurrency: value });
  refuses({ concurrency: '4' }, 'compress(): options.concurrency must be a number, got string');
  for (const value of [0, -1, 1.5, NaN, -Infinity]) {
    refuses({ concurrency: value }, `compress(): options.concurrency must be a positive integer or Infinity, got ${value}`, 'RangeError');
  }
});

test('signal', () => {
  accepts({ signal: new AbortController().signal });
  accepts({ signal: AbortSignal.abort() });
  accepts({ signal: { aborted: false, addEventListener() {}, removeEventListener() {} } });
  for (const value of [new AbortController(), {}, { aborted: false }]) {
    refuses({ signal: value }, 'compress(): options.signal must be an AbortSignal, got object');
  }
  refuses({ signal: true }, 'compress(): options.signal must be an AbortSignal, got boolean');
});

test('adapters are checked one by one, each of their methods by its name', () => {
  const adapter = { name: 'x', detect() {}, extractPreserved() {}, extractCompressible() {}, reconstruct() {} };
  for (const fine of [null, undefined, false, [], [adapter], [YamlAdapter, adapter]]) accepts({ adapters: fine });
  refuses({ adapters: {} }, 'compress(): options.adapters must be an array of adapters, got object');
  refuses({ adapters: [adapter, null] }, 'compress(): options.adapters[1] must be an adapter, got null');
  refuses({ adapters: [{ ...adapter, name: 5 }] }, 'compress(): options.adapters[0].name must be a string, got number');
  for (const method of ['detect', 'extractPreserved', 'extractCompressible', 'reconstruct']) {
    refuses(
      { adapters: [{ ...adapter, [method]: undefined }] },
      `compress(): options.adapters[0].${method} must be a function, got undefined`,
    );
  }
});

test('any value is accepted or refused with a documented error', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...documented), fc.anything({ withBigInt: true, withSet: true, withMap: true })),
      (options) => {
        try {
          checkCompressOptions(options);
        } catch (error) {
          assert.ok(error instanceof TypeError || error instanceof RangeError, String(error));
          assert.match(error.message, /^compress\(\): options\.\w+(\[\d+\](\.\w+)?)? must be /);
        }
      },
    ),
    { numRuns: cases(1000) },
  );
});
