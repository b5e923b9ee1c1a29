// What costs money, and what to do about it: sessions whose waste is planned, and a second computation that goes through every request message by message.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calcPrice } from '@pydantic/genai-prices';
import fc from 'fast-check';
import { countTokens } from 'palimpsest';
import { cases } from '../../../__test__/support/seed.mjs';
import { analyse } from '../dist/analysis/index.mjs';
import { wordsOf } from '../dist/report/client/findings.mjs';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const MODEL = 'claude-sonnet-4-5';
const LIMIT = 1_000_000;
const MINUTE = 60_000;
const sum = (list, of = (one) => one) => list.reduce((total, one) => total + of(one), 0);
const close = (one, other, what) =>
  assert.ok(Math.abs(one - other) <= 1e-6 * Math.max(1e-3, Math.abs(other)), `${what}: ${one}, not ${other}`);

/** US dollars of a million tokens, from the list itself. */
const priced = (usage) => calcPrice({ output_tokens: 0, ...usage }, MODEL, { timestamp: new Date(NOW) }).total_price;
const RATES = {
  input: priced({ input_tokens: 1e5 }) / 1e5,
  read: priced({ input_tokens: 1e5, cache_read_tokens: 1e5 }) / 1e5,
  write: priced({ input_tokens: 1e5, cache_write_tokens: 1e5 }) / 1e5,
  output: priced({ input_tokens: 0, output_tokens: 1e5 }) / 1e5,
};
const ofRequest = countTokens([], { format: 'anthropic', model: MODEL });
const tokensOf = (message) => countTokens([message], { format: 'anthropic', model: MODEL }) - ofRequest;

/**
 * A session that is planned: each step calls a tool. A provider counts as the library does, and `overhead` for what is sent beside the messages.
 *
 * @param {{ tool: string, input: object, output: string, missed?: 'front' | 'messages', pause?: number }[]} steps of which a request may read
 *   nothing, or half of it, and may come after a pause in ms
 */
function planned(steps, { overhead = 5_000, share = 1, ...more } = {}) {
  const messages = [{ role: 'user', content: 'Find out why the orders fail.' }];
  const requests = [];
  let [time, before] = [NOW, 0];
  const counted = (end) => overhead + sum(messages.slice(0, end), tokensOf);
  for (const [index, { tool, input, output, missed, pause = MINUTE }] of steps.entries()) {
    time += pause;
    const total = counted(messages.length);
    const cacheRead = missed === 'front' || pause > 5 * MINUTE ? 0 : missed === 'messages' ? Math.round(before * 0.6) : before;
    const rest = total - cacheRead;
    const cacheWrite = Math.round(rest * share);
    const usage = { input: rest - cacheWrite, cacheRead, cacheWrite, output: 100 + index };
    requests.push({ messages: messages.length, time, model: MODEL, usage });
    before = total;
    const id = `toolu_${index}`;
    messages.push({ role: 'assistant', content: [{ type: 'tool_use', id, name: tool, input }] });
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output }] });
  }
  const about = { agent: 'claude-code', id: 'one', file: '/one.jsonl', title: 'one', cwd: '/work/shop', model: MODEL, format: 'anthropic' };
  return { ...about, started: NOW, messages, requests, skipped: 0, notes: [], ...more };
}

/** What tokens of a request cost, one by one: those that were read come first, then those that were written. */
const costOfTokens = ({ cacheRead, cacheWrite }, from, to) =>
  RATES.read * Math.max(0, Math.min(to, cacheRead) - from) +
  RATES.write * Math.max(0, Math.min(to, cacheRead + cacheWrite) - Math.max(from, cacheRead)) +
  RATES.input * Math.max(0, to - Math.max(from, cacheRead + cacheWrite));

/** What each message cost and took from a request on, by going through all of them. */
function walked({ messages, requests }, overhead, since = () => 0) {
  const cost = messages.map(() => 0);
  const sent = messages.map(() => 0);
  let beside = 0;
  for (const [index, { messages: end, usage }] of requests.entries()) {
    beside += costOfTokens(usage, 0, overhead);
    let at = overhead;
    for (let message = 0; message < end; message++) {
      const next = at + tokensOf(messages[message]);
      if (index >= since(message)) {
        cost[message] += costOfTokens(usage, at, next);
        sent[message] += next - at;
      }
      at = next;
    }
  }
  return { cost, sent, beside };
}

