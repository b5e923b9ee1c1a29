// Requests that went out are written again, byte for byte: in lives in each format, over restarts, with all that a request may hold, and over
// recorded conversations. The judge is what went out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSession, defineFormat } from 'palimpsest';
import { memoryStore } from 'palimpsest/store/memory';
import { inOrder } from '../session/play.mjs';
import { CORPORA } from '../support/corpus.mjs';
import { cases, SEED, someOf } from '../support/seed.mjs';
import { Random } from '../support/random.mjs';
import { FORMATS } from '../support/transcripts.mjs';
import { drawnDeeds, drawnSeed, Life, print, withoutBookkeeping } from './life.mjs';
import { requestsOf, working } from './working.mjs';

const life = (format) =>
  fc.record({
    format: fc.constant(format),
    seed: drawnSeed,
    deeds: drawnDeeds,
  });

/** How often each answer came. */
const counts = {};
const count = (what) => (counts[what] = (counts[what] ?? 0) + 1);

/** A life that remembers its requests. */
class Recorded extends Life {
  records = [];

  async request(deed) {
    await super.request(deed);
    // It was the first one of a session: another history's requests are none of it.
    if (this.requests === 1) this.records = [];
    const { given, messages } = this.last;
    this.records.push({ given, text: this.textOf(messages) });
  }

  /** Bookkeeping that nobody sends is that of the history that is passed. */
  textOf = (messages) => JSON.stringify(messages.map(withoutBookkeeping));

  /** Asserts that a session knows all requests but the oldest ones. */
  judgeAll(session) {
    let isKnown = false;
    this.records.forEach(({ given, text }, index) => {
      const answer = session.at(index + 1, given);
      if (!answer.known) {
        count(answer.why);
        assert.ok(answer.why === 'dropped' || (answer.why === 'choice' && this.isSorted), answer.text);
        assert.ok(!isKnown || answer.why === 'choice', 'a request is dropped that is not among the oldest');
        return;
      }
      isKnown = true;
      count('known');
      assert.equal(answer.number, index + 1);
      assert.equal(answer.history, given.length);
      if (this.isSorted) return;
      assert.equal(this.textOf(answer.messages), text, `request ${index + 1} of ${this.records.length}`);
      // From the history as it is now, or not at all.
      const now = session.at(index + 1, this.history);
      if (now.known) {
        count('known from the latest history');
        assert.deepEqual(now.messages.map(print), answer.messages.map(print));
      } else {
        count(now.why);
        assert.equal(now.why, 'history');
        assert.ok(
          given.some((message, at) => this.history[at] === undefined || print(inOrder(message)) !== print(inOrder(this.history[at]))),
        );
      }
    });
    assert.equal(session.at(this.records.length + 1, this.history).why, 'not-sent');
  }
}

for (const format of someOf(FORMATS)) {
  test(`${format}: each request is written again, whatever happened, also after a restart`, async () => {
    await fc.assert(
      fc.asyncProperty(life(format), async ({ deeds, ...given }) => {
        const one = new Recorded(given);
        await one.live(deeds);
        one.judgeAll(one.session);
        const resumed = createSession({ ...one.options, now: () => one.clock }, JSON.parse(JSON.stringify(one.session)));
        one.judgeAll(resumed);
      }),
      { numRuns: cases(1), includeErrorInReport: true, seed: SEED - FORMATS.indexOf(format) },
    );
  });
}

test('the lives covered everything', () => {
  for (const what of ['known', 'known from the latest history', 'history']) assert.ok(counts[what] > cases(5), `${what}: ${counts[what]}`);
});

// ---- With all that a request may hold --------------------------------------------------------------------------------

/** A conversation with all that a session may send, over restarts; returns what went out and the session. */
async function busy(format, random, open) {
  const history = Array.from({ length: 45 }, (_, turn) => working(format, turn + 1, turn + 1, 10 + ((turn * 37) % 90))).flat();
  let minute = 0;
  let isOn = true;
  const options = {
    limit: random.pick([4000, 6000, 12_000]),
    format,
    now: () => minute * 60_000,
    recall: 'auto',
    volatile: () => `It is minute ${minute}.`,
    summarizer: async (text) => `Something about ${text.length} characters was said.`,
    enabled: () => isOn,
    warn: false,
    ...(format === 'anthropic' && { cacheControl: true }),
  };
  let session = open(options);
  session.pin('Never write to C:\\data.', { label: 'rule' });
  const sent = [];
  for (let length = 1; length <= history.length; length++) {
    if (history[length - 1].role === 'assistant') continue;
    minute += random.pick([1, 1, 1, 1, 30]);
    isOn = !random.chance(0.05);
    if (random.chance(0.1)) session = open(options, JSON.parse(JSON.stringify(session)));
    if (random.chance(0.05)) session.pin({ message: random.integer(0, length - 1) }, { until: 5 });
    if (random.chance(0.05)) session.unpin('rule');
    const given = history.slice(0, length);
    const step = await session.next(random.chance(0.5) ? given : JSON.parse(JSON.stringify(given)));
    sent.push({ text: JSON.stringify(step.messages), epoch: step.epoch?.reason, isOff: step.report.off === true });
    // Summaries come in the background.
    await new Promise((resolve) => void setImmediate(resolve));
  }
  return { session, sent, history };
}

