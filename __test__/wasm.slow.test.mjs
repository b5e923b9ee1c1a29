// The engine in WebAssembly in Node.js: the same results as the native one, and when the loader takes it.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { installWasm, withoutWasm as skip } from './support/wasm.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-wasm-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
let wasmPackage;
before(async () => {
  // Beside the other folders: Node.js looks for packages above them as well.
  if (!skip) wasmPackage = await installWasm(mkdtempSync(join(scratch, 'user-')));
});
// Node's test runner tells the processes that it starts apart by a variable.
const clean = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^NAPI_RS_|^NODE_TEST/.test(key)));

test('vectors, goldens, callbacks and texts of many languages have the same results', { skip }, (t) => {
  const files = ['vectors', 'vectors-opt', 'goldens', 'callbacks', 'fit/languages'].map((name) => `__test__/${name}.test.mjs`);
  const env = { ...clean, NAPI_RS_FORCE_WASI: '1' };
  const { status, stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', ...files], { cwd: root, env, encoding: 'utf8' });
  assert.equal(status, 0, stdout.match(/^\s*not ok .*/gm)?.join('\n'));
  const passed = Number(/^# pass (\d+)$/m.exec(stdout)?.[1]);
  t.diagnostic(`${passed} tests passed`);
  assert.ok(passed > 700, stdout.slice(-500));
});

/** The package in a folder of its own, without a native engine. */
function installed(name) {
  const folder = join(scratch, name, 'node_modules/palimpsest');
  for (const path of ['package.json', 'dist']) cpSync(join(root, path), join(folder, path), { recursive: true });
  return folder;
}

function run(folder, script, env = {}) {
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { cwd: folder, env: { ...clean, ...env }, encoding: 'utf8' }));
}

const LOAD = `
  const warnings = [];
  process.on('warning', ({ name, code, message }) => warnings.push({ name, code, message }));
  const { countTokens } = require('./dist/index.js');
  require('./dist/index.js');
  const tokens = countTokens([{ role: 'user', content: 'hello' }]);
  setImmediate(() => console.log(JSON.stringify({ tokens, warnings })));`;

test('without a native engine it is taken, with one warning', { skip }, () => {
  const folder = installed('fallback');
  cpSync(wasmPackage, join(folder, '../@palimpsest/engine-wasm32-wasi'), { recursive: true });
  const { tokens, warnings } = run(folder, LOAD);
  assert.equal(tokens, 8);
  assert.equal(warnings.length, 1);
  assert.equal(warnings[0].code, 'PALIMPSEST_WASM');
  assert.match(warnings[0].message, new RegExp(`could not load a native engine for ${process.platform} ${process.arch}, and`));
});

test('a vocabulary that is not there is named, and what needs none works', { skip }, () => {
  const folder = installed('no-vocabulary');
  const engine = join(folder, '../@palimpsest/engine-wasm32-wasi');
  cpSync(wasmPackage, engine, { recursive: true, filter: (path) => !path.endsWith('o200k_base.bin') });
  const { errors, others } = run(
    folder,
    `const { countTokens, fit } = require('./dist/index.js');
     const messages = [{ role: 'user', content: 'hello' }];
     const errors = [() => countTokens(messages), () => fit(messages, { limit: 50 })].map((call) => {
       try { return call() } catch ({ code, message }) { return { code, message } }
     });
     const others = ['cl100k_base', 'estimate'].map((tokenizer) => countTokens(messages, { tokenizer }));
     console.log(JSON.stringify({ errors, others }));`,
  );
  for (const { code, message } of errors) {
    assert.equal(code, 'ERR_PALIMPSEST_LOAD');
    assert.match(message, /could not read o200k_base\.bin of @palimpsest\/engine-wasm32-wasi.*install that package again.*'estimate'$/);
  }
  const { countTokens } = createRequire(import.meta.url)('palimpsest');
  const messages = [{ role: 'user', content: 'hello' }];
  assert.deepEqual(
    others,
    ['cl100k_base', 'estimate'].map((tokenizer) => countTokens(messages, { tokenizer })),
  );
});

test('NAPI_RS_FORCE_WASI takes it without a warning', { skip }, () => {
  const { tokens, warnings } = run(root, LOAD, { NAPI_RS_FORCE_WASI: '1' });
  assert.equal(tokens, 8);
  assert.deepEqual(warnings, []);
});

test('one of another version is refused', () => {
  const folder = installed('other-version');
  const other = join(folder, '../@palimpsest/engine-wasm32-wasi');
  mkdirSync(other, { recursive: true });
  writeFileSync(join(other, 'index.js'), 'exports.engineVersion = () => "0.0.1-other";');
  const { code, message } = run(
    folder,
    `try { require('./dist/index.js') } catch ({ code, message }) { console.log(JSON.stringify({ code, message })) }`,
  );
  assert.equal(code, 'ERR_PALIMPSEST_LOAD');
  assert.match(message, /is version 0\.0\.1-other, not \d/);
});

test('without any engine the error names the package to install', () => {
  const { message } = run(
    installed('none'),
    `try { require('./dist/index.js') } catch ({ message }) { console.log(JSON.stringify({ message })) }`,
  );
  assert.match(message, /install @palimpsest\/engine-wasm32-wasi@\d/);
  assert.match(message, /browsers import '@palimpsest\/engine-wasm32-wasi\/edge'/);
});
