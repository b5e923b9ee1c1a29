// The check before a release: it accepts what would be published from this tree, and names each fault.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { dryRun, inOrder } from '../scripts/publish.mjs';
import { LIMITS, changelogProblems, packageProblems, versionProblems } from '../scripts/release-check.mjs';
import { isQuick } from '../scripts/engine.mjs';
import { platforms, PROGRAMS, root } from '../scripts/staging.mjs';

/** Whether what would be published can't be judged here. */
const skip = isQuick() && 'the engine is not as it is published: `npm run test:all` builds it';
const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-release-test-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
const read = (file) => readFileSync(join(root, file), 'utf8');
const { version } = JSON.parse(read('package.json'));

/** The staged packages, with npm's account of each. */
let staged;
before(() => {
  execFileSync(process.execPath, [join(root, 'scripts/stage.mjs'), scratch, '--programs']);
  staged = inOrder(scratch).map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
    account: dryRun(folder),
  }));
});

test('engines are published before the package that asks for them, and programs last', () => {
  const names = staged.map(({ manifest }) => manifest.name);
  const last = ['palimpsest', '@palimpsest/cli', '@palimpsest/mcp', '@palimpsest/opencode', '@palimpsest/pi'];
  assert.deepEqual(names.slice(-last.length), last);
  const first = names.slice(0, -last.length);
  assert.ok(first.length >= 1 && first.every((name) => name.startsWith('@palimpsest/engine-')), names.join());
});

test('what would be published from this tree has no problem', { skip }, () => {
  for (const { manifest, account } of staged) assert.deepEqual(packageProblems(manifest, account, version), []);
  assert.deepEqual(versionProblems(read), []);
  assert.deepEqual(changelogProblems(read('CHANGELOG.md').replace('- Unreleased', '- 2026-12-31'), version), []);
});

test('an install takes 8.5 MB at most, and docs/install.md says how much', { skip }, () => {
  assert.ok(LIMITS.engine[1] + LIMITS.palimpsest[1] <= 8.5e6, 'on any platform');
  // The package and the engine of this platform: the programs and the engine in WebAssembly are installed apart.
  const isApart = ({ manifest: { name } }) => PROGRAMS.some((one) => name === `@palimpsest/${one}`) || name.includes('wasm32');
  const unpacked = staged.filter((one) => !isApart(one)).map(({ account }) => account.unpackedSize);
  const install = unpacked.reduce((total, size) => total + size, 0);
  assert.ok(install <= 8.5e6, `${install} bytes`);
  const [, told] = read('docs/install.md').match(/^An install takes ([\d.]+) MB:/m);
  assert.ok(Math.abs(told * 1e6 - install) < 0.05 * install, `${install} bytes`);
});

test('the check finds nothing in the way of a release but its date', { skip }, () => {
  const { stdout } = spawnSync(process.execPath, [join(root, 'scripts/release-check.mjs')], { encoding: 'utf8' });
  const [, problems] = stdout.split('\nIn the way:\n');
  if (problems === undefined) assert.match(stdout, /^Nothing is in the way\.$/m);
  else assert.equal(problems.trim(), `CHANGELOG.md: the section of ${version} has no date, but "Unreleased"`);
});

test('npm would publish every package, those of other platforms included', () => {
  const engines = join(scratch, 'engines');
  const out = join(scratch, 'every');
  mkdirSync(engines);
  // Those of other platforms are built elsewhere: an empty file stands for each.
  for (const { files } of platforms.values())
    for (const file of files.filter((name) => /\.(?:node|cjs|wasm|bin)$/.test(name))) writeFileSync(join(engines, file), '');
  execFileSync(process.execPath, [join(root, 'scripts/stage.mjs'), out, engines, '--all', '--programs']);
  const folders = inOrder(out);
  assert.equal(folders.length, platforms.size + 1 + PROGRAMS.length);
  for (const folder of folders) {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    assert.deepEqual(packageProblems(manifest, dryRun(folder), version), []);
  }
});

test('a fault of a package is named', () => {
  const { manifest, account } = staged.find((one) => one.manifest.name === 'palimpsest');
  const problems = (changes, changed = {}) => packageProblems({ ...manifest, ...changes }, { ...account, ...changed }, version).join('\n');
  assert.equal(problems({ version: '9.9.9' }), `palimpsest: version 9.9.9 instead of ${version}`);
  assert.equal(problems({ license: undefined }), 'palimpsest: no "license"');
  assert.equal(problems({ scripts: { postinstall: 'x' } }), 'palimpsest: "scripts" is not for users');
  assert.equal(problems({ dependencies: { x: '1' } }), 'palimpsest: has dependencies');
  assert.equal(problems({ main: './gone.js' }), 'palimpsest: gone.js is missing');
  assert.equal(
    problems({ exports: { '.': { import: { default: './dist/index.mjs' } } } }),
    'palimpsest: "exports" names no types for . (import)',
  );
  assert.equal(problems({}, { unpackedSize: 9e6 }), 'palimpsest: 9000000 bytes unpacked, more than 1490000');
  assert.equal(problems({}, { size: 9e6 }), 'palimpsest: 9000000 bytes packed, more than 396000');
  const withoutReadme = account.files.filter(({ path }) => path !== 'README.md');
  assert.equal(problems({}, { files: withoutReadme }), 'palimpsest: README.md is missing');
});

