// The channel `palimpsest:session`: what it says about requests and usage, and what it never says.
import assert from 'node:assert/strict';
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSession } from 'palimpsest';
import { memoryStore } from 'palimpsest/store/memory';
import { cases } from '../support/seed.mjs';
import { FORMATS } from '../support/transcripts.mjs';
import { say } from '../session/speak.mjs';
import { requestsOf, working } from './working.mjs';

const NAME = 'palimpsest:session';

/** Runs `act` with a subscriber, and returns the events. */
function listen(act, look = () => {}) {
  const events = [];
  const hear = (event, name) => {
    events.push(structuredClone(event));
    look(event, name);
  };
  subscribe(NAME, hear);
  try {
    act();
  } finally {
    unsubscribe(NAME, hear);
  }
  return events;
}

const plain = (value) => JSON.parse(JSON.stringify(value));
const sumOf = (events, read) => events.reduce((sum, event) => sum + read(event), 0);

for (const format of FORMATS) {
  test(`${format}: an event for each request, with the step's figures and the session's totals`, () => {
    const session = createSession({ limit: 3000, format, model: 'gpt-5.5' });
    const steps = [];
    const totals = [];
    const events = listen(() => {
      for (const history of requestsOf(working(format, 1, 12))) {
        steps.push(session.next(history));
        totals.push(plain(session.report));
      }
    });
    assert.equal(events.length, steps.length);
    events.forEach(({ type, session: number, format: name, model, cachedTokens, cost, totals: total, ...figures }, index) => {
      const { messages, ...step } = plain(steps[index]);
      assert.deepEqual([type, name, model, number], ['request', steps[index].report.format, 'gpt-5.5', events[0].session]);
      assert.deepEqual(figures, step);
      assert.deepEqual(total, totals[index]);
      assert.ok(cachedTokens <= step.report.reusedTokens);
      assert.ok(cost.session > 0);
    });
    assert.ok(events.some(({ epoch }) => epoch !== undefined));
    const { tokens, cost } = session.report;
    assert.equal(
      sumOf(events, (event) => event.cachedTokens),
      tokens.cached,
    );
    for (const name of ['session', 'uncut', 'trimmed']) {
      const sum = sumOf(events, (event) => event.cost[name]);
      assert.ok(Math.abs(sum - cost[name]) < 1e-6 * cost[name], name);
    }
  });
}

test('events name the conversation of a store', async () => {
  const events = [];
  const hear = (event) => events.push(event);
  subscribe(NAME, hear);
  const session = createSession({ limit: 3000, store: memoryStore(), id: 'chat-1' });
  await session.next(working('openai-chat', 1, 1).slice(0, 1));
  session.observe({ prompt_tokens: 120 });
  unsubscribe(NAME, hear);
  assert.deepEqual(
    events.map(({ type, id }) => [type, id]),
    [
      ['request', 'chat-1'],
      ['usage', 'chat-1'],
    ],
  );
});

test('a request that is chosen again after a lost race is told once', async () => {
  const store = memoryStore();
  const history = working('openai-chat', 1, 2);
  const [one, other] = [1, 2].map(() => createSession({ limit: 3000, store, id: 'chat-1' }));
  await one.next(history.slice(0, 1));
  await other.next(history.slice(0, 3));
  const events = [];
  const hear = (event) => events.push(event);
  subscribe(NAME, hear);
  const { tokens } = await one.next(history.slice(0, 5));
  unsubscribe(NAME, hear);
  assert.deepEqual(
    events.map((event) => [event.tokens, event.totals.requests]),
    [[tokens, 3]],
  );
});

