// What the report says that was paid: each answer once, at the tier that served it. The judge is the ledger that is kept while sessions are made.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { calcPrice } from '@pydantic/genai-prices';
import fc from 'fast-check';
import { cases } from '../../../__test__/support/seed.mjs';
import { analyse } from '../dist/analysis/index.mjs';
import { createPrices } from '../dist/analysis/prices.mjs';
import { billedUsage, readUsage } from '../dist/proxy/usage.mjs';
import { listFiles, readAll } from '../dist/transcripts/index.mjs';
import { AGENTS, grown, paidIn, someSteps } from './support/forests.mjs';

const NOW = Date.UTC(2026, 10, 1);

/** Of Anthropic's page of prices. */
const MULTIPLES = { fast: 2, batch: 0.5, us: 1.1 };

function priceOf({ model, usage: [input, read, written, output], served = [], searches = 0 }) {
  const { total_price } = calcPrice(
    { input_tokens: input + read + written, cache_read_tokens: read, cache_write_tokens: written, output_tokens: output },
    model,
    { timestamp: new Date(NOW) },
  );
  return served.reduce((price, one) => price * MULTIPLES[one], total_price) + searches * 0.01;
}

/** Writes files, reads them as the command does, and reports. @param {[string, string[]][]} files in the order in which they were changed */
async function reported(files) {
  const folder = mkdtempSync(join(tmpdir(), 'paid-'));
  try {
    for (const [index, [name, lines]] of files.entries()) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, lines.join(''));
      utimesSync(path, NOW / 1000 + index, NOW / 1000 + index);
    }
    const { found, skipped } = await listFiles([folder]);
    return await analyse(
      readAll(
        found.toReversed().map(({ path }) => path),
        skipped,
      ),
      { limit: 30_000, now: NOW, skipped },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const close = (actual, expected, what) =>
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.max(1, expected), `${what}: ${actual} is not ${expected}`);

function agrees({ totals, spend, where, skipped }, ledger) {
  assert.deepEqual(skipped, []);
  const { requests, cost } = paidIn(ledger, priceOf);
  assert.equal(totals.requests, requests);
  close(totals.cost, cost, 'cost');
  const sum = (rows, key) => rows.reduce((total, row) => total + (row[key] ?? 0), 0);
  for (const { by, rows } of spend) {
    assert.equal(sum(rows, 'requests'), requests, by);
    close(sum(rows, 'cost'), cost, by);
  }
  for (const { by, rows } of where) close(sum(rows, 'cost'), cost, by);
}

/** In another order, with copies of files, broken lines, lines that nobody knows, and without some of what users said. */
const someDisorder = fc.record({ seed: fc.nat(1_000_000), copies: fc.nat(2), bad: fc.nat(3), lost: fc.nat(2) }, { noNullPrototype: true });

function disordered(files, { seed, copies, bad, lost }, isLines) {
  const isSaid = (line) => line.includes('"Question ') && !line.includes('$set');
  let said = 0;
  const isKept = (line) => !isSaid(line) || said++ % 5 >= lost;
  const all = isLines ? files.map(([name, lines]) => [name, lines.filter(isKept)]) : [...files];
  for (let at = 0; at < copies; at++) {
    const [name, lines] = all[(seed + at) % files.length];
    all.push([join(`copy${at}`, name), lines]);
  }
  if (isLines)
    for (let at = 0; at < bad; at++) {
      const index = (seed >> at) % all.length;
      const [name, lines] = all[index];
      const place = 1 + ((seed >> (2 * at)) % lines.length);
      const rubbish = ['not JSON\n', '{"type":"from-the-future","sessionId":"s"}\n', '[1,2]\n'][at % 3];
      all[index] = [name, lines.toSpliced(place, 0, rubbish)];
    }
  return seed % 2 ? all.toReversed() : all;
}

