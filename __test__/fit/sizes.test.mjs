// Small, large and odd conversations: within the budget, restored, in time that grows with the text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTokens, fit, restore, validate } from '../../index.mjs';
import { closed, lines, resultOf, sentence, Talk } from './talk.mjs';

test('an empty history', () => {
  for (const format of ['openai-chat', 'anthropic', 'message']) {
    const total = countTokens([], { format });
    for (const budget of [0, 1, 1000, Infinity]) {
      const { messages, originals, fits, tokens } = fit([], { budget, format });
      assert.deepEqual({ messages, originals, fits }, { messages: [], originals: {}, fits: total <= budget });
      assert.deepEqual([tokens.before, tokens.after], [total, total]);
    }
  }
});

const work = () =>
  closed(new Talk().user('Look at it.').call('Read', { path: 'a.txt' }, lines(200)).call('Read', { path: 'b.txt' }, lines(50)));

test('a budget above the total touches nothing', () => {
  const { messages, tokens: total } = work();
  for (const budget of [total, total + 0.5, 2 * total, Number.MAX_VALUE, Infinity]) {
    const { messages: fitted, originals, fits } = fit(messages, { budget });
    assert.ok(fits);
    assert.deepEqual(originals, {});
    assert.notEqual(fitted, messages, "the array is the caller's");
    assert.equal(fitted.length, messages.length);
    fitted.forEach((message, index) => assert.equal(message, messages[index]));
  }
});

test('budgets of nothing, of one, of a fraction', () => {
  const { messages } = work();
  let smallest;
  for (const budget of [0, 1, 0.5]) {
    const { messages: fitted, fits, tokens } = fit(messages, { budget });
    assert.ok(!fits);
    assert.equal(tokens.minimum, countTokens(fitted));
    assert.deepEqual(validate(fitted), []);
    smallest ??= tokens.minimum;
    assert.equal(tokens.minimum, smallest);
  }
  // What the minimum promises holds, and nothing smaller would do.
  assert.ok(fit(messages, { budget: smallest }).fits);
  assert.ok(!fit(messages, { budget: smallest - 0.5 }).fits);
  const { fits, tokens } = fit(messages, { budget: 700.7 });
  assert.ok(fits && tokens.after <= 700.7);
});

const random = (seed) => () => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed / 2147483648;
};
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const item = (number) => ({ id: number, name: `item_${number}`, note: 'the same for all' });

/** About `length` UTF-16 code units of each kind. */
const KINDS = {
  sentences: (length) => lines(length / 80),
  'one line of sentences': (length) => lines(length / 80).replaceAll('\n', ' '),
  code: (length) =>
    lines(length / 40, (n) => (n % 10 === 0 ? `function f${n}(a, b) {` : n % 10 === 9 ? '}\n' : `    const value_${n} = a + b * ${n};`)),
  log: (length) => lines(length / 40, (n) => `12:30:${10 + (n % 50)} INFO worker ${n} did it`),
  diff: (length) => lines(length / 20, (n) => (n % 9 === 0 ? '--- a/x.ts' : n % 9 === 1 ? '+++ b/x.ts' : `+line ${n} is new`)),
  'one letter': (length) => 'x'.repeat(length),
  base64: (length) => {
    const next = random(7);
    return Array.from({ length }, () => LETTERS[Math.floor(next() * 64)]).join('');
  },
  'an array': (length) => JSON.stringify(Array.from({ length: length / 56 }, (_, n) => item(n))),
  'a string in JSON': (length) => JSON.stringify({ text: lines(length / 80) }),
  'escapes in JSON': (length) => JSON.stringify({ text: '\\"'.repeat(length / 4) }),
  'nested arrays': (length) => '['.repeat(length / 2) + ']'.repeat(length / 2),
  'nested objects': (length) => '{"a":1,"b":'.repeat(length / 12) + 1 + '}'.repeat(length / 12),
  'line ends': (length) => '\n'.repeat(length),
  blanks: (length) => ' '.repeat(length),
  dots: (length) => '.'.repeat(length),
  abbreviations: (length) => 'a.1 '.repeat(length / 4),
  emoji: (length) => '😀'.repeat(length / 2),
  'marks without a letter': (length) => '\u0301'.repeat(length),
  Chinese: (length) => '灯台守在黄昏之前修好了灯笼，然后沿着海岸走回村子里去了。'.repeat(length / 28),
  fences: (length) => '```\n'.repeat(length / 4),
  headings: (length) => '## h1\n'.repeat(length / 6),
  'deeper and deeper': (length) => lines(Math.sqrt(2 * length), (n) => `${' '.repeat(n)}def`),
};
const holding = (text) => closed(new Talk().user('Look at it.').call('Read', { path: 'a' }, text));