test('an event for each usage, in every shape the same numbers', () => {
  const session = createSession({ limit: 3000, format: 'openai-chat' });
  const events = listen(() => {
    session.next(working('openai-chat', 1, 1).slice(0, 1));
    session.observe({ prompt_tokens: 120, prompt_tokens_details: { cached_tokens: 80 } });
    session.observe({ input_tokens: 10, cache_read_input_tokens: 90, cache_creation_input_tokens: 30 });
    session.observe({ promptTokenCount: 70 });
  });
  const own = events.slice(1).map(({ session, ...event }) => {
    assert.equal(session, events[0].session);
    return event;
  });
  assert.deepEqual(own, [
    {
      ...{ type: 'usage', format: 'openai-chat', tokens: { input: 120, cached: 80 } },
      // The first request is new but for what was read all the same; a request is told once.
      cache: { request: 1, input: 120, read: 80, new: 40, tail: 0, missed: [], cost: 0 },
    },
    { type: 'usage', format: 'openai-chat', tokens: { input: 130, cached: 90 } },
    { type: 'usage', format: 'openai-chat', tokens: { input: 70 } },
  ]);
});

/** An exchange that says a secret in each place where one can be. */
const confiding = ([asked, path, read, tool, answer, id], part) => [
  { who: 'user', text: `Where is ${asked}?`, more: [] },
  {
    who: 'assistant',
    reasoning: null,
    text: null,
    calls: [
      {
        id: `${id}_${part}`,
        name: tool,
        args: { file_path: `/${path}/${part}.ts` },
        result: { blocks: Array.from({ length: 40 }, (_, line) => `${part}.${line}: ${read}`).join('\n'), json: null, failed: false },
        answered: true,
      },
    ],
    odd: false,
  },
  { who: 'assistant', reasoning: null, text: `At ${answer}.`, calls: [], odd: false },
];

test('no event holds anything that messages, tools or instructions say', () => {
  const secret = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 14, maxLength: 20 });
  fc.assert(
    fc.property(fc.constantFrom(...FORMATS), fc.uniqueArray(secret, { minLength: 8, maxLength: 8 }), (format, secrets) => {
      const history = Array.from({ length: 8 }, (_, part) => say(format, confiding(secrets, part), part)).flat();
      const instructions = `Mind ${secrets[6]}.`;
      const tools = [{ type: 'function', function: { name: secrets[3], description: secrets[7], parameters: { type: 'object' } } }];
      const system = ['openai-chat', 'message', 'langchain'].includes(format) ? {} : { system: instructions };
      const session = createSession({ limit: 2000, format, tools, ...system });
      const events = listen(() => {
        for (const given of requestsOf(history, 2)) session.next(given);
      });
      assert.ok(events.some(({ epoch }) => epoch !== undefined));
      const published = JSON.stringify(events);
      for (const word of secrets) assert.ok(!published.includes(word), word);
    }),
    { numRuns: cases(12) },
  );
});

test('without subscribers nothing is made; with one, it is', (t) => {
  const silent = channel(NAME);
  const calls = { publish: 0, clone: 0 };
  t.mock.method(globalThis, 'structuredClone', (value) => {
    calls.clone++;
    return value;
  });
  const talk = () => {
    const session = createSession({ limit: 3000 });
    session.next(working('openai-chat', 1, 2));
    session.observe({ prompt_tokens: 120 });
  };
  silent.publish = () => calls.publish++;
  try {
    talk();
    assert.deepEqual(calls, { publish: 0, clone: 0 });
  } finally {
    delete silent.publish;
  }
  const hear = () => calls.publish++;
  subscribe(NAME, hear);
  talk();
  unsubscribe(NAME, hear);
  assert.deepEqual(calls, { publish: 2, clone: 2 });
});

test('a subscriber that changes its event changes nothing of the session', () => {
  const history = working('openai-chat', 1, 12);
  const play = () => {
    const session = createSession({ limit: 3000 });
    return requestsOf(history).map((one) => plain(session.next(one)));
  };
  const alone = play();
  let heard;
  listen(
    () => (heard = play()),
    (event) => {
      event.tokens.after = 0;
      event.report.messages.before = 0;
      event.totals.cost.session = 0;
      if (event.epoch) event.epoch.number = 0;
    },
  );
  assert.deepEqual(heard, alone);
});
