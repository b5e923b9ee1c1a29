// Money: what is spent, and what is told or refused when a budget is. A ledger of this file, which knows prices, usages and the published forecasts,
// says what has to happen.
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { test } from 'node:test';
import { createSession } from 'palimpsest';
import { memoryStore } from 'palimpsest/store/memory';
import { createChatParser } from 'palimpsest/web';
import { Random } from '../support/random.mjs';
import { cases, SEED } from '../support/seed.mjs';
import { requestsOf, working } from './working.mjs';

const LIMIT = 3000;
const requests = requestsOf(working('openai-chat', 1, 12));
const DAY = 24 * 60 * 60 * 1000;
const PRICES = { input: 4, output: 20 };
/** Of the cache. */
const [WRITE, READ] = [1.25, 0.1];
const cache = { write: WRITE, read: READ, ttl: 300_000 };
const plain = (value) => JSON.parse(JSON.stringify(value));
const money = (tokens, price) => (tokens * price) / 1e6;
const near = (actual, expected, text) =>
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.max(1, expected), `${text}: ${actual} ${expected}`);

/** Days that no other test of this process has: what is spent in a day is shared by all. */
let days = 20_000;
function freeDay() {
  days += 10;
  return days;
}

/** A usage and what it costs. */
function usageOf(random) {
  const [fresh, read, written, output] = [900, 5000, 700, 400].map((most) => random.integer(0, most));
  const usage = { input_tokens: fresh, cache_read_input_tokens: read, cache_creation_input_tokens: written, output_tokens: output };
  return { usage, paid: money(fresh + READ * read + WRITE * written, PRICES.input) + money(output, PRICES.output) };
}

/** Listens to the channel while `act` runs. */
async function hearing(hear, act) {
  subscribe('palimpsest:session', hear);
  try {
    return await act();
  } finally {
    unsubscribe('palimpsest:session', hear);
  }
}

/** What the sessions of a process have spent, kept a second time. */
class Books {
  sums = new Map();
  told = new Map();

  /** The budgets of a session, each with the name of what it limits. */
  budgets({ number, maxCost, tags, day }) {
    const { session, day: ofDay, tags: byTag = {} } = typeof maxCost === 'number' ? { session: maxCost } : maxCost;
    const list = [];
    if (session) list.push(['session', `session ${number}`, session]);
    if (ofDay) list.push(['day', `day ${day}`, ofDay]);
    for (const [tag, max] of Object.entries(byTag)) if (max && tags[tag]) list.push([`tags.${tag}`, `day ${day} ${tag} ${tags[tag]}`, max]);
    return list;
  }

  spend(life, own, shared = own) {
    for (const [name, key] of this.budgets(life)) this.sums.set(key, (this.sums.get(key) ?? 0) + (name === 'session' ? own : shared));
  }

  /** What is told now. */
  news(life) {
    return this.budgets(life).flatMap(([budget, key, max]) => {
      const spent = this.sums.get(key) ?? 0;
      const share = spent >= max ? 1 : spent >= 0.8 * max ? 0.8 : 0;
      const known = `${key} ${max}`;
      if (share <= (this.told.get(known) ?? 0)) return [];
      this.told.set(known, share);
      return [{ budget, share, max, spent }];
    });
  }

  /** The budget for which a request is refused. */
  refused(life) {
    return this.budgets(life).find(([, key, max]) => (this.sums.get(key) ?? 0) >= max)?.[0];
  }
}

test('without onCost, a warning of the process tells it, once', async () => {
  const warnings = [];
  const warned = (warning) => warnings.push(warning);
  process.on('warning', warned);
  const options = { limit: LIMIT, prices: PRICES };
  for (const own of [{ maxCost: 0.02, warn: false }, { maxCost: 0.024 }, { maxCost: 0.02 }, { maxCost: 0.02 }]) {
    const session = createSession({ ...options, ...own });
    session.observe({ prompt_tokens: 0, completion_tokens: 1000 });
    session.observe({ prompt_tokens: 0, completion_tokens: 1000 });
  }
  await new Promise(setImmediate);
  process.off('warning', warned);
  assert.deepEqual(
    warnings.map(({ code, message }) => [code, message]),
    [80, 100].map((share) => [
      'PALIMPSEST_COST',
      `createSession(): ${share}% of options.maxCost.session is spent, ${share === 80 ? '0.02' : '0.04'} of 0.024: options.onCost is told each time`,
    ]),
  );
});