for (const [name, agent] of Object.entries(AGENTS))
  test(`${name}: a forest of sessions costs what its ledger says`, async () => {
    await fc.assert(
      fc.asyncProperty(someSteps, someDisorder, async (steps, disorder) => {
        const { sessions, ledger } = grown(steps, agent);
        fc.pre(ledger.length > 0);
        agrees(await reported(disordered(sessions.flatMap(agent.write), disorder, agent.isLines)), ledger);
      }),
      { numRuns: cases(8) },
    );
  });

test('the sessions of all agents in one folder cost what their ledgers say', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...Object.keys(AGENTS)), someSteps), { minLength: 2, maxLength: 4 }),
      async (parts) => {
        const all = parts.map(([name, steps], index) => {
          const { sessions, ledger } = grown(steps, AGENTS[name]);
          // Of one agent, sessions of several forests have the same ids.
          const isAgain = parts.slice(0, index).some(([other]) => other === name);
          return isAgain ? { files: [], ledger: [] } : { files: sessions.flatMap(AGENTS[name].write), ledger };
        });
        const ledger = all.flatMap((one) => one.ledger);
        fc.pre(ledger.length > 0);
        agrees(await reported(all.flatMap((one) => one.files)), ledger);
      },
    ),
    { numRuns: cases(4) },
  );
});

const TURN = { what: 'turn', which: 0, place: 0, isBack: false };
const turnOf = (counts, more = {}) => ({ ...TURN, replies: [['ok', counts]], ...more });
/** @param {string} name @param {object[]} steps @param {(lines: string[]) => string[]} [change] what is changed in the files */
async function reportOf(name, steps, change = (lines) => lines) {
  const agent = AGENTS[name];
  const { sessions, ledger } = grown(steps, agent);
  const report = await reported(sessions.flatMap(agent.write).map(([file, lines]) => [file, change(lines)]));
  return { report, ledger };
}

for (const name of Object.keys(AGENTS))
  test(`${name}: usage that can't be is left out and named, and nothing else changes`, async () => {
    const whole = turnOf([500, 40_000, 0, 90]);
    const { report: before } = await reportOf(name, [whole]);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(1e308, -1e7, 9e7, 1e16), fc.constantFrom(0, 1, 3), async (value, place) => {
        const counts = [500, 40_000, 0, 90].with(place, value);
        const { report } = await reportOf(name, [whole, turnOf(counts)]);
        const { requests, cost, impossible } = report.totals;
        assert.deepEqual([requests, impossible], [2, 1]);
        assert.ok(cost >= before.totals.cost && cost < before.totals.cost + 1, `${cost}`);
        assert.match(report.sessions[0].notes.join('\n'), /usage of 1 answer left out/);
      }),
      { numRuns: cases(3) },
    );
  });

test('a tier without a price is named with how much it was, and the others cost what they did', async () => {
  const [plain, other] = [turnOf([5, 20_000, 1_000, 200]), turnOf([7, 21_000, 900, 100], { place: 1 })];
  const { report: one } = await reportOf('claude-code', [plain]);
  const unknown = (lines) => lines.map((line) => (line.includes('"input_tokens":7,') ? line.replaceAll('"standard"', '"priority"') : line));
  const { report } = await reportOf('claude-code', [plain, other], unknown);
  close(report.totals.cost, one.totals.cost, 'cost');
  assert.deepEqual(report.totals.withoutPrice, [
    { name: 'claude-opus-5, priority', kind: 'tier', requests: 1, tokens: 21_907, output: 100, calls: 0 },
  ]);
  assert.deepEqual(report.totals.unpriced, []);
});

test('a model without a price is named with how much it was', async () => {
  const steps = [turnOf([5, 20_000, 1_000, 200]), turnOf([7, 21_000, 900, 100])];
  const { report } = await reportOf('claude-code', steps, (lines) => lines.map((line) => line.replaceAll('claude-opus-5', 'made-up-1')));
  assert.equal(report.totals.cost, undefined);
  const [row] = report.totals.withoutPrice;
  assert.deepEqual(row, { name: 'made-up-1', kind: 'model', requests: 2, tokens: 42_912, output: 300, calls: 0 });
});

