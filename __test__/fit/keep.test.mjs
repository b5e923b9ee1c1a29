// Content that is kept at any cost, and content that is removed last.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countTokens, fit, validate, restore } from 'palimpsest';
import { working } from '../prune/working.mjs';
import { cases } from '../support/seed.mjs';
import { FORMATS, sayIn } from '../support/transcripts.mjs';
import { lines, resultOf, sentence, Talk } from './talk.mjs';

/** Some days of work, with a user who says little. */
function days(count) {
  const talk = new Talk();
  for (let day = 0; day < count; day++) {
    talk.user(`Now do step ${day}, and mind the gate_${day}.`);
    for (let read = 0; read < 3; read++)
      talk.call(
        'Read',
        { path: `src/day${day}/${read}.ts` },
        lines(12, (n) => sentence(n + 20 * (3 * day + read))),
      );
    talk.assistant(`Step ${day} is done: ${sentence(900 + day)}`);
  }
  return talk.user('What is left?');
}
const said = (messages, role) => messages.filter((message) => message.role === role).map(({ content }) => content);
/** Removes the line about removed messages, if it was put into this message because no other was left. */
const unmarked = (texts) => texts.map((text) => text.replace(/^\[… \d+ messages?[^\]\n]*\]\n|\n\[… \d+ messages?[^\]\n]*\]$/g, ''));

test("the user's words go last", () => {
  const { messages, tokens } = days(12);
  const words = said(messages, 'user');
  for (const share of [0.5, 0.3]) {
    const budget = Math.floor(tokens * share);
    // Far less than a quarter of the budget.
    assert.ok(countTokens(messages.filter(({ role }) => role === 'user')) < budget / 6);
    assert.deepEqual(unmarked(said(fit(messages, { limit: budget }).messages, 'user')), words);
  }
});

test('the current exchange goes last', () => {
  const talk = days(10).call(
    'Bash',
    { command: 'npm test' },
    lines(20, (n) => `case ${n} of the suite passed in ${n} ms`),
  );
  const [call, result] = talk.messages.slice(-2);
  const exchange = countTokens([call, result]);
  const budget = Math.ceil(exchange / 0.25);
  assert.ok(budget < talk.tokens / 2);
  const { messages } = fit(talk.messages, { limit: budget });
  assert.deepEqual(messages.slice(-2), [call, result]);
  // It is cut like everything else if it takes most of the budget.
  assert.ok(fit(talk.messages, { limit: exchange }).messages.at(-1).content !== result.content);
});

test('keep.recent', () => {
  const { messages, tokens } = days(8);
  for (const recent of [1, 3, 7]) {
    const { messages: fitted, fits } = fit(messages, { limit: tokens / 3, keep: { recent } });
    assert.ok(fits);
    assert.deepEqual(
      unmarked(fitted.slice(-recent).map(({ content }) => content ?? '')),
      messages.slice(-recent).map(({ content }) => content ?? ''),
    );
  }
  for (const recent of [Infinity, messages.length, 2 ** 40]) {
    const result = fit(messages, { limit: tokens / 3, keep: { recent } });
    assert.deepEqual(result.messages, messages);
    assert.deepEqual([result.fits, result.tokens.minimum], [false, tokens]);
  }
});

test('keep.tools: calls and their results, whole', () => {
  const talk = days(3).call('Plan', { steps: lines(10) }, lines(10));
  const kept = talk.messages.slice(-2);
  for (let more = 0; more < 3; more++) talk.assistant(sentence(700 + more)).user('Go on.');
  const { messages } = fit(talk.messages, { limit: talk.tokens / 3, keep: { tools: ['Plan'] } });
  assert.ok(messages.includes(kept[0]));
  assert.ok(unmarked(said(messages, 'tool')).includes(kept[1].content));
});

test('keep.patterns, whatever their flags and last matches', () => {
  const { messages, tokens } = days(8);
  const budget = tokens / 4;
  const has = (patterns, word) => JSON.stringify(fit(messages, { limit: budget, keep: { patterns } }).messages).includes(word);
  const used = /station_167\b/g;
  used.lastIndex = 1e6;
  for (const pattern of [/station_167\b/, /station_167\b/g, /station_167\b/y, /STATION_167\b/giu, /station_167\b|(?:)/, used]) {
    const { lastIndex } = pattern;
    assert.ok(has([pattern], 'station_167 '), String(pattern));
    assert.equal(pattern.lastIndex, lastIndex);
  }
  assert.ok(!has([], 'station_167 '), 'otherwise it goes');
  assert.ok(!has([/(?:)/g, /$/gm], 'station_167 '), 'what is empty matches nothing');
  // Where nothing can be cut (arguments, keys of JSON), the whole message stays.
  assert.ok(!has([], 'src/day1/1.ts') && has([/src\/day1\/1\.ts/], 'src/day1/1.ts'));
  assert.ok(has([/station_167\b/, /station_41\b/], 'station_167 ') && has([/station_167\b/, /station_41\b/], 'station_41 '));
});

