// Requests that went out are written again, byte for byte: in lives in each format, over restarts, with all that a request may hold, and over
// recorded conversations. The judge is what went out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSession } from 'palimpsest';
import { memoryStore } from 'palimpsest/store/memory';
import { inOrder } from '../session/play.mjs';
import { CORPORA } from '../support/corpus.mjs';
import { cases, SEED } from '../support/seed.mjs';
import { Random } from '../support/random.mjs';
import { FORMATS } from '../support/transcripts.mjs';
import { DEEDS, Life, PINS, print, RETURNS, withoutBookkeeping } from './life.mjs';
import { requestsOf, working } from './working.mjs';

const seed = fc.nat(2 ** 31);
const deedOf = (weights) =>
  fc.record({ name: fc.oneof(...weights.map(({ name, weight }) => ({ weight, arbitrary: fc.constant(name) }))), seed });
const life = (format) =>
  fc.record({
    format: fc.constant(format),
    seed,
    deeds: fc.oneof(...[DEEDS, PINS, RETURNS].map((weights) => fc.array(deedOf(weights), { minLength: 8, maxLength: 30, size: 'max' }))),
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

for (const format of FORMATS) {
  test(`${format}: each request is written again, whatever happened, also after a restart`, async () => {
    await fc.assert(
      fc.asyncProperty(life(format), async ({ deeds, ...given }) => {
        const one = new Recorded(given);
        await one.live(deeds);
        one.judgeAll(one.session);
        const resumed = createSession({ ...one.options, now: () => one.clock }, JSON.parse(JSON.stringify(one.session)));
        one.judgeAll(resumed);
      }),
      { numRuns: cases(2), includeErrorInReport: true, seed: SEED - FORMATS.indexOf(format) },
    );
  });
}

test('the lives covered everything', () => {
  for (const what of ['known', 'known from the latest history', 'history']) assert.ok(counts[what] > cases(10), `${what}: ${counts[what]}`);
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
    for (let run = 0; run < cases(2); run++) {
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