test('sums, what is told and what is refused are those of a ledger', async (t) => {
  const count = { told: 0, refused: 0, resumed: 0 };
  for (let round = 0; round < cases(25); round++) {
    const random = new Random(SEED * 1000 + round);
    const firstDay = freeDay();
    const clock = { time: firstDay * DAY };
    const books = new Books();
    const told = [];
    let published = [];
    const makes = Array.from({ length: 3 }, (_, number) => {
      const some = (most) => (random.chance(0.6) ? most * (0.2 + random.next()) : undefined);
      const own = { session: some(0.1), day: some(0.2), tags: { user: some(0.15), team: some(0.2) }, refuse: random.chance(0.6) };
      const maxCost = random.chance(0.2) ? 0.02 : own;
      const tags = { user: random.pick(['u-1', 'u-2']), ...(random.chance(0.5) ? { team: 'blue' } : {}) };
      const options = { limit: LIMIT, cache, prices: PRICES, maxCost, tags, now: () => clock.time };
      options.onCost = ({ budget, share, max, spent }) => told.push({ budget, share, max, spent });
      return { number, options, maxCost, tags, day: firstDay, at: 0, spent: 0, due: 0, shared: 0, session: createSession(options) };
    });
    const same = (text) => {
      const events = published
        .filter(({ type }) => type === 'cost')
        .map(({ budget, share, max, spent }) => ({ budget, share, max, spent }));
      assert.deepEqual(events, told, text);
      published = [];
      return told.splice(0);
    };
    const check = (life, expected, text) => {
      const actual = same(text);
      assert.deepEqual(
        actual.map(({ spent: _, ...rest }) => rest),
        expected.map(({ spent: _, ...rest }) => rest),
        text,
      );
      for (const [index, { spent }] of expected.entries()) near(actual[index].spent, spent, text);
      near(life.session.report.spent, life.spent, text);
      count.told += expected.length;
    };
    await hearing(
      (event) => published.push(event),
      () => {
        for (let step = 0; step < 40; step++) {
          const life = random.pick(makes);
          const text = `round ${round}, step ${step}`;
          if (random.chance(0.1)) clock.time += random.integer(0, DAY / 2);
          if (random.chance(0.15)) {
            count.resumed++;
            life.session = createSession(life.options, plain(life.session));
            life.isResumed = true;
            // Of what another process did, this one knows nothing.
            life.shared = 0;
          }
          if (life.at >= requests.length) continue;
          if (life.at > 0 && random.chance(0.6)) {
            const { usage, paid } = usageOf(random);
            // Nobody knows when the request was sent.
            if (life.isResumed) life.day = Math.floor(clock.time / DAY);
            life.isResumed = false;
            life.session.observe(usage);
            near(published.find(({ type }) => type === 'usage').paid, paid, text);
            books.spend(life, paid - life.due, paid - life.shared);
            life.spent += paid - life.due;
            life.due = 0;
            life.shared = 0;
            check(life, books.news(life), `${text}, usage`);
          }
          life.day = Math.floor(clock.time / DAY);
          life.isResumed = false;
          const expected = books.news(life);
          const refused = life.maxCost.refuse ? books.refused(life) : undefined;
          if (refused !== undefined) {
            const before = plain(life.session);
            assert.throws(() => life.session.next(requests[life.at]), { code: 'ERR_PALIMPSEST_COST', budget: refused }, text);
            check(life, expected, `${text}, refused`);
            // Nothing but what was told.
            assert.deepEqual({ ...plain(life.session), spent: 0 }, { ...before, spent: 0 });
            count.refused++;
            continue;
          }
          life.session.next(requests[life.at++]);
          const { cost } = published.find(({ type }) => type === 'request');
          life.due = money(cost.session, PRICES.input);
          life.shared = life.due;
          books.spend(life, life.due);
          life.spent += life.due;
          check(life, expected, `${text}, next`);
        }
      },
    );
  }
  t.diagnostic(JSON.stringify(count));
  assert.ok(count.told > 20 && count.refused > 20 && count.resumed > 20);
});

/** A clock that stands still, on a day of its own. */
function still() {
  const time = freeDay() * DAY;
  return () => time;
}

