// Options that the replaced package ignores: each name causes one warning, and has no other effect.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compress, createClassifier, createSummarizer, fit, uncompress } from 'palimpsest';
import {
  createEscalatingClassifier,
  createEscalatingSummarizer,
  refineSummarizer,
  refineSummarizerCandidates,
  tightenSummarizer,
} from 'palimpsest/compress';

const text = 'The cranes at the harbour move slowly when the wind is up, and the crew waits for the tide. '.repeat(4);
const messages = Array.from({ length: 8 }, (_, index) => ({ id: `m${index}`, index, role: 'user', content: `${index} ${text}` }));

const warnings = [];
process.on('warning', ({ name, code, message }) => warnings.push({ name, code, message }));

/** The warnings that a call makes, and its result. */
async function warned(call) {
  warnings.length = 0;
  const result = await call();
  await new Promise(setImmediate);
  return { result, texts: warnings.map(({ message }) => message), all: [...warnings] };
}

test('each name once, with the option that was meant; the result is the same', async () => {
  const plain = compress(messages, { recencyWindow: 1 });
  const call = () => compress(messages, { recencyWindow: 1, maxTokens: 40, keepRecent: 2, colour: 'red' });
  const { result, texts, all } = await warned(call);
  assert.deepEqual(result, plain);
  assert.equal(texts.length, 3);
  assert.equal(texts[0], 'compress(): options.maxTokens is not an option and has no effect: did you mean options.tokenBudget?');
  assert.equal(texts[1], 'compress(): options.keepRecent is not an option and has no effect: did you mean options.recencyWindow?');
  assert.match(texts[2], /^compress\(\): options\.colour is not an option and has no effect: the options are format, preserve, /);
  for (const { name, code } of all) assert.deepEqual({ name, code }, { name: 'Warning', code: 'PALIMPSEST_UNKNOWN_OPTION' });
  assert.deepEqual((await warned(call)).texts, []);
  assert.match((await warned(() => compress(messages, { maxTokens: 1, budget: 4 }))).texts.join(), /^[^,]*options\.budget/);
});

test('an option that is there is checked as before beside one that is not', () => {
  assert.throws(() => compress(messages, { colour: 'red', recencyWindow: 'all' }), {
    name: 'TypeError',
    message: 'compress(): options.recencyWindow must be a number, got string',
  });
});

test('also with a format, and with a summarizer', async () => {
  const chat = messages.map(({ role, content }) => ({ role, content }));
  const { texts } = await warned(() => compress(chat, { format: 'auto', provider: 'openai' }));
  assert.deepEqual(texts, ['compress(): options.provider is not an option and has no effect: did you mean options.format?']);
  const later = await warned(() => compress(messages, { summarizer: () => 'Short.', summariser: 1 }));
  assert.deepEqual(later.texts, ['compress(): options.summariser is not an option and has no effect: did you mean options.summarizer?']);
});

test('the other functions of the drop-in', async () => {
  const { messages: short, verbatim } = compress(messages);
  const ask = () => '[{"preserveTerms":["x"],"guidelines":["y"]}]';
  const feedback = { suggestedTerms: [], guidelines: [], removableTerms: [], tighteningGuidelines: [] };
  const calls = {
    uncompress: (options) => uncompress(short, verbatim, options),
    createSummarizer: (options) => createSummarizer(ask, options),
    createEscalatingSummarizer: (options) => createEscalatingSummarizer(ask, options),
    createClassifier: (options) => createClassifier(ask, options),
    createEscalatingClassifier: (options) => createEscalatingClassifier(ask, options),
    refineSummarizer: (options) => refineSummarizer(options, feedback),
    tightenSummarizer: (options) => tightenSummarizer(options, feedback),
    refineSummarizerCandidates: (options) => refineSummarizerCandidates(ask, options, feedback),
  };
  for (const [name, call] of Object.entries(calls)) {
    const { texts } = await warned(() => call({ colour: 'red' }));
    assert.equal(texts.length, 1, name);
    assert.match(texts[0], new RegExp(`^${name}\\(\\): options\\.colour is not an option and has no effect: the options are \\w+`));
    assert.deepEqual((await warned(() => call({ colour: 'red' }))).texts, [], name);
  }
  const { texts } = await warned(() => createSummarizer(ask, { maxTokens: 100 }));
  assert.deepEqual(texts, [
    'createSummarizer(): options.maxTokens is not an option and has no effect: did you mean options.maxResponseTokens?',
  ]);
});

test('a name whose value is undefined, a symbol, what a class has, and what Object.prototype has are no mistakes', async () => {
  class Options {
    trace = false;
    get size() {
      return 1;
    }
    toJSON() {}
  }
  const odd = [{ maxTokenz: undefined }, { [Symbol('x')]: 1 }, new Options(), Object.create(new Options()), Object.create(null)];
  odd.push(Object.defineProperty({}, 'watched', { value: 1 }));
  Object.defineProperty(Object.prototype, 'addedByALibrary', { value: 1, enumerable: true, configurable: true, writable: true });
  try {
    const { texts } = await warned(() => {
      for (const options of odd) {
        compress(messages, options);
        fit(messages, Object.defineProperty(options, 'limit', { value: 500 }));
      }
    });
    assert.deepEqual(texts, []);
  } finally {
    delete Object.prototype.addedByALibrary;
  }
});

test('an inherited name is a mistake like an own one', async () => {
  const { texts } = await warned(() => compress(messages, Object.create({ keepers: 1 })));
  assert.match(texts.join(), /options\.keepers is not an option/);
  assert.throws(() => fit(messages, Object.assign(Object.create({ keepers: 1 }), { limit: 500 })), /options\.keepers is not an option/);
  const own = JSON.parse('{"toString": 1, "__proto__": 2}');
  for (const name of ['toString', '__proto__']) {
    assert.throws(() => fit(messages, Object.defineProperty({ limit: 500 }, name, Object.getOwnPropertyDescriptor(own, name))), {
      message: new RegExp(`options\\.${name} is not an option`),
    });
  }
});

test('names without end cost neither memory nor warnings without end', async () => {
  const { texts } = await warned(() => {
    for (let index = 0; index < 3000; index++) compress([], { [`name${index}`]: 1 });
  });
  assert.ok(texts.length > 100 && texts.length <= 1000, `${texts.length} warnings`);
});

test('a long name is shown by its start', () => {
  const name = 'x'.repeat(100_000);
  assert.throws(
    () => fit([], { limit: 1, [name]: 1 }),
    (error) => error.message.length < 500 && /options\.x{40}…|options\["x{40}…"\]/.test(error.message),
  );
});
