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
  assert.ok(readFileSync(new URL('../README.md', import.meta.url), 'utf8').includes(`\n${report}\n`), 'the README shows another line');
});
