// The report of `fit`: its numbers add up, message by message.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countTokens, fit } from 'palimpsest';
import { working } from '../prune/working.mjs';
import { cases } from '../support/seed.mjs';
import { FORMATS, sayIn } from '../support/transcripts.mjs';
import { closed, lines, Talk } from './talk.mjs';

const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);
const near = (actual, expected, what) => assert.ok(Math.abs(actual - expected) < 1e-6, `${what}: ${actual}, not ${expected}`);

test('counts and tokens add up in every format', () => {
  for (const format of FORMATS) {
    fc.assert(
      fc.property(working, fc.constantFrom(0, 0.2, 0.5, 0.9, 1), (spoken, share) => {
        const messages = sayIn(format, spoken);
        const total = countTokens(messages, { format });
        const { messages: fitted, tokens, report } = fit(messages, { format, limit: total * share, trace: true });
        const { trace } = report;
        const having = (action) => trace.filter((entry) => entry.action === action);
        assert.deepEqual(report.messages, {
          before: messages.length,
          after: fitted.length,
          kept: having('keep').length,
          cut: having('cut').length,
          removed: having('remove').length,
        });
        assert.deepEqual(
          trace.map(({ message }) => message),
          messages.map((_, index) => index),
        );
        const own = sum(trace, (entry) => entry.tokens.before);
        const request = tokens.before - own;
        near(request, countTokens([], { format }), `${format} request`);
        near(sum(trace, (entry) => entry.tokens.after) + request, tokens.after, 'after');
        near(report.saved.cut + report.saved.removed, tokens.before - tokens.after, 'saved');
        for (const entry of trace) {
          assert.equal(entry.action === 'remove', entry.why === 'limit', JSON.stringify(entry));
          if (entry.action === 'keep') assert.equal(entry.tokens.before, entry.tokens.after);
          if (entry.action === 'remove') assert.equal(entry.tokens.after, 0);
        }
      }),
      { numRuns: cases(60), includeErrorInReport: true },
    );
  }
});

test('one line as a string, plain data as JSON', () => {
  const { messages } = closed(new Talk().user('Read it.').call('Read', { path: 'a.txt' }, lines(60)));
  for (const budget of [0, 300, 1e6, Infinity]) {
    const { report, tokens } = fit(messages, { limit: budget, trace: true });
    assert.equal(`${report}`, report.summary);
    assert.match(`${report}`, /^[^\n]+$/);
    assert.ok(`${report}`.includes(`${messages.length} → ${report.messages.after} message`), `${report}`);
    assert.deepEqual(JSON.parse(JSON.stringify(report)), { ...report });
    assert.equal('minimum' in tokens, !(tokens.after <= budget));
  }
});

test('why each message stays', () => {
  const talk = new Talk().user('What does the file say?').call('Read', { path: 'a.txt' }, lines(60)).assistant('It says a lot.');
  talk.call('Note', { text: 'keep me' }, 'ok').assistant(lines(80)).user('Go on.');
  const { report } = fit(talk.messages, { limit: 220, trace: true, keep: { tools: ['Note'] } });
  assert.equal(report.trace[0].why, 'system');
  assert.deepEqual(
    report.trace.filter(({ why }) => why === 'keep').map(({ message }) => message),
    [5, 6],
  );
  assert.ok(!('trace' in fit(talk.messages, { limit: 220 }).report));
});
