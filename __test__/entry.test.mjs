// What an import costs and gives: it reads as little as possible, and every function is there under its own name.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as imported from 'palimpsest';
import * as importedDropIn from 'palimpsest/compress';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const [required, dropIn] = [require('palimpsest'), require('palimpsest/compress')];

test('an import reads the engine, what finds it and nothing else', () => {
  const script = `const before = Object.keys(require.cache);
    require('palimpsest');
    console.log(JSON.stringify(Object.keys(require.cache).filter((path) => !before.includes(path))));`;
  const read = JSON.parse(execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' }));
  const files = read.map((path) => (path.endsWith('.node') ? 'the engine' : relative(root, path).replaceAll('\\', '/')));
  assert.deepEqual(files, ['dist/index.js', 'dist/native.js', 'the engine']);
});

test('an import that fails can be caught, and the process goes on', () => {
  // Without an engine.
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-entry-'));
  try {
    cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
    const script = `
      const { code } = await import('./dist/index.mjs').catch((error) => error);
      setTimeout(() => console.log(code), 10);`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, encoding: 'utf8' });
    assert.equal(printed, 'ERR_PALIMPSEST_LOAD\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('every function is what stands behind it: same name, same number of parameters', () => {
  const rooms = [
    'drop-in/compress/index',
    'agent/prune',
    'fit/index',
    'fit/request',
    'session/index',
    'shadow/index',
    'agent/merge',
    'agent/restore',
    'tokens/index',
    'recall/index',
    'validate/index',
    'drop-in/llm/index',
    'drop-in/feedback/index',
  ];
  const analyses = ['importance', 'contradiction', 'entropy', 'token-classifier', 'flow', 'discourse', 'coreference', 'cluster'];
  const dropInFiles = ['uncompress', 'classify', 'analysis', ...analyses].map((file) => `drop-in/${file}`);
  const files = ['redact', 'store/originals', 'warm-up', 'options/custom-format', ...dropInFiles, ...rooms];
  const behind = Object.assign({}, ...files.map((file) => require(`../unbundled/${file}.js`)));
  const functions = Object.entries({ ...required, ...dropIn }).filter(([, one]) => typeof one === 'function');
  for (const [name, one] of functions) {
    assert.equal(one.name, name);
    assert.equal(one.length, behind[name].length, name);
  }
});

test('options that are absent keep their defaults, and all others are passed on', () => {
  const twice = 'This line is long enough to be no accident, and it is one of several that say the same.\n'.repeat(3);
  const messages = ['a', 'b'].map((id) => ({ id, role: 'user', content: `${twice}${id}` }));
  const { analyzeFuzzyDuplicates } = dropIn;
  assert.equal(analyzeFuzzyDuplicates(messages).size, 0);
  assert.equal(analyzeFuzzyDuplicates(messages, 0, ['system'], new Map(), 0.5).size, 1);
  assert.equal(analyzeFuzzyDuplicates(messages, 0, ['user'], new Map(), 0.5).size, 0);
});

test('require and import get the same functions', () => {
  for (const [one, other] of [
    [imported, required],
    [importedDropIn, dropIn],
  ]) {
    assert.deepEqual(Object.keys(one).sort(), Object.keys(other).sort());
    for (const name of Object.keys(one)) assert.equal(one[name], other[name], name);
  }
  for (const name of Object.keys(dropIn)) if (name in required) assert.equal(dropIn[name], required[name], name);
});

test('an import from a script of the command line works, where a global `require` looks elsewhere', () => {
  const script = "import('palimpsest').then(({ countTokens }) => console.log(countTokens('One two.') > 0))";
  for (const type of ['commonjs', 'module'])
    assert.equal(execFileSync(process.execPath, [`--input-type=${type}`, '-e', script], { cwd: root, encoding: 'utf8' }), 'true\n');
});
