// What is pinned is in every request, word for word, until it ends: in lives in each format, and by the contract.
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSession } from 'palimpsest';
import { memoryStore } from 'palimpsest/store/memory';
import { answerMessages } from '../support/providers/anthropic.mjs';
import { answerChat } from '../support/providers/openai-chat.mjs';
import { reached } from '../session/judge.mjs';
import { cases, IS_WHOLE, SEED, someOf } from '../support/seed.mjs';
import { FORMATS } from '../support/transcripts.mjs';
import { deepFreeze, Life, PINS } from './life.mjs';
import { working } from './working.mjs';

const seed = fc.nat(2 ** 31);
const deed = fc.record({ name: fc.oneof(...PINS.map(({ name, weight }) => ({ weight, arbitrary: fc.constant(name) }))), seed });
const life = (format) =>
  fc.record({ format: fc.constant(format), seed, deeds: fc.array(deed, { minLength: 8, maxLength: 40, size: 'max' }) });

async function live({ deeds, ...given }) {
  const one = new Life(given);
  try {
    await one.live(deeds);
  } catch (error) {
    error.message += `\n${one.log.map((line) => JSON.stringify(line)).join('\n')}\n${JSON.stringify(one.options)}`;
    throw error;
  }
}

for (const format of someOf(FORMATS)) {
  test(`${format}: pins are in every request until they end, whatever else happens`, async () => {
    await fc.assert(
      fc.asyncProperty(life(format), (given) => live(given)),
      { numRuns: cases(8), includeErrorInReport: true, seed: SEED - FORMATS.indexOf(format) },
    );
  });
}

test('the lives covered everything', { skip: !IS_WHOLE && 'not all cases are tried' }, () => {
  for (const what of ['pinned text', 'pinned message', 'epoch with pins', 'pin lost', 'pin that has room'])
    assert.ok(reached.get(what) > cases(8), `${what}: ${reached.get(what)}`);
});

// ---- By the contract ----------------------------------------------------------------------------------------------

const RULE = 'Never write to C:\\data: "orders" are read by finance.\n\n  * keep the blanks  ';
const historyOf = (format) =>
  deepFreeze(Array.from({ length: 40 }, (_, turn) => working(format, turn + 1, turn + 1, 10 + ((turn * 37) % 90))).flat());
const textOf = (messages) => JSON.stringify(messages);
const says = (messages, text) => textOf(messages).includes(JSON.stringify(text).slice(1, -1));
const plain = (message) => {
  const blocks =
    typeof message.content === 'string' && message.role === 'user' ? [{ type: 'text', text: message.content }] : message.content;
  return JSON.stringify({ ...message, content: blocks }, (key, value) => (key === 'cache_control' ? undefined : value));
};

for (const [format, answer] of [
  ['anthropic', answerMessages],
  ['openai-chat', answerChat],
]) {
  test(`${format}: with recall, volatile texts and summaries, over restarts, pins stay, the prefix holds, and requests are valid`, async () => {
    const history = historyOf(format);
    let minute = 0;
    const options = {
      limit: 6000,
      format,
      now: () => 0,
      recall: 'auto',
      volatile: () => `It is minute ${minute}.`,
      summarizer: async () => 'Things were changed.',
      ...(format === 'anthropic' && { cacheControl: true }),
    };
    let session = createSession(options);
    let before = [];
    let epochs = 0;
    let isLater = false;
    session.pin(RULE, { label: 'rule' });
    session.pin({ message: 1 });
    for (let length = 1; length <= history.length; length++) {
      if (history[length - 1].role === 'assistant') continue;
      minute++;
      if (length % 7 === 0) session = createSession(options, JSON.parse(JSON.stringify(session)));
      if (length >= 60 && !isLater) session.pin('The port is 8412.');
      isLater ||= length >= 60;
      const { messages, fits, epoch, report } = await session.next(history.slice(0, length));
      answer({ messages });
      assert.ok(fits);
      assert.equal(report.pins.kept, report.pins.found);
      assert.ok(says(messages, RULE));
      if (isLater) assert.ok(says(messages, 'The port is 8412.'));
      if (length > 1)
        assert.ok(
          messages.some((message) => plain(message) === plain(history[1])),
          'the pinned message is not whole',
        );
      if (epoch === undefined) assert.deepEqual(messages.slice(0, before.length).map(plain), before.map(plain));
      else epochs++;
      assert.ok(textOf(messages).split('[pinned').length - 1 <= (isLater ? 2 : 1), 'a pin is said twice');
      before = messages;
    }
    assert.ok(epochs > 3, `${epochs}`);
  });
}

