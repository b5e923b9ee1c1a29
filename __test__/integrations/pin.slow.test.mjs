// The tool that pins, of each integration in the SDK itself: two agents at the same time, whose models pin a rule of their own. It is in every request
// from then on, after its call went, too, and in none of the other conversation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProvider } from '../support/agents/index.mjs';
import { recallingAgents } from '../support/agents/recalling.mjs';

const READS = 20;
const LIMIT = 5000;
const NAMES = ['first', 'second'];
const ruleOf = (name) => `Never write to the ledger of ${name}: finance reads it.`;

function contentOf(path) {
  return Array.from({ length: 30 }, (_, line) => `export const value${line} = compute('${path}', ${line * 7});`).join('\n');
}

/** Pins a rule, then reads files. */
function script({ step, conversation }) {
  if (step === 0) return { calls: [{ name: 'pin', input: { text: ruleOf(conversation), label: 'rule' } }] };
  return step < READS ? { calls: [{ name: 'read', input: { path: `src/${conversation}/file${step}.ts` } }] } : { text: 'Done.' };
}

const AGENTS = recallingAgents({
  options: { limit: LIMIT },
  contentOf,
  systemOf: (name) => `You compare files. [conversation ${name}]`,
  tool: 'pin',
});

for (const [sdk, open] of Object.entries(AGENTS)) {
  test(`${sdk}: each model pins in its own conversation`, async () => {
    const provider = await startProvider(script, { window: 400_000 });
    try {
      const runAgent = open(provider);
      await Promise.all(NAMES.map((name) => runAgent(name)));
      for (const name of NAMES) {
        const requests = provider.requests.filter(({ conversation }) => conversation === name);
        assert.deepEqual(
          requests.filter(({ status }) => status !== 200).map(({ error }) => error),
          [],
        );
        const bodies = requests.slice(1).map(({ body }) => JSON.stringify(body));
        assert.ok(bodies.length >= READS, `${bodies.length} requests`);
        for (const body of bodies) assert.ok(body.includes(ruleOf(name)), body.slice(-2000));
        assert.ok(bodies.at(-1).includes('[pinned as rule, not part of this message]'), bodies.at(-1));
        assert.ok(!bodies.some((body) => body.includes(ruleOf(NAMES.find((one) => one !== name)))), 'nothing of the other conversation');
      }
    } finally {
      await provider.close();
    }
  });
}
