// What `keep.pinned` names stays word for word, up to half of the limit, and the report says what does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countTokens, fit, fitRequest, restore, validate } from 'palimpsest';
import { working } from '../prune/working.mjs';
import { cases, IS_WHOLE, SEED } from '../support/seed.mjs';
import { FORMATS, sayIn } from '../support/transcripts.mjs';
import { lines, sentence, Talk } from './talk.mjs';

/** All strings in a value, and those in JSON in them. */
function stringsIn(value) {
  if (typeof value !== 'string') return value !== null && typeof value === 'object' ? Object.values(value).flatMap(stringsIn) : [];
  try {
    return [value, ...stringsIn(JSON.parse(value))];
  } catch {
    return [value];
  }
}
/** What a message says; nothing of one with thinking, which goes where something was cut before it. */
const textsOf = (message) => (/thinking|reasoning|thought/i.test(JSON.stringify(message)) ? [] : stringsIn(message));

test('pinned messages and texts stay word for word in every format, and what was fitted is restored', () => {
  const shares = fc.constantFrom(0.1, 0.3, 0.7);
  for (const format of FORMATS) {
    let kept = 0;
    fc.assert(
      fc.property(working, fc.nat(), fc.nat(), shares, (spoken, at, which, share) => {
        const messages = sayIn(format, spoken);
        const index = at % messages.length;
        const all = spoken.turns.map(({ text }) => text ?? '').filter((text) => text.trim() !== '');
        fc.pre(all.length > 0);
        const whole = all[which % all.length];
        const text = whole.slice(which % 3 === 0 ? Math.floor(whole.length / 3) : 0);
        fc.pre(text.trim() !== '');
        const limit = Math.ceil(countTokens(messages, { format }) * share);
        const before = JSON.stringify(messages);
        const { messages: fitted, originals, report } = fit(messages, { format, limit, margin: 0, keep: { pinned: [index, text] } });
        assert.equal(JSON.stringify(messages), before);
        assert.deepEqual(validate(fitted, { format }).length > 0 && validate(messages, { format }).length === 0, false);
        const { found, labels, lost = [] } = report.pins;
        assert.equal(found, 2);
        assert.deepEqual([...labels, ...lost].sort(), [0, 1]);
        const left = stringsIn(fitted).join('\0');
        if (labels.includes(0)) for (const one of textsOf(messages[index])) assert.ok(left.includes(one), one);
        if (labels.includes(1)) assert.ok(left.includes(text), text);
        const size = countTokens([{ role: 'user', content: JSON.stringify([messages[index], text]) }], { format: 'openai-chat' });
        if (size < 0.4 * limit) {
          kept++;
          assert.deepEqual(lost, [], JSON.stringify(report.pins));
        }
        assert.deepEqual(JSON.stringify(restore(fitted, originals, { format }).messages), before);
      }),
      { numRuns: cases(24), includeErrorInReport: true, seed: SEED },
    );
    if (IS_WHOLE) assert.ok(kept > cases(24) / 10, `${format}: ${kept}`);
  }
});

/** A talk in which the third message is a long result. */
function talk() {
  const all = new Talk().user('Why does it fail?').call('Read', { path: 'src/a.ts' }, lines(40, sentence));
  for (let step = 0; step < 30; step++)
    all.assistant(`${step}: ${sentence(200 + step)} ${sentence(300 + step)}`).user(`Go on with ${step}.`);
  return all;
}

test('pins have up to half of the limit, the first ones first, and the report says which are lost', () => {
  const { messages } = talk();
  const index = messages.findIndex(({ role }) => role === 'tool');
  const tokens = countTokens([{ role: 'user', content: messages[index].content }], { format: 'openai-chat' });
  const pinned = [index, 'Go on with 3.', 'what is nowhere'];
  const roomy = fit(messages, { limit: Math.ceil(2.2 * tokens), keep: { pinned } });
  assert.deepEqual([roomy.report.pins.labels, roomy.report.pins.lost], [[0, 1], [2]]);
  assert.ok(roomy.messages.some(({ content }) => content?.includes(messages[index].content)));
  const narrow = fit(messages, { limit: Math.ceil(1.5 * tokens), keep: { pinned } });
  assert.deepEqual([narrow.report.pins.labels, narrow.report.pins.lost], [[1], [0, 2]]);
  assert.ok(narrow.fits && narrow.messages.some(({ content }) => content?.includes('Go on with 3.')));
  assert.equal(fit(messages, { limit: 1e6, keep: { pinned } }).report.pins.kept, 2);
  assert.equal(fit(messages, { limit: 1e6 }).report.pins, undefined);
});

test('fitRequest and originals of earlier rounds: pins are those of the whole conversation', () => {
  const { messages } = talk();
  const text = messages.find(({ role }) => role === 'tool').content.split('\n')[20];
  const limit = Math.ceil(countTokens(messages) / 3);
  const { request, report } = fitRequest({ model: 'gpt-5.5', messages }, { limit, keep: { pinned: [text] } });
  assert.equal(report.pins.kept, 1);
  assert.ok(JSON.stringify(request.messages).includes(JSON.stringify(text).slice(1, -1)));
  const first = fit(messages, { limit: 400 });
  const second = fit(first.messages, { limit, originals: first.originals, keep: { pinned: [text] } });
  assert.equal(second.report.pins.kept, 1);
});

test('what is wrong with keep.pinned is said', () => {
  const wrong = (pinned, name, message) => assert.throws(() => fit([], { limit: 10, keep: { pinned } }), { name, message });
  wrong('text', 'TypeError', /options\.keep\.pinned must be an array/);
  wrong([' '], 'TypeError', /options\.keep\.pinned\[0\] must not be blank/);
  wrong([1.5], 'RangeError', /options\.keep\.pinned\[0\] must be the index of a message/);
  wrong([{}], 'TypeError', /options\.keep\.pinned\[0\] must be a text or the index of a message/);
});