/** The processor's time for a quarter of all tokens, in ms: the clock on the wall would measure what else the machine does. */
function timed(text) {
  const { messages, tokens: total } = holding(text);
  const budget = Math.floor(total / 4);
  const start = process.cpuUsage();
  const { messages: fitted, originals, tokens } = fit(messages, { budget });
  const { user, system } = process.cpuUsage(start);
  assert.ok(tokens.after <= budget, `${tokens.after} of ${budget}`);
  assert.deepEqual(restore(fitted, originals).messages, messages);
  return { ms: (user + system) / 1000, used: tokens.after / budget, fitted };
}

for (const [name, make] of Object.entries(KINDS)) {
  test(`time grows with the text: ${name}`, () => {
    const fastest = (length) => Math.min(...[0, 1].map(() => timed(make(length)).ms));
    const [quarter, whole] = [fastest(1 << 18), fastest(1 << 20)];
    // Four times the text in four times the time. As much again is granted, and 20 ms for what is too short to measure.
    assert.ok(whole < 8 * quarter + 20, `${quarter.toFixed(1)} ms for a quarter, ${whole.toFixed(1)} ms for the whole`);
  });
}

for (const name of ['sentences', 'one letter', 'base64', 'code', 'an array', 'nested arrays', 'nested objects', 'line ends']) {
  test(`5 MB: ${name}`, () => {
    const { used, fitted } = timed(KINDS[name](5e6));
    // What is nested to the end is one value that can't be shortened: it goes as a whole.
    if (!name.startsWith('nested')) assert.ok(used > 0.97, `${used} of the budget`);
    if (name === 'an array') assert.ok(JSON.parse(resultOf(fitted)).length > 1000);
  });
}

test('what the user or the model said may be large, too', () => {
  for (const how of ['user', 'assistant']) {
    const { messages, tokens: total } = closed(new Talk().user('Look at it.')[how](lines(12_000)));
    const { messages: fitted, originals, tokens } = fit(messages, { budget: total / 4 });
    assert.ok(tokens.after <= total / 4 && tokens.after > 0.97 * (total / 4), `${tokens.after} of ${total / 4}`);
    assert.deepEqual(restore(fitted, originals).messages, messages);
  }
});

test('what the user said, in time that grows with it', () => {
  for (const name of ['line ends', 'sentences', 'fences']) {
    const time = (length) => {
      const { messages, tokens: total } = closed(new Talk().user(`Look.${KINDS[name](length)}.`));
      const start = process.cpuUsage();
      fit(messages, { budget: total / 4 });
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    };
    const [quarter, whole] = [1 << 18, 1 << 20].map((length) => Math.min(time(length), time(length)));
    assert.ok(whole < 8 * quarter + 20, `${name}: ${quarter.toFixed(1)} ms for a quarter, ${whole.toFixed(1)} ms for the whole`);
  }
});

test('20,000 messages, in time that grows with them', () => {
  const talkOf = (count) => {
    const talk = new Talk();
    for (let n = 0; talk.messages.length < count; n++)
      talk
        .user(sentence(n))
        .call('Read', { path: `src/f${n}.ts` }, sentence(n + 1))
        .assistant(sentence(n + 2));
    return talk;
  };
  const time = (count) => {
    const { messages, tokens: total } = talkOf(count);
    const start = process.cpuUsage();
    const { messages: fitted, originals, tokens } = fit(messages, { budget: total / 4 });
    const { user, system } = process.cpuUsage(start);
    assert.ok(tokens.after <= total / 4 && tokens.after > 0.97 * (total / 4), `${tokens.after} of ${total / 4}`);
    assert.deepEqual(validate(fitted), []);
    assert.deepEqual(restore(fitted, originals).messages, messages);
    return (user + system) / 1000;
  };
  const [quarter, whole] = [time(5_000), time(20_000)];
  assert.ok(whole < 8 * quarter + 50, `${quarter.toFixed(1)} ms for 5,000, ${whole.toFixed(1)} ms for 20,000`);
});