const words = (count, seed) => Array.from({ length: count }, (_, index) => `${seed}${index}`).join(' ');
const read = (file, seed, more = {}) => ({ tool: 'Read', input: { file_path: file }, output: words(300, seed), ...more });
const run = (command, seed, more = {}) => ({ tool: 'Bash', input: { command }, output: words(200, seed), ...more });
const search = (seed, more = {}) => ({ tool: 'mcp__tickets__search', input: { query: seed }, output: words(60, seed), ...more });

const someStep = fc.oneof(
  fc.constantFrom('/a/orders.ts', '/a/lock.json').map((file) => read(file, file.slice(3, 5))),
  fc.constantFrom('npm test', 'ls').map((command) => run(command, command[0])),
  fc.constantFrom('x', 'y').map((seed) => search(seed)),
);
const somePlan = fc.record({
  steps: fc.array(
    fc
      .tuple(someStep, fc.constantFrom(undefined, undefined, undefined, 'front', 'messages'), fc.constantFrom(MINUTE, MINUTE, 20 * MINUTE))
      .map(([step, missed, pause]) => ({ ...step, ...(missed && { missed }), pause })),
    { minLength: 1, maxLength: 14 },
  ),
  share: fc.constantFrom(0, 0.5, 1),
  overhead: fc.constantFrom(0, 3_000, 40_000),
});

test('the money of each tool, file, server and kind is that of the places where its messages stood, and of replies', async () => {
  await fc.assert(
    fc.asyncProperty(somePlan, async ({ steps, ...more }) => {
      const session = planned(steps, more);
      const { where, totals, spend } = await analyse([session], { limit: LIMIT, now: NOW });
      const { cost, sent, beside } = walked(session, more.overhead);
      const replies = sum(session.requests, ({ usage }) => usage.output * RATES.output);
      close(totals.cost, sum(cost) + beside + replies, 'all');
      /** By tool, of calls and results; and the tokens of replies go to the calls. */
      const expected = { tool: new Map(), file: new Map(), server: new Map() };
      for (const [index, { tool, input }] of steps.entries()) {
        const [call, result] = [2 * index + 1, 2 * index + 2];
        const names = { tool, file: input.file_path ?? '', server: tool.startsWith('mcp__') ? 'tickets' : '' };
        for (const [by, name] of Object.entries(names)) {
          const one = expected[by].get(name) ?? { cost: 0, sent: 0 };
          one.cost += cost[call] + cost[result] + session.requests[index].usage.output * RATES.output;
          one.sent += sent[call] + sent[result];
          expected[by].set(name, one);
        }
      }
      for (const { by, rows } of where) {
        close(
          sum(rows, (row) => row.cost),
          totals.cost,
          by,
        );
        assert.ok(Math.abs(sum(rows, (row) => row.sent) - totals.tokens) <= rows.length, by);
        assert.deepEqual(
          rows.map((row) => row.cost),
          rows.map((row) => row.cost).sort((a, b) => b - a),
        );
        for (const { name, cost: own, sent: tokens } of rows) {
          if (by === 'kind' || name === '') continue;
          close(own, expected[by].get(name).cost, `${by} ${name}`);
          assert.ok(Math.abs(tokens - expected[by].get(name).sent) <= 1, `${by} ${name}: ${tokens}`);
        }
      }
      close(where.find(({ by }) => by === 'kind').rows.find(({ name }) => name === 'instructions and tools').cost, beside, 'beside');
      for (const { rows } of spend) {
        close(
          sum(rows, (row) => row.cost),
          totals.cost,
          'spend',
        );
        assert.equal(
          sum(rows, (row) => row.requests),
          totals.requests,
        );
        assert.equal(
          sum(rows, (row) => row.tokens),
          totals.tokens,
        );
        assert.equal(
          sum(rows, (row) => row.read),
          sum(session.requests, ({ usage }) => usage.cacheRead),
        );
      }
    }),
    { numRuns: cases(25) },
  );
});

