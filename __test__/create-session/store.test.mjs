// Sessions over a store: processes share a conversation, and a store that fails costs nothing but the saving.
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { createSession, redactSecrets } from 'palimpsest';
import { refused, requestsOf, working } from './working.mjs';

const { memoryStore } = createRequire(import.meta.url)('palimpsest/store/memory');
const FORMAT = 'anthropic';
const history = working(FORMAT, 1, 40);
const requests = requestsOf(history);
const alone = (options) => createSession({ limit: 6000, format: FORMAT, now: () => 0, ...options });
/** The calls of these tests end by themselves or never: no time decides. */
const over = (store, options) => alone({ store, id: 'conversation', storeTimeout: 600_000, ...options });
const text = (step) => JSON.stringify(step.messages);
const expected = (() => {
  const session = alone();
  return requests.map((given) => text(session.next(given)));
})();
const turns = { timeout: 120_000 };

/** A store that calls `before` with the name of each method; what that returns or throws comes instead, if it is not undefined. */
const guarded = (store, before) =>
  Object.fromEntries(
    Object.entries(store).map(([name, method]) => [name, async (...args) => (await before(name, ...args)) ?? method(...args)]),
  );

/** The warnings of the process while `work` runs. */
async function warningsOf(work) {
  const warnings = [];
  const take = (warning) => warnings.push(warning);
  process.on('warning', take);
  await work();
  await new Promise(setImmediate);
  process.removeListener('warning', take);
  return warnings;
}

test('two servers that take turns, and one that starts anew each time, send what one session sends', turns, async () => {
  const store = memoryStore();
  const servers = [over(store), over(store)];
  for (const [index, given] of requests.entries()) assert.equal(text(await servers[index % 2].next(given)), expected[index]);
  const fresh = memoryStore();
  for (const [index, given] of requests.entries()) assert.equal(text(await over(fresh).next(given)), expected[index]);
  // Each request counts once, whoever sent it.
  const last = over(store);
  await last.next(history);
  assert.equal(last.report.requests, requests.length + 1);
});

test('of requests at the same time every one is saved, counted and published once', turns, async (t) => {
  const events = [];
  const take = (event) => events.push(event);
  subscribe('palimpsest:session', take);
  t.after(() => unsubscribe('palimpsest:session', take));
  const store = memoryStore();
  const servers = Array.from({ length: 4 }, () => over(store));
  const given = requests.slice(0, 40);
  for (const history of given) {
    const steps = await Promise.all(servers.map((server) => server.nextAsync(history)));
    for (const step of steps) {
      assert.ok(step.fits);
      assert.equal(await refused(FORMAT, step.messages), null);
    }
  }
  assert.equal(events.length, servers.length * given.length);
  const last = over(store);
  await last.next(given.at(-1));
  assert.equal(last.report.requests, servers.length * given.length + 1);
});

test('a store that rejects, throws or hangs costs nothing but the saving, and one warning', turns, async () => {
  const secret = 'sk-live-that-a-driver-quotes-in-its-error';
  const down = () => {
    throw Object.assign(new Error(secret), { code: 'ECONNREFUSED' });
  };
  const broken = { get: down, put: down, load: down, save: down, delete: down };
  const warnings = await warningsOf(async () => {
    for (const store of [guarded(memoryStore(), down), broken]) {
      const session = over(store);
      for (const [index, given] of requests.entries()) assert.equal(text(await session.next(given)), expected[index]);
    }
  });
  assert.deepEqual(
    warnings.map(({ code, message }) => [code, message]),
    [['PALIMPSEST_STORE', 'createSession(): the store failed (ECONNREFUSED), and the request goes out without it']],
  );

  const calls = [];
  const hangs = (name) => {
    calls.push(name);
    return new Promise(() => {});
  };
  const late = await warningsOf(async () => {
    const session = over(guarded(memoryStore(), hangs), { storeTimeout: 0 });
    for (const [index, given] of requests.entries()) assert.equal(text(await session.next(given)), expected[index]);
  });
  assert.equal(late.length, 1);
  assert.match(late[0].message, /\(ETIMEDOUT\)/);
  assert.deepEqual(calls, ['load'], 'who hangs is waited for once');
});

