// Which session a request belongs to, and what becomes of a request if something fails.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import fc from 'fast-check';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { countTokens, createSession, marksNote } from '../../unbundled/index.js';
import { Random } from '../support/random.mjs';
import { cases, IS_WHOLE, SEED } from '../support/seed.mjs';

const require = createRequire(import.meta.url);
const { Integration } = require('../../unbundled/integrations/core.js');
const { withNote, withNoteIn } = require('../../unbundled/integrations/note.js');

/** An SDK whose requests are those of the core: what it sends are the messages, and a request that passed through sends its own. */
class Sdk extends Integration {
  async turn({ params, ...request }) {
    const { sent = request.messages, ...turn } = await super.turn(() => ({ ...request, write: (messages) => messages }), params);
    return { messages: sent, ...turn };
  }
}

const OPTIONS = { limit: 1200, now: () => 0, format: 'anthropic' };
const open = (options) => new Sdk('connect()', { ...OPTIONS, ...options });

const say = (role, text) => ({ role, content: [{ type: 'text', text }] });
/** A text of some 60 to 200 tokens, which no other `name` has. */
const prose = (name, lines = 8) => Array.from({ length: lines }, (_, line) => `Job ${name}-${line} waited ${line * 7} s.`).join('\n');
const user = (name, lines) => say('user', prose(`u${name}`, lines));
const answer = (name, lines) => say('assistant', prose(`a${name}`, lines));

const copyOf = (messages) => structuredClone(messages);
/** Messages as JSON without the breakpoints, which callers move. */
const plain = (messages) => JSON.parse(JSON.stringify(messages, (key, value) => (key === 'cache_control' ? undefined : value)));
const sameJson = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** What the rules say, by comparing all messages of all conversations: no hashes, no identities, one request at a time. */
class Naive {
  /** From the least to the most recently used. */
  #all = [];

  constructor(options) {
    this.options = options;
  }

  next(messages, settings = {}) {
    const given = plain(messages);
    const common = (one) => {
      const end = one.messages.findIndex((message, index) => !sameJson(message, given[index]));
      return end < 0 ? one.messages.length : end;
    };
    const best = (list) => list.reduce((found, one) => (common(one) >= common(found) ? one : found), list[0]);
    const continued = best(this.#all.filter((one) => common(one) === one.messages.length && sameJson(one.settings, settings)));
    const related = best(this.#all);
    const isRelated = related !== undefined && given.slice(0, common(related)).some(({ role }) => role === 'assistant');
    const own = { ...this.options, ...settings };
    const session = continued?.session ?? createSession(own, isRelated ? JSON.parse(JSON.stringify(related.session)) : undefined);
    this.#all = [...this.#all.filter((one) => one !== continued), { messages: given, session, settings }];
    return session.next(copyOf(messages));
  }
}

/** A conversation that goes on, is retried, edited and continued from an earlier place. */
const acts = fc.array(
  fc.record({
    who: fc.nat(4),
    does: fc.constantFrom('goes on', 'goes on', 'goes on', 'goes on', 'retries', 'regenerates', 'branches', 'edits', 'begins', 'switches'),
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    lines: fc.integer({ min: 2, max: 60 }),
    given: fc.constantFrom('same objects', 'copies', 'JSON'),
    marks: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40, size: 'max' },
);

const SYSTEMS = ['Be brief.', 'Be long.'];

/** Plays the acts; calls `request` with each history and its system prompt. */
async function play(list, request) {
  const histories = [[user('first')]];
  const systems = [0];
  let name = 0;
  for (const { who, does, at, lines, given, marks } of list) {
    const place = who % histories.length;
    const before = histories[place];
    const cut = 2 * Math.floor((at * before.length) / 2) + 1;
    name++;
    if (does === 'goes on') before.push(answer(name, lines), user(name, lines));
    else if (does === 'regenerates') histories[place] = [...before.slice(0, cut), answer(name, lines), user(name, lines)];
    else if (does === 'branches') histories.push([...before.slice(0, cut), answer(name, lines), user(name, lines)]);
    else if (does === 'begins') histories.push([user(lines % 3 ? name : 'first')]);
    else if (does === 'edits') before[cut - 1].content[0].text += ` Edited ${name}.`;
    else if (does === 'switches') systems[place] = 1 - (systems[place] ?? 0);
    const own = does === 'branches' || does === 'begins' ? histories.length - 1 : place;
    const history = histories[own];
    for (const message of history) delete message.content[0].cache_control;
    if (marks) history.at(-1).content[0].cache_control = { type: 'ephemeral' };
    const messages = { 'same objects': history, copies: history.map((message) => ({ ...message })), JSON: copyOf(history) }[given];
    await request(messages, { system: SYSTEMS[systems[own] ?? 0] });
  }
}

test('conversations and branches get what the rules say, in whatever order they come', async () => {
  const reached = { epochs: 0, branches: 0 };
  await fc.assert(
    fc.asyncProperty(acts, async (list) => {
      const naive = new Naive(OPTIONS);
      const sessions = new Set();
      let requests = 0;
      const integration = open({ onError: (error) => assert.fail(error), conversations: 1000 });
      await play(list, async (messages, settings) => {
        const before = copyOf(messages);
        const expected = naive.next(messages, settings);
        const turn = await integration.turn({ messages, ...settings });
        assert.deepEqual(plain(turn.messages), plain(expected.messages));
        assert.deepEqual(turn.step.tokens, expected.tokens);
        assert.deepEqual(messages, before);
        sessions.add(turn.session);
        requests++;
        reached.epochs += Number(turn.step.epoch !== undefined);
      });
      reached.branches += Number(sessions.size > 3 && requests > sessions.size);
    }),
    { numRuns: cases(60) },
  );
  assert.ok(reached.epochs > cases(100) && reached.branches > cases(10), JSON.stringify(reached));
});

test('conversations at once are as if each were alone', async () => {
  let epochs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.integer({ min: 2, max: 40 }), { minLength: 1, maxLength: 12 }), { minLength: 2, maxLength: 6 }),
      fc.boolean(),
      async (all, isCopied) => {
        const integration = open({ onError: (error) => assert.fail(error) });
        const sent = await Promise.all(
          all.map(async (sizes, who) => {
            const history = [user(who)];
            const requests = [];
            for (const [turn, lines] of sizes.entries()) {
              const { messages, observe, step } = await integration.turn({ messages: isCopied ? copyOf(history) : history });
              requests.push(copyOf(messages));
              observe({ prompt_tokens: Math.ceil(step.tokens.after * 1.1) });
              epochs += Number(step.epoch !== undefined);
              history.push(answer(`${who}-${turn}`, lines), user(`${who}-${turn}`, lines));
            }
            return requests;
          }),
        );
        all.forEach((sizes, who) => {
          const session = createSession(OPTIONS);
          const history = [user(who)];
          sizes.forEach((lines, turn) => {
            const step = session.next(history);
            assert.deepEqual(sent[who][turn], step.messages);
            session.observe({ prompt_tokens: Math.ceil(step.tokens.after * 1.1) });
            history.push(answer(`${who}-${turn}`, lines), user(`${who}-${turn}`, lines));
          });
        });
      },
    ),
    { numRuns: cases(25) },
  );
  assert.ok(epochs > cases(20), `${epochs} epochs`);
});