test('an engine without licences or bill of materials is named', () => {
  const { manifest, account } = staged[0];
  const files = account.files.filter(({ path }) => !['THIRD-PARTY-LICENSES', 'sbom.cdx.json', manifest.main].includes(path));
  const missing = ['THIRD-PARTY-LICENSES', 'sbom.cdx.json', manifest.main].map((file) => `${manifest.name}: ${file} is missing`);
  assert.deepEqual(packageProblems(manifest, { ...account, files }, version), missing);
});

test('every place that names another version is found', () => {
  const other = '7.8.9';
  const places = [
    'Cargo.toml',
    'lib/native.ts',
    'packages/cli/package.json',
    'packages/mcp/package.json',
    'packages/opencode/package.json',
    'packages/pi/package.json',
    'sbom.cdx.json',
    'npm/linux-x64-gnu/package.json',
  ];
  for (const place of places) {
    const changed = (file) => (file === place ? read(file).replace(version, other) : read(file));
    assert.deepEqual(versionProblems(changed), [`${place}: version ${other} instead of ${version}`]);
  }
});

test('a changelog that does not describe the release is refused', () => {
  assert.deepEqual(changelogProblems('## [0.2.0] - Unreleased\n', '0.2.0'), [
    'CHANGELOG.md: the section of 0.2.0 has no date, but "Unreleased"',
  ]);
  assert.deepEqual(changelogProblems('## [0.1.0] - 2026-01-01\n', '0.2.0'), [
    'CHANGELOG.md: the newest section is that of 0.1.0, not of 0.2.0',
  ]);
  assert.deepEqual(changelogProblems('## [0.2.0] - 2026-01-01\n### News\n', '0.2.0'), [
    'CHANGELOG.md: Keep a Changelog knows no section "News"',
  ]);
});

test('the bill of materials lists the crates of cargo, with the checksums of the lockfile', (t) => {
  if (spawnSync('cargo', ['--version']).error) return t.skip('needs cargo');
  execFileSync(process.execPath, [join(root, 'scripts/sbom.mjs'), '--check'], { stdio: 'inherit' });
  const { components } = JSON.parse(read('sbom.cdx.json'));
  const listed = new Map(components.map(({ name, version, hashes }) => [`${name} ${version}`, hashes?.[0].content]));
  for (const name of ['napi', 'regex', 'serde', 'serde_json', 'tokio']) {
    const [, found, checksum] = read('Cargo.lock').match(new RegExp(`name = "${name}"\\nversion = "(.+)"\\n.+\\nchecksum = "(.+)"`));
    assert.equal(listed.get(`${name} ${found}`), checksum, name);
  }
  for (const name of ['proptest', 'napi-derive', 'napi-build'])
    assert.ok(![...listed.keys()].some((one) => one.startsWith(`${name} `)), name);
});

test('the lockfile of the fuzz targets knows what the engine depends on', () => {
  const lock = read('fuzz/Cargo.lock');
  for (const crate of ['agent', 'checks', 'drop-in', 'history', 'text', 'tokens']) {
    const sections = read(`crates/${crate}/Cargo.toml`)
      .split(/^\[/m)
      .filter((section) => /^(?:.*\.)?(?:build-)?dependencies\]/.test(section));
    const lines = sections.flatMap((section) => section.split('\n').slice(1));
    const needed = lines.filter((line) => line.includes(' = ') && !line.startsWith('#'));
    const [, list] = lock.match(new RegExp(`name = "palimpsest-${crate}"\nversion = ".+"\ndependencies = \\[\n([^\\]]+)\\]`));
    const locked = [...list.matchAll(/"(\S+)"/g)].map(([, name]) => name);
    assert.deepEqual(locked, [...new Set(needed.map((line) => line.match(/^[^ .]+/)[0]))].sort(), crate);
  }
});

test('the workflow publishes by the same commands', () => {
  const workflow = read('.github/workflows/ci.yml');
  const commands = [...workflow.slice(workflow.indexOf('\n  publish:')).matchAll(/node (scripts\/\S+\.mjs.*)$/gm)].map(
    ([, command]) => command,
  );
  assert.deepEqual(commands, [
    'scripts/build.mjs',
    'scripts/stage.mjs staged artifacts --all --programs',
    'scripts/release-check.mjs staged',
    'scripts/publish.mjs staged',
  ]);
  assert.deepEqual(
    readdirSync(join(root, '.github/workflows')).filter((file) => read(`.github/workflows/${file}`).includes('npm publish')),
    [],
  );
});