/** Reads of one file, a command that is run again, a large result, and requests that read nothing. */
const PLAN = [
  read('/a/lock.json', 'lock'),
  run('npm test', 'first'),
  { tool: 'Grep', input: { pattern: 'TODO' }, output: words(1_500, 'large') },
  read('/a/lock.json', 'lock'),
  search('flaky', { missed: 'front' }),
  run('npm test', 'second'),
  read('/a/orders.ts', 'orders', { pause: 20 * MINUTE }),
  read('/a/lock.json', 'lock', { missed: 'messages' }),
  read('/a/other.ts', 'other'),
  run('git status', 'status', { missed: 'front' }),
  run('git diff', 'diff'),
];
const OVERHEAD = 9_000;

test('findings are what was planned, with the money of a second computation', async () => {
  const session = planned(PLAN, { overhead: OVERHEAD });
  const { findings, totals } = await analyse([session], { limit: LIMIT, now: NOW });
  const found = (kind, subject) => findings.find((one) => one.kind === kind && one.subject === subject);
  assert.deepEqual(
    findings.map(({ cost }) => cost),
    findings.map(({ cost }) => cost).sort((a, b) => b - a),
  );
  assert.ok(findings.every(({ cost }) => cost > 0 && cost < totals.cost));

  // Results are the messages 2, 4 …: those of the steps 0 and 3 are superseded by the calls of the steps 3 and 7. The first request with a call is the next.
  const copies = walked(session, OVERHEAD, (message) => ({ 2: 4, 8: 8 })[message] ?? Number.POSITIVE_INFINITY);
  const lock = found('reads', '/a/lock.json');
  assert.deepEqual([lock.count, lock.sessions, lock.isFile], [3, 1, true]);
  close(lock.cost, copies.cost[2] + copies.cost[8], 'reads');
  assert.equal(lock.tokens, copies.sent[2] + copies.sent[8]);
  assert.deepEqual(lock.places.map(([, message]) => message).sort(), [2, 8]);

  const runs = walked(session, OVERHEAD, (message) => (message === 4 ? 6 : Number.POSITIVE_INFINITY));
  const tests = found('commands', 'npm test');
  assert.equal(tests.count, 2);
  close(tests.cost, runs.cost[4], 'commands');

  // The large result is in the request of step 3 for the first time.
  const carried = walked(session, OVERHEAD, (message) => (message === 6 ? 4 : Number.POSITIVE_INFINITY));
  const large = found('carried', 'TODO');
  assert.equal(large.count, PLAN.length - 4);
  close(large.cost, carried.cost[6], 'carried');

  const missedAt = (index) => {
    const { usage } = session.requests[index];
    const before = session.requests[index - 1].usage;
    const shared = before.input + before.cacheRead + before.cacheWrite;
    return costOfTokens(usage, usage.cacheRead, shared) - RATES.read * (shared - usage.cacheRead);
  };
  for (const [cause, places] of Object.entries({ front: [4, 9], idle: [6], messages: [7] })) {
    const one = found('breaks', cause);
    assert.equal(one.count, places.length, cause);
    close(one.cost, sum(places, missedAt), cause);
    assert.deepEqual(
      one.places.map(([, message]) => message).sort((a, b) => a - b),
      places.map((index) => session.requests[index].messages),
    );
  }

  const beside = found('beside', 'claude-code');
  assert.deepEqual([beside.each, beside.count, beside.servers], [OVERHEAD, PLAN.length, ['tickets']]);
  close(beside.cost, walked(session, OVERHEAD).beside, 'beside');
  assert.equal(findings.length, 7);
});