/** A history of so many turns. */
const turnsOf = (name, count, lines) =>
  Array.from({ length: count }, (_, turn) => [user(`${name}-${turn}`, lines), answer(`${name}-${turn}`, lines)]).flat();

test('overlapping requests of one conversation are answered in order, and each is whole', async () => {
  const integration = open();
  const history = turnsOf('x', 30, 12);
  const steps = [11, 21, 31, 41, 59].map((length) => history.slice(0, length));
  const turns = await Promise.all(steps.map((messages) => integration.turn({ messages })));
  const session = createSession(OPTIONS);
  for (const [index, messages] of steps.entries()) assert.deepEqual(turns[index].messages, session.next(messages).messages);
  assert.equal(new Set(turns.map((turn) => turn.session)).size, 1);
  assert.equal(turns[0].session.report.requests, 5);
});

test('a branch of a conversation whose step is being made begins with the state behind that step', async () => {
  const integration = open();
  const history = turnsOf('x', 30, 12);
  await integration.turn({ messages: history.slice(0, 5) });
  const branch = [...history.slice(0, 39), user('other')];
  const [first, second] = await Promise.all([integration.turn({ messages: history.slice(0, 59) }), integration.turn({ messages: branch })]);
  const session = createSession(OPTIONS);
  session.next(history.slice(0, 5));
  assert.deepEqual(first.messages, session.next(history.slice(0, 59)).messages);
  assert.ok(first.step.epoch);
  const copy = createSession(OPTIONS, JSON.parse(JSON.stringify(session)));
  assert.deepEqual(second.messages, copy.next(branch).messages);
  assert.notEqual(first.session, second.session);
});

