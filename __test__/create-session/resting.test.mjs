// A session that nobody uses for a while rests: it lets go of what it can have again, and nobody sees that but the memory.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import fc from 'fast-check';
import { memoryStore } from 'palimpsest/store/memory';
import * as palimpsest from '../../unbundled/index.js';
import { THINKERS } from '../session/play.mjs';
import { Random } from '../support/random.mjs';
import { cases, IS_WHOLE, SEED, someOf } from '../support/seed.mjs';
import { FORMATS } from '../support/transcripts.mjs';
import { drawnDeeds, drawnSeed, Life } from './life.mjs';
import { asks, requestsOf, working } from './working.mjs';

const require = createRequire(import.meta.url);
const { rest } = require('../../unbundled/session/index.js');
const { createSession } = palimpsest;
const copy = (value) => JSON.parse(JSON.stringify(value));

/** How often a session rested. */
let rested = 0;
/** Returns whether a session rests now. */
async function letRest(session) {
  const isResting = await rest(session);
  if (isResting) rested++;
  return isResting;
}

// ---- Nobody sees it ---------------------------------------------------------------------------------------------------

/** The library with sessions that remember their last step. */
const recording = {
  ...palimpsest,
  createSession(options, saved) {
    const session = createSession(options, saved);
    const { next, nextAsync } = session;
    session.next = (history) => (session.last = next.call(session, history));
    session.nextAsync = async (history) => (session.last = await nextAsync.call(session, history));
    return session;
  },
};

/** A life in which one of two sessions rests now and then. The other one was asked the same, and never rests. */
class Rested extends Life {
  #random;
  /** Neither was saved since it began: then their steps are the same to the last byte. */
  #areAlike = true;

  constructor(given) {
    super(given, recording);
    this.#random = new Random(given.seed);
  }

