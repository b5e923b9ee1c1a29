// Tags: they stand in events and in the report, are saved and resumed, and change nothing of what is sent.
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSession } from 'palimpsest';
import { memoryStore } from 'palimpsest/store/memory';
import { createChatParser } from 'palimpsest/web';
import { cases } from '../support/seed.mjs';
import { requestsOf, working } from './working.mjs';

const LIMIT = 3000;
const history = working('openai-chat', 1, 12);
const requests = requestsOf(history);
const plain = (value) => JSON.parse(JSON.stringify(value));

/** The events of what `act` does. */
async function heard(act) {
  const events = [];
  const hear = (event) => events.push(event);
  subscribe('palimpsest:session', hear);
  try {
    await act();
  } finally {
    unsubscribe('palimpsest:session', hear);
  }
  return events;
}

/** Any text, also with halves of surrogate pairs, of this many UTF-16 code units. */
const texts = (minLength, maxLength) =>
  fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength, maxLength }).map((units) => String.fromCharCode(...units));
const anyTags = fc
  .uniqueArray(fc.tuple(fc.oneof(texts(1, 64), fc.constantFrom('user', 'feature', '__proto__', 'toString')), texts(0, 256)), {
    maxLength: 16,
    selector: ([name]) => name,
  })
  .map((entries) => Object.fromEntries(entries));

test('whatever tags are given, events and reports have them, and a session that is resumed', async () => {
  await fc.assert(
    fc.asyncProperty(anyTags, fc.option(anyTags, { nil: undefined }), async (tags, anew) => {
      const expected = Object.keys(tags).length === 0 ? undefined : tags;
      const session = createSession({ limit: LIMIT, tags });
      assert.deepEqual(session.report.tags, expected);
      const events = await heard(() => {
        session.next(requests[0]);
        session.observe({ prompt_tokens: 100 });
      });
      assert.deepEqual(
        events.map((event) => [event.type, event.tags]),
        [
          ['request', expected],
          ['usage', expected],
        ],
      );
      assert.deepEqual(events[0].totals.tags, expected);
      const after = anew === undefined ? expected : Object.keys(anew).length === 0 ? undefined : anew;
      const resumed = createSession({ limit: LIMIT, tags: anew }, plain(session));
      assert.deepEqual(resumed.report.tags, after);
      // What was saved before its next request, too.
      assert.deepEqual(createSession({ limit: LIMIT }, plain(resumed)).report.tags, after);
      resumed.next(requests[1]);
      assert.deepEqual(resumed.report.tags, after);
      assert.deepEqual(createSession({ limit: LIMIT }, plain(resumed)).report.tags, after);
    }),
    { numRuns: cases(60) },
  );
});

test('each request is the same with tags and without', () => {
  const play = (options) => {
    const session = createSession({ limit: LIMIT, ...options });
    return requests.map((given) => plain(session.next(given)));
  };
  assert.deepEqual(play({ tags: { user: 'u-17' } }), play({}));
});

test('a session keeps its own copy, and nobody changes it', () => {
  const tags = { user: 'u-17', feature: undefined };
  const session = createSession({ limit: LIMIT, tags });
  tags.user = 'u-18';
  session.report.tags.user = 'u-19';
  assert.deepEqual(session.report.tags, { user: 'u-17' });
});

test('another process goes on with the tags of a conversation in a store', async () => {
  const store = memoryStore();
  const one = createSession({ limit: LIMIT, store, id: 'chat', tags: { user: 'u-17' } });
  await one.next(requests[0]);
  const other = createSession({ limit: LIMIT, store, id: 'chat' });
  const events = await heard(() => other.next(requests[1]));
  assert.deepEqual(
    events.map(({ tags, session }) => [tags, typeof session]),
    [[{ user: 'u-17' }, 'number']],
  );
  assert.deepEqual(other.report.tags, { user: 'u-17' });
});

test('the saved state of another conversation leaves no tags in the report of this one', () => {
  const saved = plain(createSession({ limit: LIMIT, tags: { user: 'u-17' } }));
  const own = createSession({ limit: LIMIT, tags: { user: 'u-17' } });
  own.next(requests[3]);
  const session = createSession({ limit: LIMIT }, plain(own));
  const { report } = session.next([{ role: 'user', content: 'Something else?' }]);
  assert.equal(report.foreign, true);
  assert.equal(session.report.tags, undefined);
  assert.deepEqual(createSession({ limit: LIMIT }, saved).report.tags, { user: 'u-17' });
});

test('sessions of an integration have its tags, branches too', async () => {
  const parse = createChatParser({ limit: LIMIT, tags: { feature: 'support' } });
  const ask = (messages) =>
    parse(
      new Request('http://localhost/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ messages }),
      }),
    );
  const events = await heard(async () => {
    await ask(history.slice(0, 5));
    await ask([...history.slice(0, 4), { role: 'user', content: 'And otherwise?' }]);
  });
  assert.equal(events.length, 2);
  assert.notEqual(events[0].session, events[1].session);
  for (const { tags } of events) assert.deepEqual(tags, { feature: 'support' });
});

test('events name their session by a number', async () => {
  const [one, other] = [1, 2].map(() => createSession({ limit: LIMIT }));
  const events = await heard(() => {
    for (const session of [one, other, one]) session.next(requests[0]);
    one.observe({ prompt_tokens: 100 });
  });
  const numbers = events.map(({ session }) => session);
  assert.ok(numbers.every(Number.isInteger));
  assert.deepEqual(numbers, [numbers[0], numbers[1], numbers[0], numbers[0]]);
  assert.notEqual(numbers[0], numbers[1]);
});

test('an error names the tag that is wrong, and says what it has to be', () => {
  const AT = 'createSession(): options.tags';
  const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`tag${index}`, 'a']));
  for (const [tags, name, message] of [
    ['user', 'TypeError', `${AT} must be an object with a string for each tag, got string`],
    [['user'], 'TypeError', `${AT} must be an object with a string for each tag, got array`],
    [{ user: 17 }, 'TypeError', `${AT}.user must be a string, got number`],
    [{ 'user id': null }, 'TypeError', `${AT}["user id"] must be a string, got null`],
    [{ user: 'a'.repeat(257) }, 'RangeError', `${AT}.user must have at most 256 UTF-16 code units, got 257`],
    [{ '': 'a' }, 'RangeError', `${AT}[""] must have a name of 1 to 64 UTF-16 code units, got 0`],
    [{ ['a'.repeat(65)]: 'a' }, 'RangeError', `${AT}["${'a'.repeat(40)}…"] must have a name of 1 to 64 UTF-16 code units, got 65`],
    [many, 'RangeError', `${AT} must have at most 16 tags, got 17`],
  ])
    assert.throws(() => createSession({ limit: LIMIT, tags }), { name, message });
  const saved = plain(createSession({ limit: LIMIT }));
  for (const tags of [many, { user: 17 }, 'user', null])
    assert.throws(() => createSession({ limit: LIMIT }, { ...saved, tags }), { message: /^createSession\(\): saved\.tags is not what/ });
});
