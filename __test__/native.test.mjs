// The error if the native engine can't be loaded: it names the machine, each cause and the remedy.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-native-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const addon = readdirSync(root).find((name) => name.startsWith(`palimpsest.${process.platform}-${process.arch}`));

/** The package without any native file, as an install that dropped the optional dependency leaves it. */
function bareInstall(name) {
  const directory = join(scratch, name);
  for (const path of ['package.json', 'lib']) cpSync(join(root, path), join(directory, path), { recursive: true });
  return directory;
}

/** Loads lib/native.js of `directory` in a process of its own. Returns the outcome. */
function load(directory, env = {}, flags = []) {
  const script = `
    try { console.log(JSON.stringify({ version: require('./lib/native.js').engineVersion() })); }
    catch (e) { console.log(JSON.stringify({ name: e.name, code: e.code, message: e.message, causes: e.cause?.errors.map((one) => one.message) })); }`;
  const clean = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('NAPI_RS_')));
  return JSON.parse(execFileSync(process.execPath, [...flags, '-e', script], { cwd: directory, env: { ...clean, ...env } }));
}

const REINSTALL = /--omit=optional[\s\S]*lockfile/;

function assertHelpful(error, remedy = REINSTALL) {
  assert.equal(error.name, 'Error');
  assert.equal(error.code, 'ERR_PALIMPSEST_LOAD');
  const facts = [
    process.platform,
    process.arch,
    process.versions.node,
    'linux-x64-musl',
    'NAPI_RS_NATIVE_LIBRARY_PATH',
    'serverExternalPackages',
  ];
  if (process.platform === 'linux') facts.push(process.report.getReport().header.glibcVersionRuntime ?? 'musl');
  for (const fact of facts) assert.ok(error.message.includes(fact), `${fact} is missing in:\n${error.message}`);
  assert.match(error.message, remedy);
  if (remedy !== REINSTALL) assert.doesNotMatch(error.message, REINSTALL);
  assert.ok(error.causes.length > 0, 'what went wrong stays reachable');
  for (const cause of error.causes) assert.ok(error.message.includes(`\n  - ${cause.split('\n')[0]}\n`), error.message);
  assert.ok(!error.message.includes('Require stack'), error.message);
}

test('a missing native file is named in both places where it was looked for', () => {
  const error = load(bareInstall('missing'));
  assertHelpful(error);
  assert.match(error.message, new RegExp(`- .*\\./${addon.replaceAll('.', '\\.')}`));
  assert.match(error.message, /- .*@palimpsest\/engine-/);
});

test('a native file that is broken is reported with the reason of the operating system', () => {
  const directory = bareInstall('broken');
  writeFileSync(join(directory, addon), 'this is no shared library');
  const error = load(directory);
  assertHelpful(error);
  assert.ok(
    error.message.split('\n').some((line) => line.startsWith('  - ') && line.includes(directory)),
    error.message,
  );
});

test('NAPI_RS_NATIVE_LIBRARY_PATH is obeyed, right or wrong', () => {
  const directory = bareInstall('elsewhere');
  copyFileSync(join(root, addon), join(scratch, 'engine.node'));
  assert.match(load(directory, { NAPI_RS_NATIVE_LIBRARY_PATH: join(scratch, 'engine.node') }).version, /^\d+\.\d+\.\d+/);
  const error = load(directory, { NAPI_RS_NATIVE_LIBRARY_PATH: join(scratch, 'nowhere.node') });
  assertHelpful(error, /NAPI_RS_NATIVE_LIBRARY_PATH is set, so nothing else was tried: unset it/);
  assert.ok(error.message.includes('nowhere.node'), error.message);
});

test('an engine of another version is refused', () => {
  const directory = bareInstall('other-version');
  writeFileSync(join(directory, 'other.cjs'), 'exports.engineVersion = () => "0.0.1-other";');
  const error = load(directory, { NAPI_RS_NATIVE_LIBRARY_PATH: join(directory, 'other.cjs') });
  assertHelpful(error, /unset it, or set it to an engine of version \d/);
  assert.match(error.message, /is version 0\.0\.1-other, not \d/);
});

test('an engine of another platform, as in a tarball that was packed there, is named', () => {
  const directory = bareInstall('other-platform');
  const other = process.platform === 'win32' ? 'palimpsest.darwin-arm64.node' : 'palimpsest.win32-arm64-msvc.node';
  writeFileSync(join(directory, other), '');
  const error = load(directory);
  assertHelpful(error, /packed for another platform: it holds palimpsest\.[\w-]+\.node\. Run `npm run pack` on this platform/);
  assert.ok(error.message.includes(other), error.message);
});

test('where Node.js may load no native file, the flag is named', () => {
  const directory = bareInstall('no-addons');
  copyFileSync(join(root, addon), join(directory, addon));
  assertHelpful(load(directory, {}, ['--no-addons']), /run Node\.js without --no-addons, or with --allow-addons beside --permission/);
});
