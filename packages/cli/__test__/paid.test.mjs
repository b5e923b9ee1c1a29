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

/** In another order, with copies of files, broken lines, and lines that nobody knows. */
const someDisorder = fc.record({ seed: fc.nat(1_000_000), copies: fc.nat(2), bad: fc.nat(3) }, { noNullPrototype: true });

function disordered(files, { seed, copies, bad }, isLines) {
  const all = [...files];
  for (let at = 0; at < copies; at++) {
    const [name, lines] = files[(seed + at) % files.length];
    all.push([join(`copy${at}`, name), lines]);
  }
  if (isLines)
    for (let at = 0; at < bad; at++) {
      const index = (seed >> at) % all.length;
      const [name, lines] = all[index];
      const place = 1 + ((seed >> (2 * at)) % lines.length);
      const rubbish = ['not JSON\n', '{"type":"from-the-future","payload":1}\n', '[1,2]\n'][at % 3];
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