test('usage goes to the session of its request, once, and only while that request is its last', async () => {
  const integration = open({ onError: (error) => assert.fail(error) });
  const [a, b] = [await integration.turn({ messages: [user('a')] }), await integration.turn({ messages: [user('b')] })];
  a.observe({ prompt_tokens: 2 * a.step.tokens.after });
  a.observe({ prompt_tokens: 3 * a.step.tokens.after });
  for (const usage of [undefined, null]) b.observe(usage);
  const next = async (first, name) => integration.turn({ messages: [user(name), answer(name), user(`${name}2`)], first });
  const [a2, b2] = [await next(a, 'a'), await next(b, 'b')];
  assert.equal(a2.session, a.session);
  assert.ok(Math.abs(a2.step.tokens.after - 2 * b2.step.tokens.after) <= 2);
  // It comes when the session has gone on.
  b.observe({ prompt_tokens: 2 * b.step.tokens.after });
  const b3 = await integration.turn({ messages: [user('b'), answer('b'), user('b2')] });
  assert.equal(b3.step.tokens.after, b2.step.tokens.after);
});

test('a conversation never gets what another one writes into a message that both began with', async () => {
  const integration = open({ limit: 100_000, cacheControl: true });
  const [mine, yours] = [user('x'), user('x')];
  for (const message of [mine, yours]) await integration.turn({ messages: [message] });
  mine.content[0].text = 'A secret.';
  const messages = [yours, answer('y'), user('y')];
  for (const given of [messages, copyOf(messages)])
    assert.deepEqual(plain((await integration.turn({ messages: given })).messages), plain(messages));
});

test('the least recently used conversations are forgotten, and never more are remembered than asked for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.array(fc.nat(7), { minLength: 1, maxLength: 40 }), async (conversations, order) => {
      const integration = open({ conversations });
      const histories = Array.from({ length: 8 }, (_, who) => [user(who)]);
      const recent = [];
      const requests = new Map();
      for (const who of order) {
        const { session } = await integration.turn({ messages: histories[who] });
        const isKnown = recent.includes(who);
        if (isKnown) recent.splice(recent.indexOf(who), 1);
        recent.push(who);
        if (recent.length > conversations) recent.shift();
        requests.set(who, isKnown ? requests.get(who) + 1 : 1);
        assert.equal(session.report.requests, requests.get(who));
        histories[who].push(answer(`${who}-${histories[who].length}`, 2), user(`${who}-${histories[who].length}`, 2));
      }
    }),
    { numRuns: cases(60) },
  );
});

test('a reminder that a framework moves to the end of each request drives no other conversation out', async () => {
  const integration = open({ conversations: 5, limit: 100_000 });
  const other = [user('other'), answer('other'), user('other2')];
  const { session } = await integration.turn({ messages: other });
  const history = [user('x')];
  for (let step = 0; step < 20; step++) {
    await integration.turn({ messages: [...history, user(`reminder ${step}`)] });
    history.push(answer(step, 2), user(step, 2));
  }
  const turn = await integration.turn({ messages: [...other, answer('other2'), user('other3')] });
  assert.equal(turn.session, session);
});

test('messages are known again by what they say: bytes, addresses, other objects, moved breakpoints', async () => {
  const same = async (first, second, isSame) => {
    const integration = open({ format: 'auto', limit: 100_000 });
    const end = (history) => [
      ...history,
      ...(history[0] instanceof HumanMessage
        ? [new AIMessage('Yes.'), new HumanMessage('And?')]
        : [
            { role: 'assistant', content: 'Yes.' },
            { role: 'user', content: 'And?' },
          ]),
    ];
    const turns = [await integration.turn({ messages: first }), await integration.turn({ messages: end(second) })];
    assert.ok(turns.every(({ step }) => step !== undefined));
    assert.equal(turns[0].session === turns[1].session, isSame);
    // A fingerprint may say too little, but what is sent is what was given.
    assert.deepEqual(turns[1].messages, end(second));
  };
  const image = (image) => [
    {
      role: 'user',
      content: [
        { type: 'image', image },
        { type: 'text', text: 'Look.' },
      ],
    },
  ];
  await same(image(new Uint8Array([1, 2, 3])), image(new Uint8Array([1, 2, 3])), true);
  await same(image(new Uint8Array([1, 2, 3])), image(new Uint8Array([1, 2, 4])), false);
  await same(image(new Uint8Array([1, 2, 3]).buffer), image(new Uint8Array([1, 2, 3]).buffer), true);
  await same(image(new Uint8Array([1, 2, 3]).buffer), image(new Uint8Array([1, 2, 4]).buffer), false);
  await same(image(Buffer.from([1, 2, 3])), image(Buffer.from([1, 2, 3])), true);
  await same(image(new URL('http://a.test/b')), image(new URL('http://a.test/b')), true);
  await same(image(new URL('http://a.test/b')), image(new URL('http://a.test/c')), false);
  const breakpoint = { cache_control: { type: 'ephemeral' } };
  await same([{ role: 'user', content: 'Hi' }], [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...breakpoint }] }], true);
  await same([new HumanMessage('Hi')], [new HumanMessage('Hi')], true);
  await same([new HumanMessage('Hi')], [new HumanMessage('Ho')], false);
  await same([new HumanMessage('Hi')], [new HumanMessage({ content: 'Hi', additional_kwargs: { seen: 1 } })], true);
});

