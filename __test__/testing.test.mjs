// expectKept: a test of an agent fails exactly where its last request lacks a text, and says why.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSession } from 'palimpsest';
import { expectKept } from 'palimpsest/testing';
import { cases } from './support/seed.mjs';
import { FORMATS, sayIn } from './support/transcripts.mjs';

const fails = (session, what, message) =>
  assert.throws(
    () => expectKept(session, what),
    (error) => error.name === 'AssertionError' && error.code === 'ERR_ASSERTION' && message.test(error.message),
  );

/** Each turn says a word of its own. */
const talk = (count) => ({
  system: null,
  turns: Array.from({ length: count }, (_, at) => {
    const text = `Word${at}x is said. ${`Nothing of line ${at} matters. `.repeat(12)}`;
    return at % 2 === 0 ? { who: 'user', text, more: [] } : { who: 'assistant', reasoning: null, text, calls: [], odd: false };
  }),
});

test('in every format it holds for what the request says, and for nothing else', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...FORMATS),
      fc.integer({ min: 4, max: 40 }),
      fc.integer({ min: 300, max: 3000 }),
      (format, count, limit) => {
        const history = sayIn(format, talk(count));
        const session = createSession({ format, limit, warn: false, now: () => 0 });
        const sent = JSON.stringify(session.next(history).messages);
        for (let at = 0; at < count; at++) {
          const word = `Word${at}x`;
          if (sent.includes(word)) {
            expectKept(session, word);
            expectKept(session, new RegExp(word, 'g'));
          } else {
            fails(session, word, /^expectKept\(\): request 1 lacks it\. Said in 1 place/);
            fails(session, new RegExp(word), /^expectKept\(\): nothing in request 1 matches \/Word/);
          }
        }
      },
    ),
    { numRuns: cases(60) },
  );
});

test('a pattern with a flag that remembers is asked anew each time', () => {
  const session = createSession({ limit: 1000 });
  session.next([{ role: 'user', content: 'Never push to main.' }]);
  const pattern = /never push/gi;
  for (let time = 0; time < 3; time++) expectKept(session, pattern);
  assert.equal(pattern.lastIndex, 0);
  expectKept(session, /^Never push to main\.$/);
});

test('a session without a request has nothing, and what is asked for has to be something', () => {
  const session = createSession({ limit: 1000 });
  fails(session, 'main', /has made no request/);
  session.next([{ role: 'user', content: 'Never push to main.' }]);
  const resumed = createSession({ limit: 1000 }, JSON.parse(JSON.stringify(session)));
  assert.throws(() => expectKept(resumed, 'main'), { name: 'TypeError', message: /history must be passed/ });
  expectKept(resumed, 'main', [{ role: 'user', content: 'Never push to main.' }]);
  assert.throws(() => expectKept(resumed, 'main', [{ role: 'user', content: 'Push.' }]), {
    message: /^expectKept\(\): Request 1 is not known: /,
  });
  for (const none of [undefined, null, [], {}])
    assert.throws(() => expectKept(none, 'main'), { name: 'TypeError', message: /session must be/ });
  for (const what of [undefined, null, '', ' ', 7, {}])
    assert.throws(() => expectKept(session, what), { name: 'TypeError', message: /^expectKept\(\): what must be/ });
});

test('a text of several lines is found in arguments, in every format', () => {
  const text = 'const port = "8443";\n\tlisten(port);';
  for (const format of FORMATS) {
    const call = { id: 'call_1', name: 'Write', args: { text }, result: { blocks: 'Done.', json: null, failed: false }, answered: true };
    const turns = [
      { who: 'user', text: 'Write it.', more: [] },
      { who: 'assistant', reasoning: null, text: 'So be it.', calls: [call], odd: false },
    ];
    const session = createSession({ format, limit: 5_000, warn: false, now: () => 0 });
    session.next(sayIn(format, { system: null, turns }));
    expectKept(session, text);
    fails(session, `${text}!`, /lacks it/);
  }
});
