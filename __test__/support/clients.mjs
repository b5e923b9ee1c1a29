// What holds for every copy of a client: the tests of palimpsest/openai, /anthropic and /gemini share them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession, marksNote } from 'palimpsest';
import { longAgent, startProvider } from './agents/index.mjs';
import { judge, withoutMessages } from './marks.mjs';
import { variantsOf } from './shorter.mjs';

export const STEPS = 45;
/** Tokens: a fifth of the conversation, so that there are several epochs. */
export const LIMIT = 14_000;

/** Starts the providers for the time of `work`. */
export async function withProvider(script, work, options) {
  const provider = await startProvider(script, { window: 200_000, ...options });
  try {
    return await work(provider);
  } finally {
    await provider.close();
  }
}

/** Options that record each step, and throw whatever of ours fails. */
export function recording(options) {
  const steps = [];
  const sessions = new Set();
  const onStep = (step, { session }) => {
    steps.push(step);
    sessions.add(session);
  };
  const onError = (error) => {
    throw error;
  };
  return { steps, sessions, options: { onStep, onError, ...options } };
}

/** Runs a tool; an error is a result, too. */
export function resultOf(tool, input) {
  try {
    return tool.run(input);
  } catch (error) {
    return `Error: ${error.message}`;
  }
}

/** A session that records the usage it is given. */
export function spying(options) {
  const session = createSession(options);
  const seen = [];
  const spy = {
    next: (history) => session.next(history),
    nextAsync: (history) => session.nextAsync(history),
    observe: (usage) => {
      seen.push(usage);
      session.observe(usage);
    },
  };
  return { session, seen, spy };
}

/** Stands for the network: records bodies as they are sent, and answers `{}`. */
export function recordingFetch() {
  const sent = [];
  const fetch = async (url, { body } = {}) => {
    sent.push({ url: String(url), body });
    return Response.json({});
  };
  return { sent, fetch };
}

const bodies = (provider) => provider.requests.map(({ body }) => body);

/** Tokens, cached share and epochs of a run, as the server and the sessions have them. */
function figuresOf(provider, { steps, sessions }) {
  const reports = [...sessions].map(({ report }) => report);
  const sum = (of) => reports.reduce((total, report) => total + of(report), 0);
  const { sent, cachedShare } = provider.sum();
  return {
    sent,
    cachedShare,
    reported: sum(({ tokens }) => tokens.cached) / sum(({ tokens }) => tokens.sent),
    epochs: steps.filter(({ epoch }) => epoch).length,
  };
}

/**
 * Checks that the share of the cache is what the sessions reported.
 *
 * The tolerance: the sessions count what the provider adds to texts, of which the loopback server counts nothing, and some caches read in
 * steps of 128 tokens.
 */
export function checkFigures(t, provider, recorder, tolerance = 0.02) {
  const { sent, cachedShare, reported, epochs } = figuresOf(provider, recorder);
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  t.diagnostic(`${sent} tokens sent · cached ${percent(cachedShare)}, reported ${percent(reported)} · ${epochs} epochs`);
  assert.ok(Math.abs(cachedShare - reported) < tolerance, `cached ${cachedShare}, reported ${reported}`);
  assert.ok(epochs >= 3, `${epochs} epochs`);
}

