// The programs in examples/providers run, and show what they say.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../examples/providers/', import.meta.url));

for (const name of readdirSync(folder)) {
  test(name, () => {
    const [report, more, restored] = execFileSync(process.execPath, [name], { cwd: folder, encoding: 'utf8' }).split('\n');
    assert.match(report, / tokens \(-[1-9][\d.]*%\) · .*1 stale (read|command)/);
    assert.match(more, /, 0 problems$|compressed [2-9]/);
    assert.equal(restored, 'restored: true');
  });
}

test('there is one for each provider', () => {
  assert.deepEqual(
    readdirSync(folder),
    ['ai-sdk', 'anthropic', 'drop-in', 'gemini', 'langchain', 'openai'].map((name) => `${name}.mjs`),
  );
});

test('agent-loop.mjs stays in its window, for less than never cutting', () => {
  const lines = execFileSync(process.execPath, ['agent-loop.mjs'], {
    cwd: fileURLToPath(new URL('../examples/', import.meta.url)),
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
  const report = lines.pop();
  assert.ok(lines.length > 0);
  for (const line of lines) assert.match(line, /^epoch \((limit|turn|early|cold)\) · .* tokens of 12,000 · /);
  const [, epochs, share] = report.match(/^95 requests · (\d+) epochs · .*: ([\d.]+)% of never cutting, /);
  assert.equal(Number(epochs), lines.length);
  assert.ok(Number(share) < 100);
  assert.ok(
    readFileSync(new URL('../docs/agent-loop.md', import.meta.url), 'utf8').includes(`\n${report}\n`),
    'docs/agent-loop.md shows another line',
  );
});

test('telemetry.mjs records what the session reports', () => {
  const cwd = fileURLToPath(new URL('../examples/', import.meta.url));
  const lines = execFileSync(process.execPath, ['telemetry.mjs'], { cwd, encoding: 'utf8' }).trim().split('\n');
  const [, requests, epochs, sent, cost] = lines.pop().match(/^(\d+) requests · (\d+) epochs · ([\d,]+) tokens sent, .* cost ([\d,]+): /);
  const number = (text) => Number(text.replaceAll(',', ''));
  const model = 'gen_ai.request.model=gpt-5.5';
  /** The sum of the values that a metric recorded, and how many they were. */
  const recorded = (name, attribute = '') => {
    const own = lines.map((line) => line.match(/^(\S+) (.*): (\d+) (?:\{\w+\}|s) in (\d+)$/)).filter((line) => line[1] === name);
    const told = own.filter((line) => line[2].startsWith(model) && line[2].includes(attribute));
    return ['3', '4'].map((group) => told.reduce((sum, line) => sum + Number(line[group]), 0));
  };
  assert.deepEqual(recorded('palimpsest.request.tokens'), [number(sent), number(requests)]);
  assert.deepEqual(recorded('gen_ai.client.token.usage', 'gen_ai.token.type=input'), [number(sent), number(requests)]);
  assert.deepEqual(recorded('palimpsest.request.cost', 'palimpsest.policy=session'), [number(cost), number(requests)]);
  assert.deepEqual(recorded('palimpsest.epochs', 'palimpsest.epoch.reason='), [number(epochs), number(epochs)]);
  assert.ok(number(epochs) > 0);
});