for (const format of ['anthropic', 'openai-chat', 'ai-sdk-model']) {
  test(`${format}: with recall, summaries, volatile texts, pins and the switch, over restarts, each request is written again`, async () => {
    const random = new Random(SEED + FORMATS.indexOf(format));
    for (let run = 0; run < cases(1); run++) {
      const isStored = random.chance(0.5);
      const store = memoryStore();
      // Over a store, each restart is another process.
      const open = (options, saved) => (isStored ? createSession({ ...options, store, id: 'one' }) : createSession(options, saved));
      const { session, sent, history } = await busy(format, random, open);
      let known = 0;
      for (const [index, { text, epoch, isOff }] of sent.entries()) {
        const answer = session.at(index + 1, history);
        if (!answer.known) {
          assert.equal(answer.why, 'dropped');
          assert.equal(known, 0, 'one is dropped that is not among the oldest');
          continue;
        }
        known++;
        assert.equal(JSON.stringify(answer.messages), text, `request ${index + 1} of ${sent.length}`);
        assert.equal(answer.epoch, epoch);
        assert.equal(answer.off ?? false, isOff);
      }
      assert.ok(known > 0.3 * sent.length, `${known} of ${sent.length} are known`);
    }
  });
}

// ---- By the contract ------------------------------------------------------------------------------------------------

const copy = (value) => JSON.parse(JSON.stringify(value));
const historyOf = (turns) => working('openai-chat', 1, turns);

/** A session that was asked as the history grew, and what it answered. */
function grown(history, options = {}) {
  const session = createSession({ limit: 6000, format: 'openai-chat', now: () => 0, warn: false, ...options });
  return { session, steps: requestsOf(history).map((given) => session.next(given)) };
}

test('cuts name what went, what stands in its place, and the request in which it went', () => {
  const history = historyOf(40);
  const { session, steps } = grown(history);
  const number = steps.length;
  const { messages, cuts, history: length } = session.at(number);
  assert.equal(length, history.length);
  const isSent = (message) => messages.some((sent) => JSON.stringify(sent) === JSON.stringify(message));
  for (const [index, message] of history.entries()) {
    const own = cuts.filter((cut) => cut.message === index);
    assert.equal(own.length === 0, isSent(message), `message ${index}: ${JSON.stringify(own)}`);
    const said = history[index].tool_call_id ?? history[index].tool_calls?.[0].id;
    if (own[0]?.how === 'removed' && said !== undefined)
      assert.ok(!messages.some((sent) => (sent.tool_call_id ?? sent.tool_calls?.[0].id) === said));
  }
  const texts = JSON.stringify(messages);
  for (const { how, marks, request, epoch } of cuts) {
    if (how === 'shortened') continue;
    assert.equal(steps[request - 1].epoch.reason, epoch);
    for (const mark of marks) assert.ok(texts.includes(JSON.stringify(mark).slice(1, -1)), mark);
  }
  assert.ok(cuts.filter(({ how, marks }) => how === 'removed' && marks.length === 1).length > 10);
  // Each cut was made in the request that it names, and not in the one before.
  for (const { message, how, marks, request } of cuts.filter((cut) => cut.request > 1 && cut.how === 'removed')) {
    const before = session.at(request - 1).cuts.find((cut) => cut.message === message);
    assert.notDeepEqual([before?.how, before?.marks], [how, marks], `message ${message} went before request ${request}`);
  }
});

