// With a model alone, a session takes less of a large window than there is: what it needs for the messages, beside what can't be cut.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTokens, createSession } from 'palimpsest';

/** What docs/sessions.md says. */
const ROOM = 128_000;
const format = 'openai-chat';
const ask = { role: 'user', content: 'Why does it fail?' };
const read = { type: 'function', function: { name: 'read', description: 'Reads a file.', parameters: { type: 'object', properties: {} } } };
const rules = 'Answer in one sentence. '.repeat(4000);

/** The limit of the first request, and what the report says of it. */
function limitOf(options, history = [ask]) {
  const session = createSession({ format, ...options });
  assert.equal(session.report.limit, undefined);
  const { tokens } = session.next(history);
  assert.equal(tokens.limit, session.report.limit.tokens);
  return session.report.limit;
}

test('with a model alone the limit leaves 128,000 tokens for what can be cut', () => {
  const alone = countTokens([ask], { format });
  const cases = [
    [{}, []],
    [{ system: rules }, []],
    [{ tools: [read] }, []],
    [{ system: rules, tools: [read] }, [{ role: 'system', content: rules }]],
  ];
  for (const [beside, front] of cases) {
    const more = countTokens([...front, ask], { format, ...beside }) - alone;
    const { tokens, by } = limitOf({ model: 'gpt-5.5', ...beside }, [...front, ask]);
    assert.equal(by, 'default');
    // What belongs to no message has some tokens, too.
    assert.ok(tokens - more >= ROOM && tokens - more < ROOM + 10, `${tokens}, with ${more} in front`);
  }
});

test('the window is the bound, and who gives a limit, a window or a threshold of compaction gets that', () => {
  const window = 1_050_000 - 128_000;
  assert.deepEqual(limitOf({ model: 'gpt-4o' }), { tokens: 128_000 - 16_384, by: 'window' });
  assert.deepEqual(limitOf({ model: 'gpt-5', system: rules.repeat(10) }), { tokens: 272_000, by: 'window' });
  assert.deepEqual(limitOf({ model: 'gpt-5.5', limit: 300_000 }), { tokens: 300_000, by: 'limit' });
  assert.deepEqual(limitOf({ model: 'gpt-5.5', window: 700_000 }), { tokens: 700_000, by: 'window' });
  assert.deepEqual(limitOf({ model: 'gpt-5.5', compactThreshold: 400_000 }), { tokens: window, by: 'window' });
});

test('a session with a model alone cuts, and says by which limit', () => {
  const session = createSession({ format, model: 'gpt-5.5' });
  const history = [{ role: 'system', content: rules }];
  for (let turn = 0; turn < 20; turn++) {
    const line = (index) => `Job ${turn} waited ${(turn * 37 + index) % 991} s for lock ${index}.`;
    history.push({ role: 'user', content: Array.from({ length: 1000 }, (_, index) => line(index)).join('\n') });
    const { fits, tokens } = session.next(history);
    assert.ok(fits && tokens.after <= tokens.limit && tokens.limit < 200_000, JSON.stringify(tokens));
    history.push({ role: 'assistant', content: `Lock ${turn} is the one.` });
  }
  const { epochs, limit, mistakes, summary } = session.report;
  assert.ok(epochs.limit + epochs.turn + epochs.early > 0, summary);
  assert.match(summary, new RegExp(`limit ${limit.tokens.toLocaleString('en')} by default$`));
  assert.equal(mistakes, undefined);
});

test('nothing that the window has room for is cut, or refused, because nobody gave a limit', () => {
  const line = (turn, index) => `Job ${turn} waited ${(turn * 37 + index) % 991} s for lock ${index}.`;
  const pasted = (turn, count) => Array.from({ length: count }, (_, index) => line(turn, index)).join('\n');
  // The user pastes more than a session would leave.
  const plan = { role: 'user', content: pasted(1, 12_000) };
  const before = Array.from({ length: 8 }, (_, turn) => [
    { role: 'user', content: pasted(turn + 2, 900) },
    { role: 'assistant', content: `Lock ${turn}.` },
  ]).flat();
  const session = createSession({ format, model: 'gpt-5.5' });
  const step = session.next([...before, plan]);
  assert.ok(step.fits && step.messages.includes(plan), step.report.summary);
  assert.equal(session.report.limit.by, 'default');
  // All that the user says has to stay.
  const kept = createSession({ format, model: 'gpt-5.5', keep: { user: true } });
  const history = [];
  let epochs = 0;
  for (let turn = 0; turn < 30; turn++) {
    history.push({ role: 'user', content: pasted(turn, 900) });
    const next = kept.next(history);
    assert.ok(next.fits && next.tokens.after <= next.tokens.limit, next.report.summary);
    const sent = next.messages.map(({ content }) => content).join('\n');
    assert.ok(
      history.every(({ role, content }) => role !== 'user' || sent.includes(content)),
      next.report.summary,
    );
    if (next.epoch) epochs++;
    history.push({ role: 'assistant', content: `Lock ${turn}.` });
  }
  assert.ok(epochs < 4, `${epochs} epochs`);
});
