// The switch: off, requests go out as they came; on again, the session goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countTokens, createSession, marksNote, validate } from 'palimpsest';
import { cases } from '../support/seed.mjs';
import { FORMATS } from '../support/transcripts.mjs';
import { requestsOf, working } from './working.mjs';

const runs = fc.record({
  format: fc.constantFrom(...FORMATS),
  parts: fc.integer({ min: 6, max: 14 }),
  lines: fc.integer({ min: 5, max: 30 }),
  limit: fc.integer({ min: 2_000, max: 6_000 }),
  /** when it is switched, and when the session is saved and resumed */
  switched: fc.array(fc.integer({ min: 1, max: 13 }), { minLength: 1, maxLength: 4 }),
  saved: fc.array(fc.integer({ min: 1, max: 13 }), { maxLength: 2 }),
  volatile: fc.boolean(),
  recall: fc.boolean(),
});

test('off, what is sent is what was given; on again, every request is within the limit and valid', () => {
  let [off, cut] = [0, 0];
  const property = fc.property(runs, ({ format, parts, lines, limit, switched, saved, ...more }) => {
    let isOn = true;
    const options = { limit, format, now: () => 0, enabled: () => isOn };
    if (more.volatile) options.volatile = () => 'It is noon.';
    if (more.recall) options.recall = 'auto';
    let session = createSession(options);
    requestsOf(working(format, 1, parts, lines)).forEach((history, index) => {
      if (switched.includes(index)) isOn = !isOn;
      if (saved.includes(index)) session = createSession(options, JSON.parse(JSON.stringify(session)));
      const whole = JSON.stringify(history);
      const { messages, report, tokens, epoch, fits } = session.next(history);
      assert.equal(JSON.stringify(history), whole, 'the history is as it was');
      assert.equal(report.off, isOn ? undefined : true);
      const counted = countTokens(messages, { format });
      if (isOn) {
        assert.ok(counted <= limit || !fits, `${counted} of ${limit}`);
        cut += Number(epoch !== undefined);
        assert.deepEqual(validate(messages, { format }), []);
      } else {
        off++;
        assert.equal(epoch, undefined);
        assert.ok(
          messages.length === history.length && messages.every((message, at) => message === history[at]),
          'the caller’s own objects',
        );
        assert.equal(tokens.after, tokens.before);
        assert.ok(Math.abs(tokens.after - counted) <= 1e-6 * counted, `${tokens.after} for ${counted}`);
      }
    });
  });
  fc.assert(property, { numRuns: cases(200) });
  assert.ok(off > 0 && cut > 0, `${off} requests that were off, ${cut} epochs`);
});

test('off from the first request on, a session that is resumed and switched on cuts', () => {
  const options = { limit: 3_000, format: 'anthropic', now: () => 0 };
  const histories = requestsOf(working('anthropic', 1, 14, 40));
  const off = createSession({ ...options, enabled: false });
  for (const history of histories.slice(0, -1)) off.next(history);
  const on = createSession(options, JSON.parse(JSON.stringify(off)));
  const { messages, epoch } = on.next(histories.at(-1));
  assert.ok(epoch !== undefined && countTokens(messages, { format: 'anthropic' }) <= 3_000);
  assert.equal(on.report.requests, histories.length, 'those that went out as they came count');
});

test('the environment switches every session off', () => {
  const [history] = requestsOf(working('openai-chat', 1, 14, 60)).slice(-1);
  const session = createSession({ limit: 2_000, format: 'openai-chat', system: marksNote });
  process.env.PALIMPSEST = 'off';
  try {
    const { messages, report } = session.next(history);
    assert.ok(report.off && messages.every((message, at) => message === history[at]));
  } finally {
    delete process.env.PALIMPSEST;
  }
  const { messages, report } = session.next(history);
  assert.equal(report.off, undefined);
  assert.ok(countTokens(messages, { format: 'openai-chat' }) <= 2_000);
});

test('what is no switch is named', () => {
  assert.throws(() => createSession({ limit: 100, enabled: 'no' }), {
    name: 'TypeError',
    message: 'createSession(): options.enabled must be a boolean or a function, got string',
  });
  const session = createSession({ limit: 100, enabled: () => 'no' });
  assert.throws(() => session.next([{ role: 'user', content: 'a' }]), {
    name: 'TypeError',
    message: 'createSession(): options.enabled must return true or false, got string',
  });
});
