// What is published gives what the sources give, or it is not built: the bundler reads `require` and `module.exports` as text.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { chunkOf, codes } from '../scripts/chunks.mjs';
import { checkRequires, exportsOf, isAsked } from '../scripts/links.mjs';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-bundles-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
before(() => execFileSync(process.execPath, [join(root, 'scripts/stage.mjs'), scratch]));

const check = (folder) => spawnSync(process.execPath, [join(root, 'scripts/check-bundles.mjs'), folder], { encoding: 'utf8' });
/** What is said about a copy of the package whose bundle has this line more. */
function checkWith(bundle, line) {
  const copy = join(scratch, 'copy');
  cpSync(join(scratch, 'palimpsest'), copy, { recursive: true });
  const path = join(copy, 'lib', `${bundle}.js`);
  writeFileSync(path, `${readFileSync(path, 'utf8')}\n${line}\n`);
  return check(copy);
}

test('each file of lib/ that bundles give has its exports, and nothing else', () => {
  const { status, stderr } = check(join(scratch, 'palimpsest'));
  assert.equal(stderr, '');
  assert.equal(status, 0);
});

/** The exports of all files that something asks a bundle for. */
const exported = [...codes.keys()]
  .filter((file) => isAsked(file) && !['native', 'copied'].includes(chunkOf(file)))
  .flatMap((file) => Object.keys(require(join(root, 'lib', file))).map((key) => ({ file, key })));

test('an export that its bundle lacks, or has as something else, is named', () => {
  assert.ok(exported.some(({ file, key }) => file === 'session/index.js' && key === 'offerRecall'));
  const wrong = fc.constantFrom('undefined', 'null', 'Symbol()');
  fc.assert(
    fc.property(fc.constantFrom(...exported), fc.option(wrong), ({ file, key }, value) => {
      const change = value === null ? `delete changed['${key}'];` : `changed['${key}'] = ${value};`;
      const line = `{ const changed = { ...module.exports['${file}']() }; ${change} module.exports['${file}'] = () => changed; }`;
      const { status, stderr } = checkWith(chunkOf(file), line);
      assert.equal(status, 1);
      // Another bundle that uses it while it is read ends with an error of its own.
      // A file that passes it on is named, too.
      const isNamed = stderr.split('\n').some((said) => said.startsWith(`lib/${file} exports ${key}: `));
      assert.ok(isNamed || /^TypeError: /m.test(stderr), stderr);
    }),
    { numRuns: 5 },
  );
});

test('the export that a regular expression once lost is named', () => {
  const line =
    "{ const { offerRecall, ...rest } = module.exports['session/index.js'](); module.exports['session/index.js'] = () => rest; }";
  const { status, stderr } = checkWith('session', line);
  assert.equal(status, 1);
  assert.equal(stderr, 'lib/session/index.js exports offerRecall: function, in its bundle nothing\n');
});

test('a file that a bundle requires and the package does not have is named', () => {
  const { status, stderr } = checkWith('fit', '() => require("./lost/index.js");');
  assert.equal(status, 1);
  assert.equal(stderr, 'lib/fit.js requires ./lost/index.js, which is not there\n');
});

/** The bundler's account of a file with this text. */
function reading(text, read) {
  codes.set('written.js', text);
  try {
    return read('written.js');
  } finally {
    codes.delete('written.js');
  }
}

test('what the bundler reads of exports is all that is exported, or it fails', () => {
  // What a file exports as it runs, against what its text was read as.
  const member = fc.constantFrom(
    'a',
    'b: a',
    'c: f(1, 2)',
    "'d': a",
    'e: () => a',
    'g: f((1))',
    'h() {}',
    '...{ i: 1 }',
    'j: [a, a]',
    'k: a.b',
    'l: 1',
  );
  const between = fc.constantFrom(', ', ',\n  ');
  let readable = 0;
  fc.assert(
    fc.property(fc.uniqueArray(member, { maxLength: 5 }), between, fc.boolean(), (members, comma, isSpread) => {
      const body = isSpread ? `\n  ${members.join(comma)},\n` : ` ${members.join(comma)} `;
      const text = `const a = { b: 1 };\nconst f = () => a;\nmodule.exports = {${members.length > 0 ? body : ''}};`;
      const module = { exports: {} };
      new Function('module', text)(module);
      let read;
      try {
        read = reading(text, exportsOf);
      } catch (error) {
        assert.match(error.message, /^lib\/written\.js: the bundler can't read /);
        return;
      }
      assert.deepEqual(read.members.map(([key]) => key).sort(), Object.keys(module.exports).sort());
      readable++;
    }),
  );
  assert.ok(readable > 0);
  assert.throws(() => reading('exports.a = 1;', exportsOf), /^Error: lib\/written\.js: the bundler can't read what this exports$/);
});

test('a require that the bundler cannot read is an error, however it is written', () => {
  const unreadable = [
    'require("./a.js")',
    'require(`./a.js`)',
    "require(\n  './a.js',\n)",
    "require('./' + name)",
    'require(path)',
    "require( './a.js')",
  ];
  for (const written of unreadable) {
    const says = /^Error: lib\/written\.js: the bundler can't read `require\(/;
    assert.throws(() => reading(`const { a } = ${written};`, checkRequires), says, written);
  }
  for (const written of ["require('./a.js')", "require('node:fs')", 'required(path)']) reading(`const { a } = ${written};`, checkRequires);
});
