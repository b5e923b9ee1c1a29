import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

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

test('module resolution bundler', () => {
  compiles(['usage.mts'], '--module', 'esnext', '--moduleResolution', 'bundler', ...plain);
});

test("the platform's AbortSignal fits, though the types need none", () => {
  compiles(['dom.mts'], '--module', 'nodenext', '--lib', 'es2022,dom');
});

test("the SDKs' own message types go in and come out", () => {
  // What the SDKs' declarations need of Node is not installed, and not asked about.
  compiles(['sdks.mts'], '--module', 'nodenext', '--skipLibCheck', '--lib', 'es2022,dom');
});

const types = readFileSync(join(here, '../index.d.ts'), 'utf8');
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

test('every main function has an example', () => {
  const named = examples.map(([, , name]) => name).sort();
  assert.deepEqual(named, ['compress', 'countTokens', 'createSession', 'fit', 'fitRequest', 'prune', 'restore', 'validate']);
});

test('both module systems get the same types', () => {
  compiles(['same.mts'], '--module', 'nodenext', ...plain, ...strictest);
});