/** Checks that each result in a request is whole, or cut with marks that tell the truth, and that marks stand for those that are not there. */
export function checkMarks(body, history, resultsOf) {
  const originals = resultsOf(history);
  const sent = resultsOf(body);
  let marks = 0;
  for (const [id, text] of sent) {
    const wholes = variantsOf(originals.get(id));
    const problems = withoutMessages(text).flatMap((inner) => wholes.map((whole) => judge(inner, whole, { saw: () => marks++ })));
    assert.ok(problems.includes(undefined), `${id}: ${problems[0]}`);
  }
  const isGone = sent.size < originals.size;
  const isMarked = /\[… \d+ messages?/.test(JSON.stringify(body));
  assert.equal(isGone, isMarked);
  assert.ok(marks > 0 || isGone, 'nothing was cut');
}

/**
 * Tests what sends the requests of an agent.
 *
 * @param {string} name
 * @param {object} driver
 * @param {(provider: object) => object} driver.open returns the SDK's client
 * @param {(client: object, options: object) => object} driver.wrap
 * @param {(client: object, run: { conversation: string, stream?: boolean, prompt?: string }) => Promise<object[]>} driver.run runs an agent in
 *   the SDK's own loop, and returns its history
 * @param {(client: object, prompt: string) => Promise<object>} [driver.ask] makes one request, whose failure rejects
 * @param {(of: object) => Map<string, string>} driver.resultsOf the results of tools in a request or in a history
 * @param {object} [driver.options]
 */
export function testConversations(name, { open, wrap, run, ask, resultsOf, options }) {
  const limited = { limit: LIMIT, ...options };

  for (const stream of [false, true]) {
    test(`${name}: an agent of ${STEPS} steps${stream ? ', streamed,' : ''} stays within the limit and keeps the cache`, async (t) => {
      await withProvider(longAgent({ steps: STEPS }), async (provider) => {
        const plain = await run(open(provider), { conversation: 'plain', stream });
        provider.reset();
        const recorder = recording(limited);
        const history = await run(wrap(open(provider), recorder.options), { conversation: 'plain', stream });
        assert.equal(provider.sum().refused, 0);
        assert.equal(provider.sum().requests, STEPS);
        assert.equal(recorder.steps.length, STEPS);
        assert.equal(recorder.sessions.size, 1);
        for (const { tokens } of provider.requests) assert.ok(tokens <= LIMIT, `${tokens} tokens`);
        checkFigures(t, provider, recorder);
        assert.deepEqual(history, plain);
        checkMarks(bodies(provider).at(-1), history, resultsOf);
      });
    });
  }

  testSessions(name, { open, wrap, run, ask, options });
}

/** Tests which session a request gets: the part of `testConversations` that needs no results of tools. */
export function testSessions(name, { open, wrap, run, ask, options }) {
  const limited = { limit: LIMIT, ...options };

  test(`${name}: conversations at once don't mix`, async (t) => {
    await withProvider(longAgent({ steps: 30 }), async (provider) => {
      const names = ['one', 'two', 'three'];
      const alone = new Map();
      for (const conversation of names) {
        provider.reset();
        await run(wrap(open(provider), recording(limited).options), { conversation });
        alone.set(conversation, bodies(provider));
      }
      provider.reset();
      const recorder = recording(limited);
      const client = wrap(open(provider), recorder.options);
      await Promise.all(names.map((conversation) => run(client, { conversation })));
      assert.equal(recorder.sessions.size, 3);
      for (const conversation of names) {
        const mine = provider.requests.filter((request) => request.conversation === conversation).map(({ body }) => body);
        assert.deepEqual(mine, alone.get(conversation), conversation);
      }
      const { sent, cachedShare, epochs } = figuresOf(provider, recorder);
      t.diagnostic(`${sent} tokens sent · cached ${(100 * cachedShare).toFixed(1)} % · ${epochs} epochs`);
    });
  });

  test(`${name}: one session for all requests, and saved and resumed`, async () => {
    await withProvider(longAgent({ steps: 30 }), async (provider) => {
      const settings = { ...limited, now: () => 0 };
      const session = createSession(settings);
      await run(wrap(open(provider), session), { conversation: 'a' });
      assert.equal(session.report.requests, 30);
      const expected = bodies(provider);
      provider.reset();
      // Every seventh request another process takes over.
      let saved;
      let current;
      const resuming = () => {
        if (current?.report.requests % 7 === 0) {
          saved = JSON.parse(JSON.stringify(current));
          current = undefined;
        }
        current ??= createSession(settings, saved);
        return current;
      };
      await run(wrap(open(provider), { session: resuming, onError: recording({}).options.onError }), { conversation: 'a' });
      assert.deepEqual(bodies(provider), expected);
    });
  });

  test(`${name}: a failure of ours leaves requests as they came`, async () => {
    await withProvider(longAgent({ steps: 12 }), async (provider) => {
      await run(open(provider), { conversation: 'a' });
      const expected = bodies(provider);
      provider.reset();
      const failure = new Error('the store is down');
      const errors = [];
      const session = () => Promise.reject(failure);
      await run(wrap(open(provider), { session, onError: (error) => errors.push(error) }), { conversation: 'a' });
      assert.deepEqual(bodies(provider), expected);
      assert.deepEqual(errors, Array(12).fill(failure));
      if (ask === undefined) return;
      const thrown = ask(wrap(open(provider), { session, onError: (error) => Promise.reject(error) }), 'Hello.');
      await assert.rejects(async () => thrown, failure);
      assert.equal(provider.requests.length, 12);
    });
  });

  test(`${name}: marks are explained once, in the system prompt, from the first request on`, async (t) => {
    await withProvider(longAgent({ steps: STEPS }), async (provider) => {
      const recorder = recording({ ...limited });
      const history = await run(wrap(open(provider), recorder.options), { conversation: 'a' });
      const note = JSON.stringify(marksNote).slice(1, -1);
      for (const text of bodies(provider).map((body) => JSON.stringify(body))) {
        assert.equal(text.split(note).length, 2);
        assert.ok(text.includes(`${note}"`), 'something stands behind it');
      }
      assert.ok(!JSON.stringify(history).includes(note));
      checkFigures(t, provider, recorder);
    });
  });
}

/** Tests a copy of a client; `driver.ask` is required. */
export function testClient(name, driver) {
  testConversations(name, driver);
  const { open, wrap, run, ask, options } = driver;
  const limited = { limit: LIMIT, ...options };

  test(`${name}: the client that was given stays as it was`, async () => {
    await withProvider(longAgent({ steps: 30 }), async (provider) => {
      const client = open(provider);
      const copy = wrap(client, { ...limited, limit: 3000 });
      assert.equal(Object.getPrototypeOf(copy), Object.getPrototypeOf(client));
      await run(copy, { conversation: 'a' });
      const small = provider.sum().sent;
      provider.reset();
      await run(client, { conversation: 'a' });
      assert.ok(provider.sum().sent > 2 * small);
    });
  });

  test(`${name}: errors of the provider are the SDK's own`, async () => {
    const fault = { status: 429, message: 'slow down' };
    await withProvider(
      longAgent({ steps: 3 }),
      async (provider) => {
        const failed = async (client) => {
          try {
            await ask(client, 'Hello.');
          } catch (error) {
            return error;
          }
        };
        const expected = await failed(open(provider));
        const error = await failed(wrap(open(provider), { ...limited }));
        assert.equal(error.constructor, expected.constructor);
        assert.equal(error.message, expected.message);
        assert.equal(error.status, 429);
      },
      { faults: () => fault },
    );
  });

  test(`${name}: wrong options and clients are errors`, () => {
    const client = open({ url: 'http://127.0.0.1:9' });
    assert.throws(() => wrap(client, { limit: 1000, cachControl: true }), {
      name: 'TypeError',
      message: /options\.cachControl is not an option/,
    });
    assert.throws(() => wrap(client, { limit: -1 }), { name: 'RangeError', message: /options\.limit/ });
    assert.throws(() => wrap(client, 1000), { name: 'TypeError', message: /options must be/ });
    assert.throws(() => wrap({}, { limit: 1000 }), { name: 'TypeError', message: /client must be/ });
    assert.throws(() => wrap(undefined, { limit: 1000 }), { name: 'TypeError', message: /client must be/ });
  });

  const missing = { responses: 'openai', messages: '@anthropic-ai/sdk' };
  const [resource, sdk] = Object.entries(missing).find(([key]) => open({ url: 'http://127.0.0.1:9' })[key] !== undefined) ?? [];
  test(`${name}: a client of an SDK that is too old is told what it lacks`, { skip: sdk === undefined && 'it has no such methods' }, () => {
    for (const method of ['post', 'withOptions']) {
      const old = { [resource]: {}, post() {}, withOptions() {}, [method]: undefined };
      const says = { name: 'TypeError', message: new RegExp(`client has no method ${method}\\(\\), as clients of ${sdk} .*\\d+\\.\\d+`) };
      assert.throws(() => wrap(old, { limit: 1000 }), says);
    }
  });
}

/** What a structured answer says. */
export const VERDICT = { cause: 'a lock', sure: true };

/**
 * Tests single requests whose history is too long by far.
 *
 * @param {object} driver
 * @param {(provider: object, retries?: number) => object} driver.open returns the SDK's client
 * @param {(client: object, options: object) => object} driver.wrap
 * @param {((client: object) => Promise<object>)[]} driver.structured each asks for {@link VERDICT}, and returns what the client parsed
 * @param {(client: object) => Promise<object>} [driver.create] makes a request
 * @param {number} [driver.busy] the status after which the client tries again
 * @param {(fetch: Function) => object} [driver.offline] returns a client with another network
 * @param {((client: object) => Promise<object>)[]} [driver.untouched] requests for which no session is asked
 * @param {[(client: object) => Promise<object>, string][]} [driver.nonsense] requests that can't be read, and the error
 */
export function testRequests(name, { open, wrap, structured, create, busy, offline, untouched = [], nonsense = [] }) {
  test(`${name}: structured answers are parsed`, async () => {
    await withProvider(
      () => ({ json: VERDICT }),
      async (provider) => {
        const client = wrap(open(provider), { limit: 3000 });
        for (const ask of structured) assert.deepEqual(await ask(client), VERDICT);
        for (const { tokens } of provider.requests) assert.ok(tokens <= 3000);
      },
    );
  });

  if (busy !== undefined)
    test(`${name}: a retry sends the same request, which the session counts once`, async () => {
      await withProvider(
        () => ({ text: 'Done.' }),
        async (provider) => {
          const recorder = recording({ limit: 2000 });
          await create(wrap(open(provider, 2), recorder.options));
          assert.deepEqual(
            provider.requests.map(({ status }) => status),
            [busy, busy, 200],
          );
          const [first, ...others] = bodies(provider);
          for (const other of others) assert.deepEqual(other, first);
          assert.equal(recorder.steps.length, 1);
        },
        { faults: (_, number) => (number < 2 ? { status: busy } : undefined) },
      );
    });

  if (offline === undefined) return;
  /** What is sent by a client, and by its copy. */
  const sentBy = async (requests, options) => {
    const network = globalThis.fetch;
    const { sent, fetch } = recordingFetch();
    try {
      const plain = offline(fetch);
      for (const client of [plain, wrap(plain, options)]) for (const request of requests) await request(client);
    } finally {
      globalThis.fetch = network;
    }
    assert.deepEqual(sent.slice(requests.length), sent.slice(0, requests.length));
  };
  test(`${name}: what is stored at the provider, and other requests, go through as they are`, async () => {
    const recorder = recording({ limit: 500 });
    await sentBy(untouched, recorder.options);
    assert.equal(recorder.steps.length, 0);
  });

  if (nonsense.length === 0) return;
  test(`${name}: nonsense is for the provider to refuse, and not kept quiet`, async () => {
    const errors = [];
    const requests = nonsense.map(([request]) => request);
    await sentBy(requests, { limit: 500, onError: ({ message }) => errors.push(message) });
    assert.deepEqual(
      errors,
      nonsense.map(([, error]) => error),
    );
  });
}