test('each shape of usage costs the same', () => {
  const [input, cached, output] = [900, 600, 50];
  const shapes = [
    { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: { cached_tokens: cached } },
    { input_tokens: input, output_tokens: output, input_tokens_details: { cached_tokens: cached } },
    { input_tokens: input - cached, cache_read_input_tokens: cached, output_tokens: output },
    { promptTokenCount: input, cachedContentTokenCount: cached, candidatesTokenCount: 20, thoughtsTokenCount: 30 },
    { inputTokens: input, outputTokens: output, cachedInputTokens: cached },
    { inputTokens: { total: input, cacheRead: cached }, outputTokens: { total: output } },
    { inputTokens: input, outputTokens: output, inputTokensDetails: { cached_tokens: cached } },
    { input_tokens: input, output_tokens: output, input_token_details: { cache_read: cached } },
  ];
  const expected = money(input - cached + READ * cached, PRICES.input) + money(output, PRICES.output);
  for (const usage of shapes) {
    const session = createSession({ limit: LIMIT, cache, prices: PRICES });
    session.observe(usage);
    near(session.report.spent, expected, JSON.stringify(usage));
  }
});

test('where a usage says more than it can, nothing costs less than nothing', () => {
  const session = createSession({ limit: LIMIT, cache, prices: PRICES });
  session.observe({
    prompt_tokens: 100,
    completion_tokens: 1e300,
    prompt_tokens_details: { cached_tokens: 5000, cache_write_tokens: 9000 },
  });
  near(session.report.spent, money(READ * 100, PRICES.input), 'spent');
  assert.deepEqual(createSession({ limit: LIMIT, prices: PRICES }, plain(session)).report.spent, session.report.spent);
});

test('without prices nothing is said of money; what was saved of it stays', () => {
  const priced = createSession({ limit: LIMIT, prices: PRICES });
  priced.next(requests[0]);
  const without = createSession({ limit: LIMIT }, plain(priced));
  without.next(requests[1]);
  without.observe({ prompt_tokens: 100 });
  assert.equal('spent' in without.report, false);
  const again = createSession({ limit: LIMIT, prices: PRICES }, plain(without));
  assert.equal(again.report.spent, priced.report.spent);
});

test('a session that was refused goes on with a larger budget, and sends what it would have sent', () => {
  const options = { limit: LIMIT, prices: PRICES, now: still() };
  const free = createSession(options);
  let session = createSession({ ...options, maxCost: { session: 0.01, refuse: true } });
  let refused = 0;
  for (const given of requests) {
    try {
      session.next(given);
    } catch (error) {
      assert.equal(error.code, 'ERR_PALIMPSEST_COST');
      assert.match(
        error.message,
        /^next\(\): options\.maxCost\.session is spent, 0\.0\d+ of 0\.0\d+: raise it in createSession\(options, session\)$/,
      );
      refused++;
      session = createSession({ ...options, maxCost: { session: error.max + 0.01, refuse: true } }, session);
      session.next(given);
    }
    const { messages } = free.next(given);
    assert.deepEqual(session.at(session.report.requests).messages, messages);
  }
  assert.ok(refused > 2, `${refused} refused`);
});

test('the budget of a day is for all sessions that have it, and is whole again on the next day', () => {
  const clock = { time: freeDay() * DAY };
  const options = { limit: LIMIT, prices: PRICES, now: () => clock.time, maxCost: { day: 0.02, refuse: true }, onCost: () => {} };
  const [one, other] = [createSession(options), createSession(options)];
  const without = createSession({ ...options, maxCost: null });
  one.next(requests[0]);
  one.observe({ prompt_tokens: 100, completion_tokens: 1000 });
  for (const session of [one, other])
    assert.throws(() => session.next(requests[1]), { code: 'ERR_PALIMPSEST_COST', message: /, or go on when the day ends \(UTC\)$/ });
  without.next(requests[1]);
  clock.time += DAY;
  for (const session of [one, other]) session.next(requests[1]);
});

test('processes that share a conversation add up what they spend', async () => {
  const store = memoryStore();
  const options = { limit: LIMIT, cache, prices: PRICES, store, id: 'chat' };
  const sessions = [createSession(options), createSession(options)];
  const random = new Random(SEED);
  let paid = 0;
  for (const given of requests.slice(0, 12)) {
    const session = sessions[random.integer(0, 1)];
    await session.next(given);
    const { usage, paid: more } = usageOf(random);
    session.observe(usage);
    paid += more;
  }
  const due = [];
  await hearing(
    (event) => event.type === 'request' && due.push(money(event.cost.session, PRICES.input)),
    async () => {
      for (const session of sessions) await session.next(requests[12]);
    },
  );
  near(sessions[1].report.spent, paid + due[0] + due[1], 'spent');
  const resumed = createSession(options);
  await resumed.next(requests[12]);
  assert.ok(resumed.report.spent >= sessions[1].report.spent);
});

