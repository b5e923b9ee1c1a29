// check: exit codes and words for CI, of a conversation that is played within a limit.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createSession } from 'palimpsest';
import { palimpsest } from './run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-check-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = (name, text) => {
  writeFileSync(join(folder, name), text);
  return name;
};
async function check(argv) {
  const { code, stdout, stderr } = await palimpsest(['check', ...argv], { cwd: folder });
  return { code, stdout, stderr };
}

const FACT = 'staging listens on port 8412';
const rules = (count) =>
  `# AGENTS.md instructions for /app\n\n${Array.from({ length: count }, (_, at) => `- Never change table_${at} without a backup of part ${at * 31}.`).join('\n')}`;
const history = (first) =>
  Array.from({ length: 80 }, (_, turn) => [
    { role: 'user', content: turn === 0 ? first : `Question ${turn}: how many rows did worker ${turn} write?` },
    {
      role: 'assistant',
      content: `${turn === 4 ? `By the way, ${FACT}. ` : ''}${`It wrote ${turn * 17} rows to table_${turn}. `.repeat(9)}`,
    },
  ]).flat();
file('few.json', JSON.stringify(history(rules(5))));
file('many.json', JSON.stringify(history(rules(200))));

/** The requests as a session sends them. */
function sent(messages, limit) {
  const session = createSession({ limit, warn: false, now: () => 0 });
  const steps = messages.flatMap((_, index) => (index % 2 === 0 ? [session.next(messages.slice(0, index + 1))] : []));
  return { session, steps: [...steps, session.next(messages)] };
}

test('the limit, the rules and a text, each with its word and the exit code', async () => {
  const { steps } = sent(history(rules(5)), 2000);
  assert.ok(steps.every(({ fits }) => fits) && !JSON.stringify(steps.at(-1).messages).includes(FACT));
  assert.deepEqual(await check(['few.json', '-l', '2000', '--keep-rules', '-q']), {
    code: 0,
    stdout: `ok      limit: 81 requests, all within 2,000 tokens\nok      rules: no cut of ${steps.filter(({ epoch }) => epoch).length} lost a rule\n`,
    stderr: '',
  });
  const lacking = await check(['few.json', '-l', '2000', '--has', FACT, '-q']);
  assert.deepEqual(
    [lacking.code, lacking.stdout.split('\n')[1]],
    [1, 'failed  has: the last request lacks the text; palimpsest why says why'],
  );
  assert.equal((await check(['few.json', '-l', '100k', '--has', FACT, '-q'])).code, 0);
});

test('rules that do not fit, as the session reports them', async () => {
  const { steps } = sent(history(rules(200)), 4000);
  const losing = steps.flatMap(({ report }, index) =>
    report.rules && report.rules.kept < report.rules.found ? [{ number: index + 1, ...report.rules }] : [],
  );
  assert.ok(losing.length > 0);
  const { code, stdout } = await check(['many.json', '-l', '4000', '--keep-rules', '--json', '-q']);
  const { ok, checks } = JSON.parse(stdout);
  assert.deepEqual([code, ok, checks.map(({ name }) => name)], [1, false, ['limit', 'rules']]);
  const [{ number, found, kept }] = losing;
  assert.match(
    checks[1].text,
    new RegExp(`^${losing.length} of \\d+ cuts? lost rules, first in request ${number}: ${kept} of ${found} kept$`),
  );
});

test('the cost, of messages by the price of a model, and what it needs', async () => {
  const { session } = sent(history(rules(5)), 2000);
  // GPT-5.5 takes 5 dollars for a million tokens that it has not cached.
  const dollars = (session.report.cost.session * 5) / 1e6;
  const costs = (most) => check(['few.json', '-l', '2000', '--model', 'gpt-5.5', '--max-cost', String(most), '-q']);
  const [dear, cheap] = [await costs(dollars * 1.1), await costs(dollars * 0.9)];
  assert.deepEqual([dear.code, cheap.code], [0, 1]);
  assert.match(cheap.stdout, /^failed {2}cost: \$\d+\.\d\d of \$\d+\.\d\d$/m);
  const without = await check(['few.json', '--max-cost', '2']);
  assert.deepEqual([without.code, /no price is known; name the model with --model/.test(without.stderr)], [1, true]);
  for (const text of ['two', '-1', '']) assert.equal((await check(['few.json', `--max-cost=${text}`])).code, 2, text);
  assert.equal((await check(['few.json', '--has', ' '])).code, 2);
});