test('a pattern over several lines keeps them all', () => {
  const { messages, tokens } = days(8);
  const text = resultOf(messages, 4);
  const [first, second, third] = text.split('\n').slice(3, 6);
  const pattern = new RegExp(`${first.slice(10)}\n${second}\n${third.slice(0, 10)}`);
  const fitted = fit(messages, { limit: tokens / 5, keep: { patterns: [pattern] } });
  assert.ok(fitted.fits);
  assert.ok(fitted.messages.some(({ content }) => content?.includes([first, second, third].join('\n'))));
});

test('if required content exceeds the budget: the smallest result, and its size', () => {
  const { messages, tokens } = days(6);
  for (const keep of [{ user: true }, { tools: ['Read'] }, { patterns: [/station/] }, { recent: 9 }]) {
    const {
      messages: fitted,
      fits,
      tokens: { after, minimum },
    } = fit(messages, { limit: 20, keep });
    assert.ok(!fits);
    assert.deepEqual([minimum, after], [countTokens(fitted), minimum]);
    assert.deepEqual(validate(fitted), []);
    assert.ok(minimum <= tokens);
    // The budget is sufficient and necessary.
    assert.ok(fit(messages, { limit: minimum, keep }).fits);
    assert.ok(!fit(messages, { limit: minimum - 1, keep }).fits);
    if (keep.user) assert.deepEqual(unmarked(said(fitted, 'user')), said(messages, 'user'));
    if (keep.tools || keep.patterns) assert.deepEqual(unmarked(said(fitted, 'tool')), said(messages, 'tool'));
  }
});

test('keep holds in every format', () => {
  const keeps = fc.record({ recent: fc.nat(4), user: fc.boolean(), tools: fc.constantFrom([], ['Read'], ['Bash', 'Edit']) });
  for (const format of FORMATS) {
    fc.assert(
      fc.property(working, keeps, fc.constantFrom(0, 0.3, 0.7), (spoken, keep, share) => {
        const messages = sayIn(format, spoken);
        const budget = countTokens(messages, { format }) * share;
        const { fits, tokens, report } = fit(messages, { format, limit: budget, margin: 0, keep, trace: true });
        assert.equal(fits, tokens.after <= budget);
        const { trace } = report;
        for (const { message, action } of trace.slice(messages.length - keep.recent))
          assert.notEqual(action, 'remove', `message ${message}`);
        if (!fits) assert.ok(fit(messages, { format, limit: tokens.minimum, margin: 0, keep }).fits);
      }),
      { numRuns: cases(40), includeErrorInReport: true },
    );
  }
});

test('messages of unknown roles stay whole, or go with their turn, in every format: they may be newer than this package', () => {
  const long = (role, index) => `${role} ${index}: the worker waits for the batch. `.repeat(60);
  const text = (role, index) => ({ role, content: [{ type: 'text', text: long(role, index) }] });
  const ui = (role, index) => ({ id: `${index}`, role, parts: [{ type: 'text', text: long(role, index) }] });
  const shapes = {
    'openai-chat': (role, index) => ({ role, content: long(role, index) }),
    'openai-responses': (role, index) => ({ type: 'message', role, content: [{ type: 'input_text', text: long(role, index) }] }),
    anthropic: text,
    'ai-sdk-model': text,
    'ai-sdk-ui': ui,
    gemini: (role, index) => ({ role, parts: [{ text: long(role, index) }] }),
    message: (role, index) => ({ id: `${index}`, index, role, content: long(role, index) }),
  };
  for (const [format, shape] of Object.entries(shapes)) {
    const history = ['user', 'bot', 'bot', 'user', 'bot', 'user'].map(shape);
    for (const limit of [500, 1000, 1500, 2000]) {
      const { messages, fits, originals, report } = fit(history, { limit, format, tokenizer: 'estimate' });
      assert.deepEqual(report.unknownKinds, { 'message of role bot': 3 }, format);
      const sent = JSON.stringify(messages);
      assert.ok(sent.length < JSON.stringify(history).length, `${format}: something was cut`);
      const [first, second] = [1, 2].map((index) => sent.includes(long('bot', index)));
      assert.equal(first, second, `${format} at ${limit}, ${fits}`);
      assert.ok(first || !sent.includes('bot 1'), `${format}: cut`);
      assert.deepEqual(restore(messages, originals).messages, history);
    }
  }
});