test('what can’t be known is said, and no request is made up', () => {
  const history = historyOf(40);
  const { session, steps } = grown(history);
  const last = steps.length;
  assert.deepEqual(
    [session.at(last + 1).why, session.at(last, history.slice(0, -1)).why, session.at(last, [{ role: 'user', content: 'Hello' }]).why],
    ['not-sent', 'history', 'history'],
  );
  const edited = history.with(4, { ...history[4], content: `${history[4].content} And more.` });
  for (let number = 1; number <= last; number++) {
    const { known, why, history: length, text } = session.at(number, edited);
    assert.equal(known, session.at(number).history <= 4);
    if (!known) assert.deepEqual([why, length > 4, text.includes(`${length} messages`)], ['history', true, true]);
  }
  // The history goes on from an edit: what went out before is known from the history as it was.
  const next = session.next(edited);
  assert.equal(JSON.stringify(session.at(last, history).messages), JSON.stringify(steps.at(-1).messages));
  assert.equal(JSON.stringify(session.at(last + 1, edited).messages), JSON.stringify(next.messages));
  assert.equal(session.at(last, edited).why, 'history');
  // A session that was saved has no history before its next request.
  const resumed = createSession({ limit: 6000, format: 'openai-chat' }, copy(session));
  for (const ask of [() => resumed.at(last), () => resumed.why('part3')])
    assert.throws(ask, { name: 'TypeError', message: /history must be passed: a session that was saved has none/ });
  assert.equal(resumed.at(last, history).known, true);
});

test('a state that was saved by an earlier version knows the requests after it', () => {
  const history = historyOf(30);
  const { session, steps } = grown(history);
  const { log, ...old } = copy(session);
  assert.ok(log !== undefined);
  const resumed = createSession({ limit: 6000, format: 'openai-chat', now: () => 0 }, old);
  const longer = historyOf(36);
  const sent = requestsOf(longer)
    .filter((given) => given.length > history.length)
    .map((given) => JSON.stringify(resumed.next(given).messages));
  assert.equal(resumed.at(steps.length, longer).why, 'dropped');
  sent.forEach((text, index) => assert.equal(JSON.stringify(resumed.at(steps.length + 1 + index, longer).messages), text));
});

test('another option than that of the request is noticed where it matters, and so is a secret that was not stored', () => {
  const history = historyOf(40);
  const { session, steps } = grown(history, {
    volatile: () => 'The token is hunter2.',
    redact: (text) => text.replaceAll('hunter2', '[gone]'),
  });
  assert.ok(session.at(steps.length).known);
  assert.ok(!JSON.stringify(session).includes('hunter2'));
  const resumed = createSession({ limit: 6000, format: 'openai-chat' }, copy(session));
  assert.equal(resumed.at(steps.length, history).why, 'choice');
});

test('a long session keeps the newest requests within its bound', () => {
  const history = Array.from({ length: 6000 }, (_, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: `ok ${index}` }));
  const session = createSession({ limit: 1e6, format: 'openai-chat' });
  for (let length = 1; length <= history.length; length += 2) session.next(history.slice(0, length));
  const { requests } = session.report;
  const answers = Array.from({ length: requests }, (_, index) => index + 1).filter((number) => number % 50 === 0 || number === requests);
  const known = answers.filter((number) => session.at(number, history).known);
  assert.ok(known.length > 1 && known.length < answers.length && known.at(-1) === requests);
  assert.ok(answers.filter((number) => number < known[0]).every((number) => session.at(number, history).why === 'dropped'));
  assert.ok(JSON.stringify(copy(session).log).length <= 0.02 * JSON.stringify(history).length + 4096);
});

test('a log that is spoilt is refused or noticed, and no other request is made of it', () => {
  const history = historyOf(40);
  const { session, steps } = grown(history);
  const sent = steps.map(({ messages }) => JSON.stringify(messages));
  const state = copy(session);
  const values = [
    null,
    0,
    -1,
    2 ** 31,
    '',
    'text',
    'AAAA',
    'AAAAAAAAAAAA',
    '/////////w',
    [],
    {},
    [null],
    ['x'],
    ['AAAAAAAAAAAA'],
    [[7, 0, 9]],
  ];
  const places = Object.keys(state.log).flatMap((key) => [
    [key],
    ...(Array.isArray(state.log[key]) ? state.log[key].slice(0, 3).map((_, index) => [key, index]) : []),
  ]);
  let refused = 0;
  let known = 0;
  for (const [key, index] of places)
    for (const value of values) {
      const saved = copy(state);
      if (index === undefined) saved.log[key] = value;
      else saved.log[key][index] = value;
      let resumed;
      try {
        resumed = createSession({ limit: 6000, format: 'openai-chat', now: () => 0 }, saved);
      } catch (error) {
        refused++;
        assert.match(error.message, /^createSession\(\): saved\.log is not/);
        continue;
      }
      for (const number of [1, steps.length >> 1, steps.length]) {
        const answer = resumed.at(number, history);
        if (answer.known) known++;
        if (answer.known) assert.equal(JSON.stringify(answer.messages), sent[number - 1], `${key} ${index} = ${JSON.stringify(value)}`);
      }
      resumed.why('part3', history);
      // It goes on, whatever the log holds.
      assert.equal(JSON.stringify(resumed.next(history).messages), sent.at(-1));
      JSON.stringify(resumed);
    }
  assert.ok(refused > 10 && known > 10);
});