test("calls of the provider's tools cost what the list says, and those that are not in it are named", async () => {
  const steps = [turnOf([5, 20_000, 1_000, 200], { searches: 3 })];
  const { report, ledger } = await reportOf('claude-code', steps, (lines) =>
    lines.map((line) => line.replace('"web_search_requests":3', '"web_search_requests":3,"code_execution_requests":2')),
  );
  close(report.totals.cost, paidIn(ledger, priceOf).cost, 'cost');
  assert.deepEqual(report.totals.withoutPrice, [{ name: 'code execution', kind: 'tool', requests: 1, tokens: 0, output: 0, calls: 2 }]);
});

test('an advisor among the iterations costs what its own model costs, and a sum of all of them is not paid twice', async () => {
  const steps = [turnOf([5, 20_000, 1_000, 200])];
  const { report: plain } = await reportOf('claude-code', steps);
  const withIterations = (of) => (lines) =>
    lines.map((text) => {
      const line = JSON.parse(text);
      if (line.type === 'assistant') line.message.usage.iterations = of(line.message.usage);
      return `${JSON.stringify(line)}\n`;
    });
  const advice = { type: 'advisor_message', model: 'claude-opus-4-1', input_tokens: 900, output_tokens: 50 };
  const { report: advised } = await reportOf(
    'claude-code',
    steps,
    withIterations((usage) => [{ ...usage, type: 'message' }, advice]),
  );
  close(advised.totals.cost, plain.totals.cost + priceOf({ model: 'claude-opus-4-1', usage: [900, 0, 0, 50] }), 'with an advisor');
  assert.equal(advised.totals.requests, 1);
  const half = { input_tokens: 2, cache_read_input_tokens: 10_000, cache_creation_input_tokens: 500, output_tokens: 100 };
  const { report: summed } = await reportOf(
    'claude-code',
    steps,
    withIterations(() => [
      { type: 'compaction', ...half },
      { type: 'message', ...half },
    ]),
  );
  close(summed.totals.cost, plain.totals.cost, 'where the usage is the sum');
});

test('prices are those of the day of the request', async () => {
  const [input, read, written, output] = [5, 300_000, 1_000, 200];
  const costs = [];
  for (const day of ['2026-02-10', '2026-04-10']) {
    const { report } = await reportOf('claude-code', [turnOf([input, read, written, output])], (lines) =>
      lines.map((line) => line.replaceAll('2026-09-10', day).replaceAll('claude-opus-5', 'claude-opus-4-6')),
    );
    const { total_price } = calcPrice(
      { input_tokens: input + read + written, cache_read_tokens: read, cache_write_tokens: written, output_tokens: output },
      'claude-opus-4-6',
      { timestamp: new Date(day) },
    );
    close(report.totals.cost, total_price, day);
    costs.push(total_price);
  }
  // Its step of long contexts ended between them.
  assert.ok(costs[0] > 1.5 * costs[1]);
});

test('Codex: what a session that it was made of used last is no request of its own', async () => {
  const { report } = await reportOf('codex', [turnOf([5, 20_000, 0, 200])], ([meta, ...lines]) => {
    const info = {
      total_token_usage: { input_tokens: 90_000, output_tokens: 9 },
      last_token_usage: { input_tokens: 50_000, cached_input_tokens: 0, output_tokens: 5 },
    };
    const prefill = { timestamp: '2026-09-10T10:00:00Z', type: 'event_msg', payload: { type: 'token_count', info } };
    return [meta, `${JSON.stringify(prefill)}\n`, ...lines];
  });
  assert.equal(report.totals.requests, 1);
  assert.equal(report.totals.tokens, 20_005);
});