test('a session that options.session names is taken, and one is found if it names none', async () => {
  const named = createSession({ limit: 100_000 });
  const seen = [];
  const session = async (params) => (seen.push(params), { mine: named, null: null }[params]);
  const integration = new Sdk('connect()', { limit: 50_000, session });
  const messages = [user('x')];
  assert.equal((await integration.turn({ messages, params: 'mine' })).session, named);
  assert.equal((await integration.turn({ messages, params: 'mine' })).step.tokens.limit, 100_000);
  for (const params of ['null', 'undefined']) {
    const turn = await integration.turn({ messages, params });
    assert.notEqual(turn.session, named);
    assert.equal(turn.step.tokens.limit, 50_000);
  }
  assert.deepEqual(seen, ['mine', 'mine', 'null', 'undefined']);
  assert.equal(named.report.requests, 2);
});

test('the request gives what the options leave out: the window of its model, the answer, the system prompt, the tools', async () => {
  const turn = async (options, request) => {
    const integration = new Sdk('connect()', { onError: (error) => assert.fail(error), ...options });
    return (await integration.turn({ messages: [user('x')], ...request })).step.tokens;
  };
  assert.equal((await turn({}, { model: 'gpt-4o-2024-11-20' })).limit, 128_000 - 16_384);
  assert.equal((await turn({}, { model: 'gpt-4o', maxOutputTokens: 1000 })).limit, 128_000 - 1000);
  assert.equal((await turn({ maxOutputTokens: 2000 }, { model: 'gpt-4o', maxOutputTokens: 1000 })).limit, 128_000 - 2000);
  assert.equal((await turn({ limit: 5000 }, { model: 'gpt-5.5', maxOutputTokens: 1000 })).limit, 5000);
  assert.equal((await turn({ window: 5000 }, { model: 'nobody-knows', maxOutputTokens: 1000, format: 'openai-chat' })).limit, 4000);
  const tools = [
    { type: 'function', function: { name: 'read', description: 'Reads a file.', parameters: { type: 'object', properties: {} } } },
  ];
  const system = prose('system');
  const counted = countTokens([user('x')], { system, tools });
  assert.equal((await turn({ limit: 5000 }, { system, tools })).after, counted);
  assert.equal((await turn({ limit: 5000, system, tools }, {})).after, counted);
});

test('a conversation whose system prompt or tools change goes on in a copy of its session, and back in the first', async () => {
  const integration = open({ limit: 100_000 });
  const tool = (name) => ({ name, input_schema: { type: 'object', properties: {} } });
  const history = [user('x')];
  const request = async (system, ...tools) => {
    const turn = await integration.turn({ messages: copyOf(history), system, tools: tools.map(tool) });
    history.push(answer(history.length), user(history.length));
    return turn.session;
  };
  const first = await request('Be brief.', 'read');
  assert.equal(await request('Be brief.', 'read'), first);
  const second = await request('Be brief.', 'read', 'write');
  assert.notEqual(second, first);
  assert.equal(second.report.requests, 3);
  assert.equal(await request('Be brief.', 'read', 'write'), second);
  assert.equal(await request([{ type: 'text', text: 'Be brief.' }], 'read'), first);
  assert.notEqual(await request('Be long.', 'read'), first);
});

test('the caller’s own array is sent if nothing was changed, also if its messages are new objects', async () => {
  const integration = open({ limit: 100_000 });
  const history = turnsOf('x', 3, 2);
  for (let length = 1; length <= 5; length += 2) {
    const messages = copyOf(history.slice(0, length));
    assert.equal((await integration.turn({ messages })).messages, messages);
  }
  const marking = open({ limit: 100_000, cacheControl: true });
  for (let length = 1; length <= 5; length += 2) {
    const messages = copyOf(history.slice(0, length));
    assert.ok(JSON.stringify((await marking.turn({ messages })).messages).includes('cache_control'));
  }
});

