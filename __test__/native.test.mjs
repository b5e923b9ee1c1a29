// The error if the native engine can't be loaded: it names the machine, each cause and the remedy.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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
  for (const path of ['package.json', 'unbundled']) cpSync(join(root, path), join(directory, path), { recursive: true });
  return directory;
}

/** Loads unbundled/native.js of `directory` in a process of its own. Returns the outcome. */
function load(directory, env = {}, flags = []) {
  const script = `
    try { console.log(JSON.stringify({ version: require('./unbundled/native.js').default.engineVersion() })); }
    catch (e) { console.log(JSON.stringify({ name: e.name, code: e.code, message: e.message, causes: e.cause?.errors.map((one) => one.message) })); }`;
  const environment = { ...withoutSettings(), ...env };
  return JSON.parse(execFileSync(process.execPath, [...flags, '-e', script], { cwd: directory, env: environment }));
}
const withoutSettings = () => Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('NAPI_RS_')));

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
  assert.match(error.message, new RegExp(`- .*/${addon.replaceAll('.', '\\.')}`));
  assert.match(error.message, /- .*@palimpsest\/engine-/);
});

/** Puts bytes of the engine in the place of others of the same length. */
const replaced = (from, to) => (bytes) => Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');
const ANOTHER_PROCESSOR = new RegExp(`- The engine is for another processor, and Node\\.js runs as ${process.arch} here\\.`);
const DAMAGED = /- The engine is damaged, or for another system\./;
const ANOTHER_LIBC = /- The engine is for another C library: it wants libc\.musl/;
const NOT_RUN = /- Code may not be run from this folder, perhaps because it is mounted with noexec\./;
const IS_THERE = /- The engine is there, and the system can't load it\./;

/** Engines that the system can't load, made of the one that it can, and the first remedy. Not one that is cut off: such a process dies. */
const UNLOADABLE = {
  'made on a newer Linux': [replaced(/GLIBC_2\.\d\d(?=\0)/g, 'GLIBC_2.99'), /- This engine needs glibc 2\.99, and there is glibc 2\.\d+/],
  'for ARM': [(bytes) => Buffer.from(bytes).fill(process.arch === 'arm64' ? 62 : 183, 18, 19), ANOTHER_PROCESSOR],
  'of 32 bits': [(bytes) => Buffer.from(bytes).fill(1, 4, 5), ANOTHER_PROCESSOR],
  'for musl': [replaced('libc.so.6\0', 'libc.musl\0'), ANOTHER_LIBC],
  'with nothing in it': [() => Buffer.alloc(0), DAMAGED],
  'a text': [() => Buffer.from('version https://git-lfs.github.com/spec/v1\n'.repeat(9)), DAMAGED],
  'for Windows': [(bytes) => Buffer.concat([Buffer.from('MZ'), bytes]), DAMAGED],
};
const isGlibc = process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime !== undefined;
for (const [name, [made, remedy]] of Object.entries(UNLOADABLE)) {
  test(`an engine that is there and can't be loaded has a remedy of its own: ${name}`, { skip: !isGlibc && 'not on glibc' }, () => {
    const directory = bareInstall(`unloadable-${name.replaceAll(' ', '-')}`);
    writeFileSync(join(directory, addon), made(readFileSync(join(root, addon))));
    const error = load(directory);
    assertHelpful(error, remedy);
    assert.match(error.message, new RegExp(`What to do:\\n {2}${remedy.source}`));
    assert.ok(error.causes[0].includes(directory) || error.causes[0].startsWith('libc.musl'), error.causes[0]);
  });
}

/** What other systems say. */
const RECORDED = [
  ['/srv/palimpsest.node: failed to map segment from shared object', NOT_RUN],
  ['/srv/palimpsest.node: failed to map segment from shared object: Operation not permitted', NOT_RUN],
  ['/srv/palimpsest.node: cannot open shared object file: Permission denied', NOT_RUN],
  ['Error loading shared library libc.musl-x86_64.so.1: No such file or directory (needed by /srv/palimpsest.node)', ANOTHER_LIBC],
  ['libc.musl-x86_64.so.1: cannot open shared object file: No such file or directory', ANOTHER_LIBC],
  ["dlopen(/srv/a.node, 0x1): tried: '/srv/a.node' (mach-o file, but is an incompatible architecture)", ANOTHER_PROCESSOR],
  ["dlopen(/srv/a.node, 0x1): tried: '/srv/a.node' (not a mach-o file)", DAMAGED],
  ['\\\\?\\C:\\srv\\palimpsest.node is not a valid Win32 application.', DAMAGED],
  ['/srv/palimpsest.node: cannot allocate memory in static TLS block', IS_THERE],
];
test('what other systems say of an engine that they cannot load', () => {
  const { loadError } = createRequire(join(bareInstall('recorded'), 'index.js'))('./unbundled/load-error.js');
  for (const [said, remedy] of RECORDED) {
    const { message } = loadError('1.2.3', [Object.assign(new Error(said), { code: 'ERR_DLOPEN_FAILED' })]);
    assert.match(message, new RegExp(`What to do:\\n {2}${remedy.source}`), said);
    assert.doesNotMatch(message, REINSTALL);
  }
});

test('the engine in WebAssembly takes its place with a warning that says why', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const [name, engine, why] of [
    ['broken', 'this is no shared library', /slower: .*palimpsest\.[\w-]+\.node: \S.*$/],
    ['absent', undefined, /slower: There is neither \S+\.node nor the package @palimpsest\/engine-[\w-]+$/],
  ]) {
    const directory = bareInstall(join(`${name}-wasm`, 'node_modules/palimpsest'));
    if (engine !== undefined) writeFileSync(join(directory, addon), engine);
    const wasm = join(directory, '../@palimpsest/engine-wasm32-wasi');
    mkdirSync(wasm, { recursive: true });
    writeFileSync(join(wasm, 'index.js'), `exports.engineVersion = () => ${JSON.stringify(version)};`);
    const script = `
      process.on('warning', ({ code, message }) => console.log(JSON.stringify({ code, message })));
      require('./unbundled/native.js');`;
    const warning = JSON.parse(execFileSync(process.execPath, ['-e', script], { cwd: directory, env: withoutSettings() }));
    assert.equal(warning.code, 'PALIMPSEST_WASM');
    assert.match(warning.message, new RegExp(`could not load a native engine for ${process.platform} ${process.arch}, and`));
    assert.match(warning.message, why);
  }
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