test('what a request read, what is new and what was missed add up, and what was missed has the cause and the price that were planned', async () => {
  const seen = new Set();
  await fc.assert(
    fc.asyncProperty(somePlan, async ({ steps, share, overhead }) => {
      const session = planned(steps, { share, overhead });
      const { sessions, totals } = await analyse([session], { limit: LIMIT, now: NOW });
      const expected = {};
      let [before, isCached, worth] = [0, false, 0];
      for (const [index, { usage }] of session.requests.entries()) {
        const { read: cached, new: fresh, missed = [], tokens } = sessions[0].requests[index];
        const input = usage.input + usage.cacheRead + usage.cacheWrite;
        assert.deepEqual([tokens, cached, fresh], [input, usage.cacheRead, input - before], `request ${index}`);
        isCached ||= usage.cacheRead + usage.cacheWrite > 0;
        const lost = before - usage.cacheRead;
        const { pause, missed: plan } = steps[index];
        // The list's rule: a tenth, or less than a cache keeps, is no miss.
        if (before < 1024 || lost <= 0.1 * before || lost < 1024) assert.deepEqual(missed, []);
        else {
          const place = usage.cacheRead < 0.9 * overhead ? 'front' : 'messages';
          const cause = pause > 5 * MINUTE ? 'idle' : isCached ? place : 'never';
          assert.ok(plan !== undefined || cause === 'idle');
          assert.deepEqual(
            missed.map((one) => [one.cause, one.tokens]),
            [[cause, lost]],
          );
          const cost = costOfTokens(usage, usage.cacheRead, before) - RATES.read * lost;
          assert.ok(Math.abs(missed[0].cost - cost) < 1e-6);
          expected[cause] = (expected[cause] ?? 0) + 1;
          seen.add(cause);
          worth += cost;
        }
        before = input;
      }
      const { cache } = totals;
      assert.equal(cache.input, totals.tokens);
      assert.equal(cache.read + cache.new + cache.tail + sum(Object.values(cache.missed), ({ tokens }) => tokens), cache.input);
      assert.deepEqual(Object.fromEntries(Object.entries(cache.missed).map(([cause, { requests }]) => [cause, requests])), expected);
      close(cache.cost ?? 0, worth, 'missed');
      for (const [cause, count] of Object.entries(expected)) assert.ok(cache.summary.includes(`${count} `), `${cause}: ${cache.summary}`);
    }),
    // So that each cause is there, whatever is drawn: the first has three of them, and in the second nothing was ever cached.
    {
      numRuns: cases(60),
      examples: [
        [{ steps: PLAN, share: 1, overhead: OVERHEAD }],
        [{ steps: [read('/a/x.ts', 'orders'), read('/a/y.ts', 'other', { missed: 'front' })], share: 0, overhead: 40_000 }],
      ],
    },
  );
  assert.deepEqual([...seen].sort(), ['front', 'idle', 'messages', 'never']);
});

test('findings of one file, command or cause are one over all sessions; without a price they have tokens', async () => {
  const [once] = [planned(PLAN, { overhead: OVERHEAD })];
  const one = await analyse([once], { limit: LIMIT, now: NOW });
  const two = await analyse([once, planned(PLAN, { overhead: OVERHEAD, id: 'two' })], { limit: LIMIT, now: NOW });
  const lock = ({ findings }) => findings.find(({ kind }) => kind === 'reads');
  assert.deepEqual([lock(two).count, lock(two).sessions], [6, 2]);
  close(lock(two).cost, 2 * lock(one).cost, 'of both');
  const unpriced = planned(PLAN, { overhead: OVERHEAD, model: 'made-up-1' });
  unpriced.requests = unpriced.requests.map((request) => ({ ...request, model: 'made-up-1' }));
  const { findings, where } = await analyse([unpriced], { limit: LIMIT, now: NOW });
  assert.ok(findings.length >= 6 && findings.every(({ cost, tokens }) => cost === undefined && tokens > 0));
  assert.ok(where.every(({ rows }) => rows.every(({ cost }) => cost === undefined)));
});