/** Requests at which something of ours fails, with what the error says. */
const failures = {
  'a session that throws': [{ session: () => Promise.reject(new Error('no store')) }, {}, /^Error: no store$/],
  'no session': [
    { session: () => ({ id: 1 }) },
    {},
    /^TypeError: connect\(\): options\.session must return a session, null or undefined, got object$/,
  ],
  'no window': [
    {},
    { model: 'nobody-knows' },
    /^TypeError: connect\(\): options must give a limit or a window, because the window of model "nobody-knows" is not known$/,
  ],
  'no window of a misspelt model': [{}, { model: 'gtp-5.5' }, /the window of model "gtp-5\.5" is not known: did you mean gpt-5\.5\?$/],
  'no model': [{}, {}, /^TypeError: connect\(\): options must give a limit, a window or a model, because the request names no model$/],
  'no window of the own model': [
    { model: 'claude-sonnet-5-5' },
    {},
    /^TypeError: connect\(\): options must give a limit or a window, because the window of model "claude-sonnet-5-5" is not known$/,
  ],
  'no message': [
    { limit: 9 },
    { messages: [user('x'), 7] },
    /^TypeError: next\(\): history\[1\] must be an object, got number$|^TypeError: next\(\): messages\[1\] must be/,
  ],
  'a circular message': [
    { limit: 9 },
    {
      messages: [
        Object.assign(user('x'), {
          get self() {
            return this;
          },
        }),
      ],
    },
    /circular/,
  ],
  'a tool of no shape': [{ limit: 9 }, { tools: [7] }, /tools\[0\] must be an object, got number/],
};

for (const [name, [options, request, says]] of Object.entries(failures)) {
  test(`a failure of ours loses no request: ${name}`, async (t) => {
    const messages = request.messages ?? [user('x')];
    const params = { of: 'the SDK' };
    const seen = [];
    const hooked = new Sdk('connect()', { ...options, onError: (error, context) => void seen.push([String(error), context]) });
    const turn = await hooked.turn({ ...request, messages, params });
    assert.equal(turn.messages, messages);
    assert.deepEqual([turn.step, turn.session], [undefined, undefined]);
    assert.equal(seen.length, 1);
    assert.match(seen[0][0], says);
    assert.equal(seen[0][1].params, params);
    turn.observe({ prompt_tokens: 1 });
    assert.equal(seen.length, 1);
    const thrown = new Error('the caller wants to know');
    for (const onError of [
      () => {
        throw thrown;
      },
      async () => {
        throw thrown;
      },
    ]) {
      const strict = new Sdk('connect()', { ...options, onError });
      await assert.rejects(strict.turn({ ...request, messages, params }), thrown);
    }
    const warnings = [];
    t.mock.method(process, 'emitWarning', (text, more) => void warnings.push([text, more.code]));
    const silent = new Sdk(`connect${name.replaceAll(' ', '')}()`, options);
    for (let time = 0; time < 3; time++) assert.equal((await silent.turn({ ...request, messages, params })).messages, messages);
    assert.equal(warnings.length, 1);
    assert.equal(warnings[0][1], 'PALIMPSEST_PASSED_THROUGH');
  });
}

test('behind a failure a conversation goes on where it was', async () => {
  const integration = open({ onError: () => {} });
  const history = [user('x')];
  const first = await integration.turn({ messages: history });
  const failed = await integration.turn({ messages: [...history, answer('x'), { role: 'user', content: 7 }] });
  assert.equal(failed.step, undefined);
  const again = await integration.turn({ messages: [...history, answer('x'), user('y')] });
  assert.equal(again.session, first.session);
  assert.equal(again.session.report.requests, 2);
});

test('that the last words of the user were cut is told, each time or once', async (t) => {
  const words = Array.from({ length: 40 }, (_, index) => `I would like to know what number ${index} is for, please.`);
  const messages = (time) => [{ role: 'user', content: `${words.join(' ')} This is time ${time}.` }];
  const errors = [];
  const told = new Sdk('connect()', { limit: 200, onError: (error, { params }) => errors.push([error, params]) });
  for (let time = 0; time < 2; time++) {
    const { step } = await told.turn({ messages: messages(time), params: time });
    assert.deepEqual([step.fits, step.report.cutLastWords], [true, true]);
    assert.match(step.messages[0].content, /I would like to know/);
  }
  assert.deepEqual(
    errors.map(([{ name, message }, params]) => [name, message, params]),
    [0, 1].map((time) => [
      'RangeError',
      'the limit of 200 tokens leaves too little room for what the user said last: give a larger one',
      time,
    ]),
  );
  const codes = [];
  t.mock.method(process, 'emitWarning', (_, { code }) => void codes.push(code));
  const silent = new Sdk('connectCut()', { limit: 200 });
  for (let time = 0; time < 3; time++) await silent.turn({ messages: messages(time) });
  assert.deepEqual(codes, ['PALIMPSEST_LAST_WORDS_CUT']);
});