test('a store that is back is saved to again; a save that came through late is known again', turns, async () => {
  const store = memoryStore();
  let isDown = false;
  const flaky = guarded(store, (name, ...args) => {
    // The answer is lost, and what it answers was done.
    if (isDown) return store[name](...args).then(() => Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' })));
  });
  const session = over(flaky);
  for (const [index, given] of requests.entries()) {
    isDown = index % 3 === 1;
    assert.equal(text(await session.next(given)), expected[index]);
  }
  isDown = false;
  const last = over(store);
  await last.next(history);
  assert.equal(last.report.requests, requests.length + (requests.length % 3 === 2 ? 0 : 1));
});

test('a state that can not be read is not overwritten, and one that was deleted is saved anew', turns, async () => {
  const store = memoryStore();
  await store.save('conversation', '{"version":99}', 0);
  const session = over(store);
  const warnings = await warningsOf(async () => {
    for (const [index, given] of requests.slice(0, 5).entries()) assert.equal(text(await session.next(given)), expected[index]);
  });
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['PALIMPSEST_STORE'],
  );
  assert.equal((await store.load('conversation')).state, '{"version":99}');
  await store.delete('conversation');
  for (let index = 5; index < 10; index++) {
    if (index === 8) await store.delete('conversation');
    assert.equal(text(await session.next(requests[index])), expected[index]);
    assert.equal(JSON.parse((await store.load('conversation')).state).ledger.requests, index + 1);
  }
});

test('a state of another history is replaced', turns, async () => {
  const store = memoryStore();
  await over(store).next(working(FORMAT, 60, 65));
  const session = over(store);
  const first = await session.next(requests[0]);
  assert.equal(first.report.foreign, true);
  for (const [index, given] of requests.entries()) assert.equal(text(await session.next(given)), expected[index]);
  // Two branches under one name keep their own prefixes.
  const other = over(store);
  const branch = working(FORMAT, 60, 65);
  await other.next(branch);
  const again = await session.next(history);
  assert.equal(again.report.foreign, undefined);
  assert.equal(text(again), expected.at(-1));
});

test('summaries are asked for once by all servers, and found in the store', turns, async () => {
  const store = memoryStore();
  const asked = [];
  const summarizer = async (given) => {
    asked.push(given);
    return `Summary ${asked.length}.`;
  };
  const prose = Array.from({ length: 60 }, (_, index) => [
    { role: 'user', content: `Question ${index}: what became of worker ${index}?` },
    { role: 'assistant', content: `Worker ${index} waited for batch ${index * 7}. `.repeat(12) },
  ]).flat();
  for (const [index, given] of requestsOf(prose).entries()) {
    const session = over(store, { summarizer });
    const step = await session.next(given);
    assert.ok(step.fits, String(index));
    // What the summarizer answered meanwhile is in the store before the next server comes.
    await new Promise(setImmediate);
  }
  assert.ok(asked.length > 0);
  assert.equal(new Set(asked).size, asked.length, 'a text was summarised twice');
  const last = await over(store, { summarizer }).next(prose);
  assert.match(text(last), /Summary \d+\./);
});

test('servers that work on one conversation at the same time ask for each summary once', turns, async () => {
  const prose = Array.from({ length: 60 }, (_, index) => [
    { role: 'user', content: `Question ${index}: what became of worker ${index}?` },
    { role: 'assistant', content: `Worker ${index} waited for batch ${index * 7}. `.repeat(12) },
  ]).flat();
  const kept = [];
  const store = guarded(memoryStore(), (name, _, entries) => {
    if (name === 'put') kept.push(...entries.flatMap(([key, value]) => (key.startsWith('summary:') ? [value] : [])));
  });
  const asked = [];
  const summarizer = async (given) => {
    asked.push(given);
    return `Summary ${asked.length}.`;
  };
  for (const given of requestsOf(prose)) {
    const steps = await Promise.all([1, 2, 3].map(() => over(store, { summarizer }).next(given)));
    assert.ok(steps.every(({ fits }) => fits));
  }
  assert.ok(asked.length > 0);
  assert.equal(new Set(asked).size, asked.length, 'a text was summarised twice');
  await new Promise(setImmediate);
  // An epoch doesn't wait for another server's answer, which is there for the next one.
  assert.deepEqual(
    kept,
    asked.map((_, index) => `Summary ${index + 1}.`),
  );

  // Without a store that answers, each asks.
  const before = asked.length;
  const failing = { ...memoryStore(), put: () => Promise.reject(new Error('down')), get: () => Promise.reject(new Error('down')) };
  await over(failing, { summarizer }).next(prose);
  assert.ok(asked.length > before);
});

