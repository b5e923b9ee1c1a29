// The published packages: one version everywhere, a package per platform, licences in each, and nothing that runs on install.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { versionProblems } from '../scripts/release-check.mjs';
import { WASM } from '../scripts/staging.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const read = (...path) => readFileSync(join(root, ...path), 'utf8');
const manifest = JSON.parse(read('package.json'));

const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-packages-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** The manifests that the release would publish if every platform had been built; the engines are empty files. */
let staged;
let platforms;
before(() => {
  for (const name of readdirSync(join(root, 'npm'))) {
    const { files } = JSON.parse(read('npm', name, 'package.json'));
    for (const file of files.filter((one) => /\.(node|cjs|wasm|bin)$/.test(one))) writeFileSync(join(scratch, file), '');
  }
  execFileSync(process.execPath, [join(root, 'scripts/stage.mjs'), join(scratch, 'out'), scratch, '--all']);
  const names = readdirSync(join(scratch, 'out'));
  staged = new Map(names.map((name) => [name, JSON.parse(readFileSync(join(scratch, 'out', name, 'package.json'), 'utf8'))]));
  platforms = [...staged].filter(([name]) => name !== 'palimpsest' && name !== WASM);
});

/** The error of a loader that finds nothing on a platform. It names the packages that were looked for. */
function wanted(os, cpu) {
  const folder = join(scratch, `on-${os}-${cpu}`);
  cpSync(join(root, 'unbundled'), join(folder, 'unbundled'), { recursive: true });
  const script = `
    Object.defineProperties(process, { platform: { value: '${os}' }, arch: { value: '${cpu}' } });
    try { require('./unbundled/native.js'); } catch (error) { console.log(error.message); }`;
  return execFileSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8' });
}

test('there is a package for each target, and the loader looks for exactly these names', () => {
  const expected = {
    'x86_64-unknown-linux-gnu': 'linux-x64-gnu',
    'aarch64-unknown-linux-gnu': 'linux-arm64-gnu',
    'x86_64-unknown-linux-musl': 'linux-x64-musl',
    'aarch64-unknown-linux-musl': 'linux-arm64-musl',
    'x86_64-apple-darwin': 'darwin-x64',
    'aarch64-apple-darwin': 'darwin-arm64',
    'x86_64-pc-windows-msvc': 'win32-x64-msvc',
    'aarch64-pc-windows-msvc': 'win32-arm64-msvc',
  };
  assert.deepEqual(manifest.napi.targets.toSorted(), Object.keys(expected).sort());
  assert.deepEqual(platforms.map(([name]) => name).sort(), Object.values(expected).sort());
  for (const [name, platform] of platforms) {
    assert.equal(platform.name, `${manifest.napi.packageName}-${name}`);
    assert.ok(read('lib/load-error.ts').includes(`'${name}'`), `lib/load-error.ts does not name ${name}`);
    const [os, cpu, abi] = name.split('-');
    const libc = { gnu: ['glibc'], musl: ['musl'] }[abi];
    assert.deepEqual([platform.os, platform.cpu, platform.libc], [[os], [cpu], libc]);
    const isHere =
      os !== 'linux' || process.platform !== 'linux' || !!process.report.getReport().header.glibcVersionRuntime === (abi === 'gnu');
    if (isHere) assert.ok(wanted(os, cpu).includes(` ${platform.name}\n`), wanted(os, cpu));
    assert.equal(platform.main, `palimpsest.${name}.node`);
  }
});

test('the engine in WebAssembly has a package for every platform, which nothing installs by itself', () => {
  const { name, version, main, os, cpu } = staged.get(WASM);
  assert.equal(name, `${manifest.napi.packageName}-${WASM}`);
  assert.deepEqual([os, cpu], [undefined, undefined]);
  assert.ok(wanted('sunos', 'x64').includes(` ${name}\n`));
  assert.ok(existsSync(join(scratch, 'out', WASM, main)));
  assert.equal(version, manifest.version);
});

test('the edge entry is in the package of its engine, with the types of the functions, and in no other', () => {
  const files = readdirSync(join(scratch, 'out'), { recursive: true }).map((path) => path.replaceAll('\\', '/'));
  assert.deepEqual(files.filter((path) => path.includes('/edge.')).sort(), [`${WASM}/edge.d.mts`, `${WASM}/edge.mjs`]);
  const types = (...path) => readFileSync(join(scratch, 'out', ...path), 'utf8');
  assert.ok(types(WASM, 'edge.d.mts').endsWith(types('palimpsest', 'index.d.ts')));
});

test('types and errors give the address of a page, because no package has the pages', () => {
  const page = /(?<address>https:\S*\/)?\bdocs\/[\w/-]+\.md/g;
  const named = [];
  for (const name of readdirSync(join(scratch, 'out'), { recursive: true })) {
    if (!/\.(?:[cm]?js|d\.[cm]?ts)$/.test(name)) continue;
    // Comments in code are for those who read the sources.
    const text = readFileSync(join(scratch, 'out', name), 'utf8');
    const shown = /\.d\.[cm]?ts$/.test(name) ? text : text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
    for (const { 0: found, groups } of shown.matchAll(page)) named.push([name, found, groups.address !== undefined]);
  }
  assert.ok(named.length > 0, 'no page is named');
  assert.deepEqual(
    named.filter(([, , hasAddress]) => !hasAddress),
    [],
  );
});

test('the version is the same everywhere', () => {
  assert.deepEqual(versionProblems(read), []);
  const { version } = manifest;
  for (const [name, platform] of platforms) assert.equal(platform.version, version, name);
  const published = staged.get('palimpsest');
  assert.equal(published.version, version);
  assert.deepEqual(published.optionalDependencies, Object.fromEntries(platforms.map(([, { name }]) => [name, version])));
});

test('installing runs no script and installs nothing else', () => {
  for (const [name, published] of staged) {
    assert.equal(published.scripts, undefined, name);
    assert.equal(published.dependencies, undefined, name);
    assert.equal(published.devDependencies, undefined, name);
  }
  // `npm ci` in a clone and an install from git run these too: building stays a command that a person gives.
  const automatic = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
  assert.deepEqual(
    automatic.filter((name) => name in manifest.scripts),
    [],
  );
});

test('the work tree cannot be published by mistake', () => {
  assert.equal(manifest.private, true);
  assert.equal(staged.get('palimpsest').private, undefined);
});

test('every package contains its licences, engines and origin', () => {
  for (const [name, published] of staged) {
    assert.equal(published.license, 'MIT OR Apache-2.0', name);
    assert.deepEqual(published.engines, { node: '>=20' }, name);
    assert.equal(published.repository.url, manifest.repository.url, name);
    const licences = ['LICENSE-MIT', 'LICENSE-APACHE', ...(name === 'palimpsest' ? [] : ['THIRD-PARTY-LICENSES', 'sbom.cdx.json'])];
    for (const file of [...licences, 'README.md']) assert.ok(existsSync(join(scratch, 'out', name, file)), `${name}/${file}`);
  }
});

test('THIRD-PARTY-LICENSES covers what is compiled in', (t) => {
  if (spawnSync('cargo', ['--version']).error) return t.skip('needs cargo');
  execFileSync(process.execPath, [join(root, 'scripts/licenses.mjs'), '--check'], { stdio: 'inherit' });
});

test('no lockfile names the place a package was fetched from', () => {
  for (const file of ['package-lock.json', '__test__/packed/package-lock.json']) assert.ok(!/"resolved": "http/.test(read(file)), file);
});