test('a session that never reads from the cache, or changes its model, has that finding', async () => {
  const plain = planned(
    PLAN.map(({ pause: _, ...step }) => ({ ...step, missed: 'front' })),
    { share: 0, overhead: OVERHEAD },
  );
  const { findings } = await analyse([plain], { limit: LIMIT, now: NOW });
  const [never, ...others] = findings.filter(({ kind }) => kind === 'breaks');
  assert.deepEqual([never.subject, never.count, others], ['never', PLAN.length - 1, []]);
  const changed = planned(
    PLAN.map((step, index) => (index === 4 ? step : { ...step, missed: undefined, pause: MINUTE })),
    { overhead: OVERHEAD },
  );
  changed.requests = changed.requests.map((request, index) => (index < 4 ? request : { ...request, model: 'claude-opus-4-5' }));
  const found = (await analyse([changed], { limit: LIMIT, now: NOW })).findings.filter(({ kind }) => kind === 'breaks');
  assert.deepEqual(
    found.map(({ subject, count }) => [subject, count]),
    [['model', 1]],
  );
});

test('how long a cache lives is said by the model: after 20 minutes that of GPT-5.5 has expired, and that of GPT-5.6 has not', async () => {
  const causeOf = async (model) => {
    const steps = [search('a'), search('b'), search('c', { pause: 20 * MINUTE })];
    const session = planned(steps, { model, format: 'openai-chat', overhead: OVERHEAD });
    const messages = [
      { role: 'user', content: 'Find out why.' },
      ...steps.flatMap(({ output }) => [
        { role: 'assistant', content: output },
        { role: 'user', content: 'On.' },
      ]),
    ];
    const requests = session.requests.map((request) => ({ ...request, model }));
    const { totals } = await analyse([{ ...session, messages, requests }], { limit: LIMIT, now: NOW });
    return Object.keys(totals.cache.missed);
  };
  assert.deepEqual([await causeOf('gpt-5.5'), await causeOf('gpt-5.6')], [['idle'], ['front']]);
});

test('there are at most 30, and a session without waste has none but its instructions', async () => {
  const many = Array.from({ length: 60 }, (_, index) => ({
    tool: 'Grep',
    input: { pattern: `p${index}` },
    output: words(900, `w${index}x`),
  }));
  const { findings } = await analyse([planned(many)], { limit: LIMIT, now: NOW });
  assert.equal(findings.length, 30);
  const calm = await analyse([planned([search('a'), search('b'), search('c')])], { limit: LIMIT, now: NOW });
  assert.deepEqual(
    calm.findings.map(({ kind }) => kind),
    ['beside'],
  );
});

test('every finding says what happened and what to do', async () => {
  const { findings } = await analyse([planned(PLAN, { overhead: OVERHEAD })], { limit: LIMIT, now: NOW });
  const texts = findings.map(wordsOf);
  assert.equal(new Set(texts.map(({ title }) => title)).size, texts.length);
  for (const { title, remedy } of texts) {
    assert.ok(title.length > 10 && remedy.length > 40, title);
    assert.doesNotMatch(`${title} ${remedy}`, /undefined|NaN/);
  }
  const titles = texts.map(({ title }) => title).join('\n');
  assert.match(titles, /^\/a\/lock\.json was read 3 times$/m);
  assert.match(titles, /^npm test was run twice$/m);
  assert.match(titles, /^The prefix broke twice at its start$/m);
  assert.match(titles, /^[\d,]+ tokens of TODO \(Grep\) were carried for 7 requests$/m);
  assert.match(titles, /^Instructions and tools take up to 9,000 tokens of each request of Claude Code$/m);
});

test('each point of the curve is what a report with that limit says; the recommended one costs least of those that keep enough', async () => {
  const steps = Array.from({ length: 24 }, (_, index) => ({ ...read(`/a/${index % 7}.ts`, ''), output: words(90, `w${index % 7}x`) }));
  const session = () => planned(steps, { overhead: 1_000 });
  const { curve, recommended, totals } = await analyse([session()], { limit: 4_000, now: NOW });
  assert.deepEqual(
    curve.map(({ limit }) => limit),
    [2_000, 4_000, 6_000, 8_000],
  );
  for (const { limit, cost, tokens, kept } of curve) {
    const own = (await analyse([session()], { limit, now: NOW })).totals;
    assert.deepEqual([cost, tokens, kept], [own.costWithSession, own.sent, own.kept], `${limit}`);
  }
  const good = curve.filter(({ cost, kept = 1 }) => cost < totals.cost && kept >= 0.9).sort((a, b) => a.cost - b.cost);
  assert.deepEqual(curve[recommended], good[0]);
});