  async request(deed) {
    if (deed === 'save' || deed === 'resume') this.#areAlike = false;
    if (this.#random.chance(0.4)) await letRest(this.session);
    if (this.#random.chance(0.2)) this.compare();
    await super.request(deed);
    if (this.#areAlike) assert.equal(JSON.stringify(this.session.last), JSON.stringify(this.twin.last));
  }

  /** What both say of themselves. */
  compare() {
    if (!this.#areAlike) return;
    const [one, other] = [this.session, this.twin].map((session) => ({
      saved: session.toJSON(),
      report: session.report,
      context: session.context(),
      why: session.why({ message: 0 }),
      at: session.at(Math.max(1, session.report.requests - 1)),
      found: session.recall('Which file has to be changed?'),
    }));
    assert.deepEqual(one, other);
  }
}

const life = (format) =>
  fc.record({
    format: fc.constant(format),
    seed: drawnSeed,
    isSigned: fc.boolean(),
    deeds: drawnDeeds,
  });

for (const format of someOf(FORMATS)) {
  test(`${format}: a session that rests sends and says what one says that never rests`, async () => {
    await fc.assert(
      fc.asyncProperty(life(format), async ({ deeds, isSigned, ...given }) => {
        const one = new Rested({ ...given, isSigned: isSigned && THINKERS.includes(format) });
        await one.live(deeds);
        await letRest(one.session);
        one.compare();
      }),
      { numRuns: cases(6), includeErrorInReport: true, seed: SEED - FORMATS.indexOf(format) },
    );
  });
}

test('the sessions rested', { skip: !IS_WHOLE && 'not all cases are tried' }, () => assert.ok(rested > cases(100), `${rested}`));

for (const format of ['anthropic', 'openai-chat', 'ai-sdk-model']) {
  test(`${format}: with recall, volatile texts, pins, usages, the switch and fresh objects, resting changes no byte`, async () => {
    const random = new Random(SEED + FORMATS.indexOf(format));
    for (let run = 0; run < cases(2); run++) {
      const history = Array.from({ length: 40 }, (_, turn) => working(format, turn + 1, turn + 1, 10 + ((turn * 37) % 90))).flat();
      let minute = 0;
      let isOn = true;
      const isStored = random.chance(0.3);
      const options = () => ({
        limit: [4000, 6000, 12_000][run % 3],
        format,
        now: () => minute * 60_000,
        recall: 'auto',
        volatile: () => `It is minute ${minute}.`,
        enabled: () => isOn,
        warn: false,
        ...(random.chance(0.5) && { tokenCounter: (message) => JSON.stringify(message).length / 7 }),
        ...(isStored && { store: memoryStore(), id: 'one' }),
        ...(format === 'anthropic' && { cacheControl: true }),
      });
      const own = options();
      const sessions = [createSession(own), createSession({ ...own, ...(isStored && { store: memoryStore() }) })];
      for (const session of sessions) session.pin('Never write to C:\\data.', { label: 'rule' });
      for (let length = 1; length <= history.length; length++) {
        if (history[length - 1].role === 'assistant') continue;
        minute += random.pick([1, 1, 1, 1, 30]);
        isOn = !random.chance(0.05);
        const given = random.chance(0.5) ? history.slice(0, length) : copy(history.slice(0, length));
        if (random.chance(0.5)) await letRest(sessions[0]);
        const usage = random.chance(0.5) && { prompt_tokens: random.integer(1000, 9000), completion_tokens: 7 };
        const texts = [];
        for (const session of sessions) {
          const cache = usage && session.observe({ ...usage, prompt_tokens_details: { cached_tokens: usage.prompt_tokens >> 1 } });
          const step = await session.next(given);
          texts.push(JSON.stringify([step, cache, session.report]));
        }
        assert.equal(texts[0], texts[1], `request of ${length} messages`);
      }
    }
  });
}

// ---- What changes meanwhile -----------------------------------------------------------------------------------------------

/** Two sessions that saw a history grow, of which the first one rests. */
async function resting(history, options = {}) {
  const sessions = [0, 1].map(() => {
    const session = createSession({ limit: 6000, format: 'openai-chat', now: () => 0, warn: false, ...options });
    for (const given of requestsOf(history)) session.next(given);
    return session;
  });
  assert.ok(await letRest(sessions[0]));
  return sessions;
}

/** Asserts that sessions make the same of a history. */
function assertAlike(sessions, history) {
  const [one, other] = sessions.map((session) => JSON.stringify(session.next(history)));
  assert.equal(one, other);
}

test('an object that is changed meanwhile counts as changed', async () => {
  for (const isReplaced of [false, true])
    for (const at of [0, 2, 40, 58, 59]) {
      const history = working('openai-chat', 1, 20);
      const pristine = copy(history);
      const sessions = await resting(history);
      history[at].content = 'It says something else now.';
      assertAlike(sessions, [...(isReplaced ? pristine : history), ...asks('openai-chat', 'And now?')]);
      assert.equal(sessions[0].report.prefix.index, at);
    }
});

test('an object that nobody can read any more, or that has other parts, stops no session', async () => {
  const history = working('openai-chat', 1, 20);
  const [session] = await resting(history);
  history[1].content = 'Let me see.';
  history[30].content = 7;
  history[31].content = history;
  const { messages } = session.next(working('openai-chat', 1, 5));
  assert.ok(messages.length > 0);
  assert.equal(session.report.requests, requestsOf(history).length + 1);
});

test('what is said of a session and observed wakes it not, and nothing is lost', async () => {
  const sessions = await resting(working('openai-chat', 1, 20));
  const usage = { prompt_tokens: 3000, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 2000 } };
  const [one, other] = sessions.map((session) => JSON.stringify([session.observe(usage), session.report, session.toJSON()]));
  assert.equal(one, other);
});

test('a message without content is one afterwards, too', async () => {
  const history = [...working('anthropic', 1, 5), { role: 'user', content: [] }, { role: 'assistant', content: [] }];
  const sessions = await resting(history, { format: 'anthropic' });
  const [one, other] = sessions.map((session) => JSON.stringify([session.toJSON(), session.context()]));
  assert.equal(one, other);
  assertAlike(sessions, [...history, ...asks('anthropic', 'And now?')]);
});

test('a session does not rest while a step waits', async () => {
  let settle;
  const history = working('openai-chat', 1, 20);
  const session = createSession({
    limit: 3000,
    format: 'openai-chat',
    summarizer: () => new Promise((resolve) => (settle = resolve)),
  });
  const step = session.next(history);
  while (settle === undefined) await new Promise((resolve) => void setImmediate(resolve));
  assert.equal(await letRest(session), false);
  settle('The user asked about parts.');
  assert.ok((await step).messages.length > 0);
  assert.equal(await letRest(session), true);
});

// ---- When, and what for -----------------------------------------------------------------------------------------------

/** Runs a program with the library in another process; returns what it wrote as JSON. */
function inProcess(program, flags = []) {
  const [library, session, { href }] = ['index.js', 'session/index.js', 'working.mjs'].map((name) =>
    name.endsWith('.mjs') ? new URL(name, import.meta.url) : new URL(`../../unbundled/${name}`, import.meta.url).href,
  );
  const lines = `
    import { createRequire } from 'node:module';
    import { requestsOf, working } from ${JSON.stringify(href)};
    const require = createRequire(import.meta.url);
    const { createSession, defineFormat } = (await import(${JSON.stringify(library)})).default;
    const { rest } = (await import(${JSON.stringify(session)})).default;
    ${program}`;
  const { stdout, stderr, status } = spawnSync(process.execPath, [...flags, '--input-type=module', '-e', lines], { timeout: 50_000 });
  assert.equal(status, 0, String(stderr));
  return JSON.parse(stdout);
}

test('a session rests once nobody has used it for a minute', () => {
  const reads = inProcess(`
    import { mock } from 'node:test';
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    let count = 0;
    const format = defineFormat({
      name: 'counted',
      parts: ({ role }) => {
        count++;
        return [{ kind: 'text', path: ['content'], role }];
      },
    });
    /** Whether messages are read within a time in ms. */
    const isReading = async (time) => {
      const before = count;
      for (let passed = 0; passed < time; passed += 1000) {
        mock.timers.tick(1000);
        for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => void setImmediate(resolve));
      }
      return count > before;
    };
    const history = Array.from({ length: 20 }, (_, turn) => ({ role: ['user', 'assistant'][turn % 2], content: 'Turn ' + turn }));
    const session = createSession({ limit: 6000, format });
    const isStepReading = () => {
      const before = count;
      session.next(history);
      return count > before;
    };
    console.log(JSON.stringify({
      first: isStepReading(),
      soon: await isReading(50_000),
      second: isStepReading(),
      soonAfterThat: await isReading(50_000),
      later: await isReading(30_000),
      again: await isReading(200_000),
      afterResting: isStepReading(),
      then: isStepReading(),
    }));`);
  assert.deepEqual(reads, {
    first: true,
    soon: false,
    second: false,
    soonAfterThat: false,
    later: true,
    again: false,
    afterResting: true,
    then: false,
  });
});

test('a process that has nothing else to do ends', () => {
  const requests = inProcess(`
    const sessions = Array.from({ length: 5 }, () => createSession({ limit: 6000 }));
    for (const session of sessions) session.next(working('openai-chat', 1, 20));
    console.log(sessions.length);`);
  assert.equal(requests, 5);
});

test('a session that rests has a fraction of what it had beside its history, and nothing once it is dropped', () => {
  const { awake, resting, dropped } = inProcess(
    `
    const history = () => JSON.parse(JSON.stringify(working('openai-chat', 1, 60, 20)));
    const grown = (messages) => {
      const session = createSession({ limit: 8000, format: 'openai-chat' });
      for (const given of requestsOf(messages)) session.next(given);
      return session;
    };
    const memory = async () => {
      for (let run = 0; run < 3; run++) {
        gc();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const histories = Array.from({ length: 40 }, history);
    // The code comes with the first one.
    await rest(grown(history()));
    const before = await memory();
    let sessions = histories.map(grown);
    const awake = (await memory()) - before;
    for (const session of sessions) if (!(await rest(session))) throw new Error('it does not rest');
    const resting = (await memory()) - before;
    console.error(sessions.length);
    sessions = undefined;
    const dropped = (await memory()) - before;
    console.log(JSON.stringify({ awake, resting, dropped, histories: histories.length }));`,
    ['--expose-gc'],
  );
  assert.ok(resting < awake / 2, `${resting} of ${awake} bytes`);
  assert.ok(dropped < awake / 4, `${dropped} of ${resting} bytes`);
});