test('a request that stays longer than its limit is sent and told of, each time or once', async (t) => {
  const messages = [user('word '.repeat(2000))];
  const errors = [];
  const told = new Sdk('connect()', {
    limit: 200,
    keep: { patterns: [/word/] },
    onError: (error, { params }) => errors.push([error, params]),
  });
  for (let time = 0; time < 2; time++) {
    const { step } = await told.turn({ messages, params: time });
    assert.equal(step.fits, false);
  }
  assert.deepEqual(
    errors.map(([{ name }, params]) => [name, params]),
    [
      ['RangeError', 0],
      ['RangeError', 1],
    ],
  );
  assert.match(errors[0][0].message, /^it takes \d+ tokens, above the limit of 200/);
  const codes = [];
  t.mock.method(process, 'emitWarning', (_, { code }) => void codes.push(code));
  const silent = new Sdk('connectOver()', { limit: 200, keep: { patterns: [/word/] } });
  for (let time = 0; time < 3; time++) await silent.turn({ messages });
  assert.deepEqual(codes, ['PALIMPSEST_OVER_LIMIT']);
  const returned = new Sdk('connect()', { limit: 200, keep: { patterns: [/word/] }, onError: assert.fail }, { isStepReturned: true });
  assert.equal((await returned.turn({ messages })).step.fits, false);
});

test('onStep gets each request that was chosen; if it fails, the request is sent all the same', async () => {
  const seen = [];
  const errors = [];
  const onStep = (step, context) => {
    seen.push([step, context]);
    if (seen.length === 2) throw new Error('no log');
    return seen.length === 3 ? Promise.reject(new Error('no log')) : undefined;
  };
  const integration = open({ onStep, onError: (error) => void errors.push(error.message) });
  const history = turnsOf('x', 40, 12);
  for (const length of [1, 19, 39, 59]) {
    const turn = await integration.turn({ messages: history.slice(0, length), params: length });
    assert.equal(seen.at(-1)[0], turn.step);
    assert.deepEqual(seen.at(-1)[1], { session: turn.session, params: length });
    assert.equal(turn.step.messages.length, turn.messages.length);
    assert.ok(turn.step.tokens.after <= 1200);
  }
  assert.deepEqual(errors, ['no log', 'no log']);
});

test('usage that can’t be read is a failure of ours, and is never thrown', async (t) => {
  const errors = [];
  const integration = open({
    onError: (error) => {
      errors.push(error.message);
      throw error;
    },
  });
  const warnings = [];
  t.mock.method(process, 'emitWarning', (text) => void warnings.push(text));
  for (const usage of [{}, 7, { prompt_tokens: 'many' }]) (await integration.turn({ messages: [user('x')] })).observe(usage);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(errors.length, 3);
  assert.equal(warnings.length, 1);
});

test('the note on marks stands at the end of the system prompt, in its shape, and is counted', async () => {
  const integration = open({ limit: 100_000 });
  assert.equal(integration.note, marksNote);
  const text = 'Be brief.';
  const explained = [
    [undefined, marksNote],
    ['', marksNote],
    [text, `${text}\n\n${marksNote}`],
    [
      [{ type: 'text', text, cache_control: { type: 'ephemeral' } }],
      [
        { type: 'text', text, cache_control: { type: 'ephemeral' } },
        { type: 'text', text: marksNote },
      ],
    ],
    [[{ role: 'system', content: text }], [{ role: 'system', content: `${text}\n\n${marksNote}` }]],
    [
      { role: 'system', content: text },
      { role: 'system', content: `${text}\n\n${marksNote}` },
    ],
    [
      { role: 'user', parts: [{ text }] },
      { role: 'user', parts: [{ text }, { text: marksNote }] },
    ],
    [[{ text }], [{ text }, { text: marksNote }]],
    [{ text }, [{ text }, { text: marksNote }]],
    [[text], [text, marksNote]],
  ];
  for (const [system, expected] of explained) {
    const before = structuredClone(system);
    assert.deepEqual(withNote(system, integration.note), expected);
    assert.deepEqual(withNote(expected, integration.note), expected);
    assert.deepEqual(system, before);
    const turn = await integration.turn({ messages: [user('x')], system: withNote(system, integration.note) });
    const count = (prompt) => countTokens([user('x')], { system: prompt, format: 'anthropic' });
    assert.equal(turn.step.tokens.after, count(expected));
    assert.ok(count(expected) - count(system || undefined) >= 80);
    const silent = open({ explainMarks: false });
    assert.equal(withNote(system, silent.note), system);
    assert.equal(silent.note, undefined);
  }
});

test('where a request says nothing of the system prompt, that of the options is counted with the note', async () => {
  const system = 'Be brief, and think of the harbour.';
  const count = (prompt) => countTokens([user('x')], { system: prompt, format: 'anthropic' });
  const stated = async (options, given) => {
    const integration = open({ ...options, limit: 100_000 });
    return (await integration.turn({ messages: [user('x')], system: withNote(given, integration.note) })).step.tokens.after;
  };
  const explained = `${system}\n\n${marksNote}`;
  assert.equal(await stated({ system }), count(explained));
  assert.equal(await stated({ system: explained }), count(explained));
  assert.equal(await stated({ system, explainMarks: false }), count(system));
  assert.equal(await stated({ system }, 'Be kind.'), count(`Be kind.\n\n${marksNote}`));
});

