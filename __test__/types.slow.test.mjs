import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { installWasm, withoutWasm } from './support/wasm.mjs';

const { PEERS } = createRequire(import.meta.url)('../unbundled/integrations/peers.js');
const here = dirname(fileURLToPath(import.meta.url));
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

function compiles(files, ...options) {
  const run = spawnSync(
    process.execPath,
    [tsc, '--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022', '--types', '', ...options, ...files],
    {
      cwd: join(here, 'types'),
      encoding: 'utf8',
    },
  );
  assert.equal(run.status, 0, run.stdout + run.stderr);
}

const plain = ['--lib', 'es2022'];
const strictest = ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noImplicitOverride'];

test('module node16, CommonJS and ES modules', () => compiles(['usage.mts', 'usage.cts'], '--module', 'node16', ...plain));

test('module nodenext, with everything strict', () => {
  compiles(['usage.mts', 'usage.cts'], '--module', 'nodenext', ...plain, ...strictest);
});

test('choices at run time, and messages of a type of one’s own', () => {
  compiles(['choices.mts', 'formats.mts'], '--module', 'nodenext', ...plain, ...strictest);
});

test('module resolution bundler', () => {
  compiles(['usage.mts'], '--module', 'esnext', '--moduleResolution', 'bundler', ...plain);
});

test('a worker that has the package in WebAssembly alone has types', { skip: withoutWasm }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-types-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await installWasm(folder);
  const program = join(folder, 'worker.mts');
  writeFileSync(
    program,
    `import { fit, init, loadVocabulary, type FitOptions } from '@palimpsest/engine-wasm32-wasi/edge';
import cl100k from '@palimpsest/engine-wasm32-wasi/cl100k_base.bin';
import o200k from '@palimpsest/engine-wasm32-wasi/o200k_base.bin';
import wasm from '@palimpsest/engine-wasm32-wasi/palimpsest.wasm32-wasi.wasm';
loadVocabulary('o200k_base', o200k);
loadVocabulary('cl100k_base', cl100k);
await init(wasm);
const options: FitOptions = { limit: 100 };
const { messages, tokens } = fit([{ role: 'user', content: 'hello' }], options);
const roles: string[] = messages.map(({ role }) => role);
const saved: number = tokens.before - tokens.after;
// @ts-expect-error
fit([], { limit: 'much' });
`,
  );
  for (const module of ['node16', 'nodenext']) compiles([program], '--module', module, ...plain, ...strictest);
  compiles([program], '--module', 'esnext', '--moduleResolution', 'bundler', ...plain, ...strictest);
});

test("the platform's AbortSignal fits, though the types need none", () => {
  compiles(['dom.mts'], '--module', 'nodenext', '--lib', 'es2022,dom');
});

test("the SDKs' own message types go in and come out", () => {
  // What the SDKs' declarations need of Node is not installed, and not asked about.
  compiles(['sdks.mts'], '--module', 'nodenext', '--skipLibCheck', '--lib', 'es2022,dom');
});

test('the programs with SDKs in examples/ compile', () => {
  const folder = join(here, '../examples/providers');
  const files = readdirSync(folder).map((name) => join(folder, name));
  assert.ok(files.length >= 6);
  const checked = ['--allowJs', '--checkJs', '--noImplicitAny', 'false', '--types', 'node'];
  compiles(files, '--module', 'nodenext', '--skipLibCheck', '--lib', 'es2022,dom', ...checked);
});

test('the programs with integrations compile', () => {
  const files = Object.keys(PEERS).map((name) => `${name}.mts`);
  compiles(files, '--module', 'nodenext', '--skipLibCheck', '--lib', 'es2022,dom,esnext.disposable', ...strictest);
});

test('the clients of databases fit the stores', () => {
  compiles(
    ['stores.mts'],
    '--module',
    'nodenext',
    '--skipLibCheck',
    '--lib',
    'es2022,dom,esnext.disposable',
    '--types',
    'node',
    ...strictest,
  );
});

test('no SDK program has a cast', () => {
  const folders = ['types', '../examples/providers'].map((folder) => join(here, folder));
  const programs = folders.flatMap((folder) => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')));
  // `as` before a type, `<Type>value` and, in JavaScript, a type in front of a parenthesis.
  const casts = programs.flatMap(
    (text) => text.match(/^(?!import|export).*[\w)\]}] as (?!const\b)\w.*|^.*= <\w+>.*|.*@type.*\*\/ *\(.*/gm) ?? [],
  );
  assert.deepEqual(
    casts.filter((line) => !/^\s*(\/\/|\* )/.test(line)),
    [],
  );
});

const types = ['../index.d.ts', '../drop-in.d.ts'].map((file) => readFileSync(join(here, file), 'utf8')).join('');
const examples = [...types.matchAll(/ \* @example\n([\s\S]*?)\n \*\n \* @[\s\S]*?^export function (\w+)/gm)];

for (const [, comment, name] of examples) {
  test(`the example of ${name} runs and prints what it says`, () => {
    const code = comment.replace(/^ \* ?/gm, '');
    const expected = [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, text]) => text);
    assert.ok(expected.length > 0);
    const run = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { cwd: join(here, '..'), encoding: 'utf8' });
    assert.deepEqual([run.stderr, run.stdout.split('\n').slice(0, -1)], ['', expected]);
  });
}

test('every main function has an example, and compress one more with a format', () => {
  const named = examples.map(([, , name]) => name).sort();
  const factories = ['createClassifier', 'createEscalatingClassifier', 'createEscalatingSummarizer', 'createSummarizer'];
  const verbs = ['compress', 'compress', 'countTokens', 'createSession', 'fit', 'fitAsync', 'fitRequest', 'prune', 'restore', 'validate'];
  for (const name of [...verbs, ...factories]) assert.ok(named.includes(name), name);
  assert.equal(named.filter((name) => name === 'compress').length, 2);
});

test('every overload has a text of its own', () => {
  const overloads = [...types.matchAll(/^export function (compress|createSession)\b/gm)];
  assert.ok(overloads.length >= 8);
  const texts = overloads.map(({ index }) => types.slice(0, index).match(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n$/)?.[1]);
  for (const [index, text] of texts.entries()) assert.ok(text, types.slice(overloads[index].index).split('\n')[0]);
});

test('both module systems get the same types', () => {
  compiles(['same.mts'], '--module', 'nodenext', ...plain, ...strictest);
});