test('what is wrong with the arguments is said', () => {
  const { session } = grown(historyOf(3));
  for (const number of [0, -1, 1.5, '1', undefined])
    assert.throws(() => session.at(number), { name: 'TypeError', message: /^at\(\): number must be/ });
  assert.throws(() => session.at(1, 'text'), { name: 'TypeError', message: /^at\(\): history must be an array/ });
  assert.throws(() => session.why(''), { name: 'TypeError', message: /^why\(\): what must be a text that is not blank/ });
  assert.throws(() => session.why(7), { name: 'TypeError', message: /^why\(\): what must be/ });
  assert.throws(() => session.why({ message: -1 }), { name: 'TypeError', message: /^why\(\): what\.message must be the index .* got -1/ });
  assert.throws(() => session.why('x', {}), { name: 'TypeError', message: /^why\(\): history must be an array/ });
  const fresh = createSession({ limit: 6000 });
  assert.equal(fresh.at(1, []).why, 'not-sent');
  assert.deepEqual(fresh.why('anything').said, []);
});

for (const { corpus, native, skip } of CORPORA)
  test(`${corpus}: each request is written again, over restarts`, { skip }, () => {
    const random = new Random(SEED);
    const all = native();
    for (let run = 0; run < cases(3); run++) {
      const { format, messages } = random.pick(all);
      const options = { limit: random.pick([16_000, 32_000]), format, now: () => 0, warn: false, recall: random.pick([undefined, 'auto']) };
      let session = createSession(options);
      const sent = requestsOf(messages).map((given) => {
        if (random.chance(0.1)) session = createSession(options, copy(session));
        return JSON.stringify(session.next(given).messages);
      });
      let isKnown = false;
      sent.forEach((text, index) => {
        const answer = session.at(index + 1, messages);
        assert.ok(answer.known || (answer.why === 'dropped' && !isKnown), answer.text);
        isKnown ||= answer.known;
        if (answer.known) assert.equal(JSON.stringify(answer.messages), text);
      });
      assert.ok(isKnown);
    }
  });

test('messages of a format of the caller’s own, over a restart, and a saved state whose format nobody knows', () => {
  const random = new Random(SEED);
  const format = defineFormat({ name: 'own', parts: ({ who }) => [{ kind: 'text', role: who, path: ['says'] }] });
  const options = { format, limit: 300, warn: false };
  const session = createSession(options);
  const history = [];
  const sent = [];
  for (let turn = 0; turn < 30; turn++) {
    history.push({ who: 'user', says: `Question ${turn}: ${'is row one in? '.repeat(random.integer(1, 9))}` });
    sent.push({ messages: structuredClone(session.next(history).messages), history: history.slice() });
    history.push({ who: 'assistant', says: `Row ${turn} is in.` });
  }
  assert.ok(sent.at(-1).messages.length < history.length);
  const saved = JSON.parse(JSON.stringify(session));
  for (const one of [session, createSession(options, saved)]) {
    let known = 0;
    for (const [index, { messages, history: given }] of sent.entries()) {
      const then = one.at(index + 1, given);
      if (!then.known) assert.equal(then.why, 'dropped');
      else assert.deepEqual(then.messages, messages);
      known += Number(then.known);
    }
    assert.ok(known > 10, `${known}`);
    const { said, known: requests } = one.why('Question 0:', sent.at(-1).history);
    assert.deepEqual([said.map(({ message }) => message), requests.at(-1)?.[1]], [[0], 30]);
  }
  const other = createSession({ limit: 300, warn: false }, saved);
  assert.deepEqual([other.at(30, sent.at(-1).history).known, other.at(30, sent.at(-1).history).why], [false, 'choice']);
  assert.deepEqual(other.why('Question 0:', [{ role: 'user', content: 'Question 0: is it in?' }]).known, []);
});