/** Requests of a session to which `pin` pins before the first one, until there was an epoch behind the end of the pin. */
function requestsOf(pin, options = {}) {
  const history = historyOf('openai-chat');
  let time = 0;
  const session = createSession({ limit: 3000, format: 'openai-chat', now: () => time, ...options });
  pin(session);
  const requests = [];
  for (let length = 1; length <= history.length; length++) {
    if (history[length - 1].role === 'assistant') continue;
    const { messages, epoch, report } = session.next(history.slice(0, length));
    requests.push({
      pins: report.pins,
      isThere: says(messages, RULE),
      isEpoch: epoch !== undefined,
      user: history[length - 1].role === 'user',
    });
    time += 1000;
  }
  return requests;
}

/** Asserts that a pin is in the first `count` requests, and in none from the next epoch on. */
function assertUntil(requests, count) {
  assert.ok(requests.slice(0, count).every(({ isThere, pins }) => isThere && pins.kept === 1));
  const rest = requests.slice(count);
  assert.ok(rest.every(({ pins }) => pins === undefined));
  const next = rest.findIndex(({ isEpoch }) => isEpoch);
  assert.ok(next >= 0 && rest.slice(next).every(({ isThere }) => !isThere));
  // Until then it stays where it was sent, so that the cached prefix holds.
  assert.ok(rest.slice(0, next).every(({ isThere }) => isThere));
}

test('a pin ends after a number of requests, at a time, with the turn, or when it is unpinned', () => {
  assertUntil(
    requestsOf((session) => session.pin(RULE, { until: 7 })),
    7,
  );
  assertUntil(
    requestsOf((session) => session.pin(RULE, { until: new Date(9000) })),
    9,
  );
  const second = requestsOf(() => {}).findIndex(({ user }, index) => user && index > 0);
  assertUntil(
    requestsOf((session) => session.pin(RULE, { until: 'turn' })),
    second,
  );
  const all = requestsOf((session) => session.pin(RULE));
  assert.ok(all.every(({ isThere }) => isThere) && all.some(({ isEpoch }) => isEpoch));
  for (const target of [RULE, 'rule']) {
    const none = requestsOf((session) => {
      session.pin(RULE, { label: 'rule' });
      session.unpin(target);
    });
    assert.ok(none.every(({ isThere, pins }) => !isThere && pins === undefined));
  }
});

test('what an epoch cut of a message comes back behind what was sent, and in its place at the next epoch', () => {
  const history = historyOf('openai-chat');
  const session = createSession({ limit: 3000, format: 'openai-chat', now: () => 0 });
  let pinned = -1;
  let length = 1;
  let last = [];
  for (; pinned < 0; length++) {
    if (history[length - 1].role === 'assistant') continue;
    last = session.next(history.slice(0, length)).messages;
    const sent = new Set(last.map(plain));
    pinned = history
      .slice(0, length)
      .findIndex((message) => message.role === 'tool' && !sent.has(plain(message)) && message.content.length < 1500);
  }
  session.pin({ message: pinned });
  const text = history[pinned].content;
  const next = session.next(history.slice(0, length - 1));
  assert.equal(next.epoch, undefined);
  assert.deepEqual(next.messages.slice(0, -1), last.slice(0, -1));
  assert.ok(next.messages.at(-1).content.startsWith(last.at(-1).content));
  assert.ok(says(next.messages.slice(-1), text));
  for (; length <= history.length; length++) {
    if (history[length - 1].role === 'assistant') continue;
    const { messages, epoch } = session.next(history.slice(0, length));
    assert.ok(says(messages, text));
    if (epoch === undefined) continue;
    // A mark of what went may stand behind it.
    assert.ok(messages.some((message) => message.tool_call_id === history[pinned].tool_call_id && says([message], text)));
    assert.ok(!textOf(messages).includes('[pinned'));
    return;
  }
  assert.fail('no epoch');
});

test('what can never fit is said once, and the request stays within the limit', () => {
  const history = historyOf('openai-chat').slice(0, 9);
  const session = createSession({ limit: 2000, format: 'openai-chat', warn: false });
  session.pin('ledger '.repeat(3000), { label: 'long' });
  session.pin(RULE, { label: 'short' });
  const { messages, fits, tokens, report } = session.next(history);
  assert.ok(fits && tokens.after <= 2000);
  assert.deepEqual([report.pins.labels, report.pins.lost], [['short'], ['long']]);
  assert.ok(says(messages, RULE));
  const [mistake] = session.report.mistakes;
  assert.equal(mistake.kind, 'lost-pins');
  assert.ok(!mistake.text.includes('long'));
});

