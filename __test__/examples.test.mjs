// The programs in examples/providers run, and show what they say.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
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
  assert.deepEqual(readdirSync(folder), ['ai-sdk', 'anthropic', 'drop-in', 'gemini', 'langchain', 'openai'].map((name) => `${name}.mjs`));
});