test('of thinking that was signed over what another process sent, none goes out behind anything else', async () => {
  const random = new Random(SEED);
  const options = { limit: 6000, now: () => 0, onError: (error) => assert.fail(error) };
  const signatureOf = (sent) =>
    createHash('sha256')
      .update(JSON.stringify(plain(sent)))
      .digest('base64');
  const rows = () =>
    Array.from({ length: random.integer(5, 60) }, (_, order) => ({
      order,
      state: random.pick(['paid', 'late']),
      in: random.pick(['Rome', 'Oslo']),
    }));
  let [moves, kept, shorter] = [0, 0, 0];
  for (let round = 0; round < cases(30); round++) {
    const processes = [open(options), open(options)];
    let current = 0;
    const messages = [];
    /** A model that checks what its thinking was signed over. */
    const ask = async () => {
      const { messages: sent } = await processes[current].turn({ messages: copyOf(messages) });
      sent.forEach(({ content }, index) => {
        for (const block of content) {
          if (block.type !== 'thinking') continue;
          assert.equal(block.signature, signatureOf(sent.slice(0, index)), JSON.stringify({ SEED, round, index, current }));
          kept++;
        }
      });
      if (JSON.stringify(plain(sent)) !== JSON.stringify(plain(messages))) shorter++;
      return random.chance(0.6) ? [{ type: 'thinking', thinking: 'Each third.', signature: signatureOf(sent) }] : [];
    };
    for (let turn = 0; turn < 6; turn++) {
      if (turn > 0 && random.chance(0.5)) [current, moves] = [1 - current, moves + 1];
      messages.push(user(`${round}-${turn}`, random.integer(1, 20)));
      for (let step = random.integer(0, 3); step > 0; step--) {
        const id = `toolu_${turn}_${step}`;
        messages.push({ role: 'assistant', content: [...(await ask()), { type: 'tool_use', id, name: 'orders', input: {} }] });
        messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: JSON.stringify(rows(), null, 2) }] });
      }
      messages.push({ role: 'assistant', content: [...(await ask()), ...answer(`${round}-${turn}`, 2).content] });
    }
  }
  if (IS_WHOLE) assert.ok(moves > 30 && kept > 100 && shorter > 100, JSON.stringify({ moves, kept, shorter }));
});

test('in messages the note ends the system messages that they begin with', () => {
  const [integration, silent] = [open({}), open({ explainMarks: false })];
  const system = (content) => ({ role: 'system', content });
  const [first, last] = [system('Be brief.'), { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] }];
  const rest = [user('x'), system('Later.')];
  const explained = [
    [rest, [system(marksNote), ...rest]],
    [[], [system(marksNote)]],
    [[first], [system(`Be brief.\n\n${marksNote}`)]],
    [
      [first, last, ...rest],
      [first, { role: 'developer', content: [...last.content, { type: 'text', text: marksNote }] }, ...rest],
    ],
  ];
  for (const [messages, expected] of explained) {
    const before = structuredClone(messages);
    assert.deepEqual(withNoteIn(messages, integration.note), expected);
    assert.deepEqual(withNoteIn(expected, integration.note), expected);
    assert.deepEqual(messages, before);
    assert.equal(withNoteIn(messages, silent.note), messages);
  }
});

test('one session may stand in place of options', async () => {
  const session = createSession(OPTIONS);
  const integration = new Sdk('connect()', session);
  for (const name of ['a', 'b']) assert.equal((await integration.turn({ messages: [user(name)] })).session, session);
});

test('a session of a request can be made, saved, and used, and is found by its messages from then on', async () => {
  const integration = open({});
  const history = turnsOf('x', 30, 12);
  let session = integration.create({ system: 'Be brief.' });
  const alone = createSession({ ...OPTIONS, system: 'Be brief.' });
  for (let length = 1; length < 60; length += 6) {
    const messages = history.slice(0, length);
    const given = session;
    const turn = await integration.turn({ messages, system: 'Be brief.', use: () => given });
    assert.deepEqual(turn.messages, alone.next(messages).messages);
    assert.equal(turn.session, given);
    const again = await integration.turn({ messages, system: 'Be brief.', use: () => undefined });
    assert.equal(again.session, given);
    alone.next(messages);
    session = integration.create({ system: 'Be brief.' }, JSON.parse(JSON.stringify(session)));
  }
  assert.throws(() => new Sdk('connect()', {}).create({ model: 'nobody-knows' }), /must give a limit or a window/);
});