test('a budget over a store refuses, too', async () => {
  const session = createSession({
    limit: LIMIT,
    prices: PRICES,
    store: memoryStore(),
    id: 'chat',
    maxCost: { session: 1e-6, refuse: true },
    warn: false,
  });
  await session.next(requests[0]);
  await assert.rejects(session.next(requests[1]), { code: 'ERR_PALIMPSEST_COST' });
  await assert.rejects(session.next(requests[1]), { code: 'ERR_PALIMPSEST_COST' });
});

const post = (parse, messages) =>
  parse(
    new Request('http://localhost/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messages }),
    }),
  );

test('an integration sends no request that is refused, and a branch pays for itself', async () => {
  const failures = [];
  const history = working('openai-chat', 1, 3);
  const parse = createChatParser({
    ...{ limit: LIMIT, prices: PRICES, warn: false, onError: (error) => failures.push(error) },
    maxCost: { session: 0.01, refuse: true },
  });
  const first = await post(parse, history.slice(0, 5));
  first.observe({ prompt_tokens: 1000, completion_tokens: 1000 });
  const message = /^createChatParser\(\): options\.maxCost\.session is spent, 0\.024 of 0\.01: /;
  await assert.rejects(post(parse, history.slice(0, 7)), { code: 'ERR_PALIMPSEST_COST', message });
  await post(parse, [...history.slice(0, 4), { role: 'user', content: 'And otherwise?' }]);
  assert.deepEqual(failures, []);
});

test('what onCost throws reaches the caller of observe, which has observed all the same', () => {
  const failure = new Error('enough');
  const onCost = () => {
    throw failure;
  };
  const session = createSession({ limit: LIMIT, prices: PRICES, maxCost: 0.01, onCost });
  session.next(requests[0]);
  assert.throws(
    () => session.observe({ prompt_tokens: 100, prompt_tokens_details: { cached_tokens: 0 }, completion_tokens: 1000 }),
    failure,
  );
  assert.equal(session.report.cache.requests, 1);
  near(session.report.spent, money(100, PRICES.input) + money(1000, PRICES.output), 'spent');
  session.next(requests[1]);
});

test('an error names the option that is wrong', () => {
  const AT = 'createSession(): options';
  for (const [options, name, message] of [
    [{ maxCost: 1 }, 'TypeError', `${AT}.maxCost needs options.prices, what a million tokens cost: { input, output }`],
    [
      { maxCost: '1', prices: PRICES },
      'TypeError',
      `${AT}.maxCost must be an amount of money or an object with session, day or tags, got string`,
    ],
    [{ maxCost: 0, prices: PRICES }, 'RangeError', `${AT}.maxCost must be an amount of money above 0, got 0`],
    [{ maxCost: { day: -1 }, prices: PRICES }, 'RangeError', `${AT}.maxCost.day must be an amount of money above 0, got -1`],
    [{ maxCost: { tags: { user: '5' } }, prices: PRICES }, 'TypeError', `${AT}.maxCost.tags.user must be a number, got string`],
    [
      { maxCost: { tags: 5 }, prices: PRICES },
      'TypeError',
      `${AT}.maxCost.tags must be an object with an amount of money for each tag, got number`,
    ],
    [{ maxCost: { refuse: 1 }, prices: PRICES }, 'TypeError', `${AT}.maxCost.refuse must be a boolean, got number`],
    [{ prices: 5 }, 'TypeError', `${AT}.prices must be an object, got number`],
    [{ prices: { input: 5 } }, 'TypeError', `${AT}.prices.output must be a number, got undefined`],
    [
      { prices: { input: -1, output: 1 } },
      'RangeError',
      `${AT}.prices.input must be a price of a million tokens from 0 to 1000000000, got -1`,
    ],
    [{ onCost: 'refuse' }, 'TypeError', `${AT}.onCost must be a function, got string`],
  ])
    assert.throws(() => createSession({ limit: LIMIT, ...options }), { name, message }, message);
  assert.throws(() => createSession({ limit: LIMIT, prices: PRICES, maxCost: { week: 5 } }), /maxCost\.week/);
  const saved = plain(createSession({ limit: LIMIT }));
  for (const spent of [5, [], [1], [1, 2, 3], [1, -1], ['1', '1'], [1, null]])
    assert.throws(() => createSession({ limit: LIMIT }, { ...saved, spent }), { message: /^createSession\(\): saved\.spent is not what/ });
});