test('no secret is stored or summarised, and the provider gets every one', turns, async () => {
  const key = (index) => `ghp_${String(index).padStart(4, 'x').repeat(9)}`;
  const secrets = Array.from({ length: 60 }, (_, index) => key(index));
  const talk = secrets.flatMap((secret, index) => [
    { role: 'user', content: `Question ${index}: does the token ${secret} work?` },
    { role: 'assistant', content: `${`Worker ${index} waited for batch ${index * 7}. `.repeat(10)}The token ${secret} works.` },
  ]);
  for (const redact of [redactSecrets, [/ghp_\w+/], (given) => given.replaceAll(/ghp_\w+/g, '')]) {
    const store = memoryStore();
    const stored = [];
    const seen = [];
    const recording = guarded(store, (_, ...args) => {
      stored.push(JSON.stringify(args));
    });
    const summarizer = async (given) => {
      seen.push(given);
      return `In short: ${secrets[seen.length]} and more.`;
    };
    const session = over(recording, { summarizer, redact });
    for (const given of requestsOf(talk)) await session.next(given);
    assert.ok(seen.length > 0);
    const all = [...stored, ...seen, JSON.stringify(session)].join('\n');
    for (const secret of secrets) assert.ok(!all.includes(secret));
    const step = await session.next(talk);
    assert.ok(text(step).includes(secrets.at(-1)));
  }
  await assert.rejects(alone({ redact: () => 7, summarizer: async () => '' }).next(talk), {
    name: 'TypeError',
    message: /options\.redact must return a string, got number$/,
  });
});

test('before its first request a session says what other processes sent, once the store was read', turns, async () => {
  const store = memoryStore();
  const before = over(store);
  const sent = [];
  for (const given of requests) sent.push(text(await before.next(given)));
  const after = over(store);
  for (const [name, ask] of [
    ['at', () => after.at(1, history)],
    ['why', () => after.why({ message: 3 }, history)],
    ['context', () => after.context(history)],
  ])
    assert.throws(ask, { name: 'TypeError', message: `${name}(): the store was not read yet: await session.load() first, or next()` });
  assert.equal(after.context(), undefined);
  assert.equal(await after.load(), undefined);
  assert.equal(after.report.requests, requests.length);
  assert.throws(() => after.at(1), /^TypeError: at\(\): history must be passed/);
  const known = sent.map((_, index) => after.at(index + 1, requests[index])).filter((one) => one.known);
  assert.ok(known.length > sent.length / 2);
  for (const one of known) assert.equal(JSON.stringify(one.messages), sent[one.number - 1]);
  assert.deepEqual(after.why({ message: 3 }, history), before.why({ message: 3 }));
  assert.deepEqual(after.context(requests.at(-1)), before.context());
  // What it says changes nothing: the next request is that of a session that was asked nothing.
  const more = [...history, { role: 'user', content: 'Go on.' }];
  const next = text(await over(store).next(more));
  const again = over(store);
  await Promise.all([again.load(), again.load()]);
  assert.equal(text(await again.next(more)), next);
  // Once it has asked itself, there is nothing to read.
  await again.load();
  assert.equal(again.at(requests.length + 2).known, true);
  // A conversation that nobody has begun has no requests, and neither has one without a store.
  const fresh = over(memoryStore());
  await fresh.load();
  assert.equal(fresh.at(1, history).why, 'not-sent');
  assert.equal(fresh.context(history), undefined);
  const summarising = alone({ summarizer: async () => 'a summary' });
  await summarising.load();
  assert.equal(summarising.at(1, history).why, 'not-sent');
});

test('a store that fails to be read says so, without its words, and is read again', turns, async () => {
  const store = memoryStore();
  for (const given of requests.slice(0, 3)) await over(store).next(given);
  let isDown = true;
  const secret = 'sk-live-that-a-driver-quotes-in-its-error';
  const flaky = guarded(store, () => isDown && Promise.reject(Object.assign(new Error(secret), { code: 'ECONNRESET' })));
  const session = over(
    Object.fromEntries(
      Object.entries(flaky).map(([name, method]) => [name, (...args) => (isDown ? method(...args) : store[name](...args))]),
    ),
  );
  await assert.rejects(session.load(), { code: 'PALIMPSEST_STORE', message: 'load(): the store failed (ECONNRESET)' });
  assert.throws(() => session.at(1, history), /the store was not read yet/);
  isDown = false;
  await session.load();
  assert.equal(session.at(3, requests[2]).known, true);
});

test('options of a store are checked', () => {
  const store = memoryStore();
  const cases = [
    [{ store }, 'createSession(): options.store needs options.id, the name of the conversation'],
    [{ store: {}, id: 'a' }, 'createSession(): options.store must be a store, such as palimpsest/store/sqlite makes, got object'],
    [{ store: 'redis://', id: 'a' }, 'createSession(): options.store must be a store, such as palimpsest/store/sqlite makes, got string'],
    [{ store, id: 7 }, 'createSession(): options.id must be a string, got number'],
    [{ id: 'a' }, 'createSession(): options.id names a conversation of options.store, which is absent'],
    [{ summarizer: 'store' }, "createSession(): options.summarizer 'store' needs options.store"],
    [{ redact: 'secrets' }, 'createSession(): options.redact must be an array of RegExps, got string'],
  ];
  for (const [options, message] of cases) assert.throws(() => alone(options), { name: 'TypeError', message });
  assert.throws(() => alone({ store, id: 'a', storeTimeout: -1 }), { name: 'RangeError' });
});