test('options are checked: names, types, ranges', () => {
  const wrong = [
    [7, 'connect(): options must be an object, got number: pass { limit: 7 }'],
    [[], 'connect(): options must be an object, got array'],
    [{ limitt: 1 }, 'connect(): options.limitt is not an option: did you mean options.limit?'],
    [{ maxConversations: 1 }, 'connect(): options.maxConversations is not an option: did you mean options.conversations?'],
    [{ explainMark: true }, 'connect(): options.explainMark is not an option: did you mean options.explainMarks?'],
    [{ onerror: () => {} }, 'connect(): options.onerror is not an option: did you mean options.onError?'],
    [{ keep: { recnt: 1 } }, 'connect(): options.keep.recnt is not an option: did you mean options.keep.recent?'],
    [{ budget: 1 }, 'connect(): options.budget is not an option: did you mean options.limit?'],
    [{ originals: {} }, 'connect(): options.originals is not an option: it is an option of fit, fitRequest'],
    [{ limit: 'all' }, 'connect(): options.limit must be a number, got string'],
    [{ limit: 1, window: 2 }, 'connect(): options.limit and connect(): options.window both say what a request may take: give one of them'],
    [{ model: 'nobody-knows' }, /^connect\(\): options\.model must be a model that palimpsest knows/],
    [{ conversations: 0 }, 'connect(): options.conversations must be a whole number from 1, got 0'],
    [{ conversations: 1.5 }, 'connect(): options.conversations must be a whole number from 1, got 1.5'],
    [{ explainMarks: 'yes' }, 'connect(): options.explainMarks must be a boolean, got string'],
    ...['session', 'onStep', 'onError', 'now'].map((name) => [{ [name]: 7 }, `connect(): options.${name} must be a function, got number`]),
    [{ system: 7 }, 'connect(): options.system must be a string, a block with a text or a system message, got number'],
    [{ tools: [7] }, 'connect(): options.tools[0] must be an object, got number'],
    [{ own: 7 }, 'connect(): options.own is not an option: the options are '],
  ];
  for (const [options, says] of wrong) {
    assert.throws(
      () => new Sdk('connect()', options),
      (error) => {
        if (says instanceof RegExp) assert.match(error.message, says);
        else assert.ok(error.message.startsWith(says), error.message);
        return error instanceof TypeError || error instanceof RangeError;
      },
    );
  }
  for (const none of [undefined, null, {}]) assert.deepEqual(new Sdk('connect()', none).options, {});
  const marking = (format) => () => new Sdk('connect()', { cacheControl: true }, { format });
  const says =
    "connect(): options.cacheControl is for messages of format 'anthropic', 'openai-chat' or 'openai-responses', got ai-sdk-model";
  assert.throws(marking('ai-sdk-model'), { name: 'TypeError', message: says });
  for (const format of ['anthropic', 'openai-chat', 'openai-responses', undefined]) assert.doesNotThrow(marking(format));
  const { boolean } = require('../../unbundled/options/kinds.js');
  const extra = { own: { kind: boolean } };
  assert.equal(new Sdk('connect()', { own: true }, { extra }).options.own, true);
  assert.throws(() => new Sdk('connect()', { own: 7 }, { extra }), /^TypeError: connect\(\): options\.own must be a boolean, got number$/);
});

test('messages of an earlier request are not hashed again, unless they were changed in place', async () => {
  const { Conversations } = require('../../unbundled/integrations/conversations.js');
  const native = require('../../unbundled/native.js').default;
  const { fingerprints } = native;
  let hashed = '';
  native.fingerprints = (pieces, short, strings) => {
    hashed += [short, ...strings].join('\n');
    return fingerprints(pieces, short, strings);
  };
  try {
    const spoken = [(text) => new HumanMessage(text), (text) => new AIMessage(text)];
    const plainly = ['user', 'assistant'].map((role) => (text) => ({ role, content: text }));
    for (const [says, answers] of [spoken, plainly]) {
      const conversations = new Conversations(8, async () => ({}));
      const history = [says(prose('first')), answers(prose('second')), says(prose('third'))];
      await conversations.next(history, '', () => ({}));
      for (const name of ['first', 'second', 'third']) assert.ok(hashed.includes(`Job ${name}-0`), name);
      history.push(answers(prose('fourth')));
      history[1].content = prose('other');
      hashed = '';
      await conversations.next(history, '', () => ({ toJSON: () => ({}) }));
      assert.deepEqual(
        ['first', 'second', 'third', 'fourth', 'other'].filter((name) => hashed.includes(`Job ${name}-0`)),
        ['fourth', 'other'],
      );
    }
  } finally {
    native.fingerprints = fingerprints;
  }
});