test('events tell nothing of pins', () => {
  const events = [];
  const take = (event) => events.push(event);
  subscribe('palimpsest:session', take);
  try {
    const session = createSession({ limit: 2000, format: 'openai-chat' });
    session.pin(RULE, { label: 'secret-label' });
    session.next(historyOf('openai-chat').slice(0, 3));
    assert.equal(session.report.pins.kept, 1);
  } finally {
    unsubscribe('palimpsest:session', take);
  }
  assert.equal(events.length, 1);
  assert.ok(!/pins|secret-label|finance/.test(JSON.stringify(events)));
});

test('processes that share a conversation have each other’s pins', async () => {
  const store = memoryStore();
  const history = historyOf('openai-chat');
  const open = () => createSession({ limit: 4000, format: 'openai-chat', store, id: 'a', now: () => 0 });
  const [one, other] = [open(), open()];
  one.pin(RULE);
  await one.next(history.slice(0, 1));
  other.pin('The port is 8412.', { label: 'port' });
  for (let length = 4; length < 100; length += 4) {
    for (const session of [other, one]) {
      const { messages } = await session.next(history.slice(0, length));
      assert.ok(says(messages, RULE) && says(messages, 'The port is 8412.'), `${length}`);
    }
  }
  one.unpin('port');
  await one.next(history.slice(0, 100));
  const { report } = await other.next(history.slice(0, 101));
  assert.equal(report.pins.found, 1);
});

test('a saved session has its pins before its first request, and those of another history are not sent', () => {
  const options = { limit: 4000, format: 'openai-chat' };
  const session = createSession(options);
  session.pin(RULE);
  const history = historyOf('openai-chat');
  const resumed = createSession(options, JSON.parse(JSON.stringify(session)));
  resumed.pin('The port is 8412.');
  const again = createSession(options, JSON.parse(JSON.stringify(resumed)));
  const { messages } = again.next(history.slice(0, 3));
  assert.ok(says(messages, RULE) && says(messages, 'The port is 8412.'));
  const other = createSession(options, JSON.parse(JSON.stringify(again)));
  const step = other.next([{ role: 'user', content: 'Another conversation.' }]);
  assert.ok(step.report.foreign && !says(step.messages, RULE));
});

test('keep.pinned of a session is pinned without an end, and goes when a later session does not name it', () => {
  const history = historyOf('openai-chat');
  const options = { limit: 3000, format: 'openai-chat', now: () => 0 };
  const session = createSession({ ...options, keep: { pinned: [RULE, 0] } });
  for (let length = 1; length < 60; length += 4) {
    const { messages, report } = session.next(history.slice(0, length));
    assert.ok(says(messages, RULE) && plain(messages[0]) === plain({ ...history[0], content: messages[0].content }));
    assert.equal(report.pins.kept, 2);
  }
  const later = createSession(options, JSON.parse(JSON.stringify(session)));
  assert.equal(later.next(history.slice(0, 60)).report.pins, undefined);
});

test('what is wrong with a pin is said', () => {
  const session = createSession({ limit: 2000 });
  const wrong = (work, message) => assert.throws(work, { name: 'TypeError', message });
  wrong(() => session.pin(''), /pin\(\): the text must not be empty/);
  wrong(() => session.pin(7), /pin\(\): what is pinned must be a text or an object with `message`, got number/);
  wrong(() => session.pin({ message: -1 }), /index of a message/);
  wrong(() => session.pin('a', { label: 'x\ny' }), /pin\(\): options\.label must be one line/);
  wrong(() => session.pin('a', { label: '' }), /pin\(\): options\.label/);
  wrong(() => session.pin('a', { until: new Date('never') }), /pin\(\): options\.until/);
  wrong(() => session.pin('a', { until: 'tomorrow' }), /pin\(\): options\.until/);
  wrong(() => session.pin('a', { untill: 3 }), /until/);
  assert.throws(() => session.pin('a', { until: 0 }), { name: 'RangeError', message: /requests from 1/ });
  wrong(() => session.unpin(), /unpin\(\)/);
  session.unpin('what was never pinned');
});