test('Cline: requests that were tried again cost, too', async () => {
  const steps = [turnOf([50, 0, 0, 5]), turnOf([60, 0, 0, 6])];
  const { sessions } = grown(steps, AGENTS.cline);
  const files = sessions.flatMap(AGENTS.cline.write);
  const times = sessions[0].events.flatMap(({ node }) => (node.bill ? [node.time] : []));
  const asked = (ts, tokensIn, tokensOut) => ({
    ts,
    type: 'say',
    say: 'api_req_started',
    text: JSON.stringify({ tokensIn, tokensOut, cacheReads: 0, cacheWrites: 0 }),
  });
  const shown = [
    asked(times[0] - 2_000, 50, 5),
    asked(times[0] + 1_000, 55, 1),
    asked(times[1] - 2_000, 60, 6),
    asked(times[1] + 1_000, 65, 2),
  ];
  const { totals } = await reported([...files, [files[0][0].replace('api_conversation_history', 'ui_messages'), [JSON.stringify(shown)]]]);
  assert.equal(totals.requests, 4);
  const ledger = [
    [50, 5],
    [55, 1],
    [60, 6],
    [65, 2],
  ].map(([input, output]) => ({ model: 'claude-opus-5', usage: /** @type {any} */ ([input, 0, 0, output]) }));
  close(totals.cost, paidIn(ledger, priceOf).cost, 'cost');
});

test('of what passes the proxy, the tier and the calls of tools count, too', async () => {
  const read = (events) =>
    new Promise((resolve) => {
      const copy = readUsage({ 'content-type': 'text/event-stream' }, (raw) => resolve(billedUsage(raw)));
      for (const event of events) copy.write(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
      copy.end();
    });
  const usage = { input_tokens: 5, cache_read_input_tokens: 20_000, cache_creation_input_tokens: 0, output_tokens: 1, speed: 'fast' };
  assert.deepEqual(
    await read([
      { type: 'message_start', message: { usage } },
      { type: 'message_delta', usage: { output_tokens: 200, server_tool_use: { web_search_requests: 2 } } },
    ]),
    { input: 5, cacheRead: 20_000, cacheWrite: 0, output: 200, served: { speed: 'fast' }, tools: { 'web search': 2 } },
  );
  const response = {
    service_tier: 'priority',
    usage: { input_tokens: 500, input_tokens_details: { cached_tokens: 400 }, output_tokens: 9 },
  };
  assert.deepEqual(await read([{ type: 'response.completed', response }]), {
    input: 100,
    cacheRead: 400,
    cacheWrite: 0,
    output: 9,
    served: { tier: 'priority' },
  });
});

test('tiers have the multiples of their model', () => {
  const priceOfModel = createPrices(NOW);
  const usage = { input: 1_000, cacheRead: 2_000, cacheWrite: 0, output: 300 };
  /** @type {[string, object, number][]} */
  const rows = [
    ['claude-opus-4-6', { speed: 'fast' }, 6],
    ['claude-opus-5-5', { speed: 'fast', geo: 'us' }, 2.2],
    ['anthropic/claude-sonnet-5', { tier: 'batch' }, 0.5],
    ['claude-sonnet-4-6', { geo: 'us' }, 1.1],
    ['gpt-5.5', { tier: 'priority' }, 2.5],
    ['gpt-5.6', { tier: 'priority' }, 2],
    ['gpt-5-mini', { tier: 'priority' }, 1.8],
    ['gpt-5-codex', { tier: 'priority' }, 2],
    ['gpt-5.2', { tier: 'flex' }, 0.5],
    ['o3', { tier: 'priority' }, 1.75],
    ['gpt-4.1', { tier: 'batch' }, 0.5],
  ];
  for (const [model, served, multiple] of rows) {
    const price = priceOfModel(model);
    close(price.costOf({ ...usage, served }) / price.costOf(usage), multiple, `${model} ${JSON.stringify(served)}`);
  }
  for (const [model, served] of [
    ['claude-sonnet-5', { speed: 'fast' }],
    ['claude-sonnet-4-5', { geo: 'us' }],
    ['claude-opus-5', { geo: 'eu' }],
    ['gpt-5-nano', { tier: 'priority' }],
    ['gemini-3.8-flash', { tier: 'priority' }],
    ['gpt-5-codex', { tier: 'flex' }],
  ])
    assert.equal(priceOfModel(model).isKnown({ ...usage, served }), false, `${model} ${JSON.stringify(served)}`);
});
