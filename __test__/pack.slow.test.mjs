// Trying the package before it is published: a package from a clone has its engine, or an error says what is missing.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { root, run } from './packed/project.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-pack-test-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const addon = readdirSync(root).find((name) => name.startsWith(`palimpsest.${process.platform}-${process.arch}`));

/** An empty project with an install that used no registry. Returns the output of a program that uses it. */
async function use(name, ...args) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  await run(npm, ['install', '--offline', '--no-audit', '--no-fund', ...args], folder);
  const program = `import { compress, uncompress } from 'palimpsest';
    const messages = [{ id: 'a', index: 0, role: 'user', content: 'We talked about the garden and the pond. '.repeat(20) }];
    const { messages: shorter, verbatim } = compress(messages, { recencyWindow: 0 });
    console.log(shorter[0].content.length < 400, uncompress(shorter, verbatim).messages[0] === messages[0]);`;
  const printed = await run(process.execPath, ['--input-type=module', '-e', program], folder);
  return { folder, printed, installed: readdirSync(join(folder, 'node_modules')).filter((entry) => !entry.startsWith('.')) };
}

test('npm run pack makes one tarball with the engine, which works in an empty folder without a registry', async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.equal(scripts.pack, 'node scripts/prepare.mjs --published && node scripts/pack.mjs');
  const tarball = (await run(process.execPath, [join(root, 'scripts/pack.mjs'), join(scratch, 'out')], scratch)).trim();
  assert.deepEqual([join(scratch, 'out', readdirSync(join(scratch, 'out'))[0])], [tarball]);
  assert.ok(tarball.endsWith(`-${addon.replace(/^palimpsest\.|\.node$/g, '')}.tgz`), tarball);
  const { folder, printed, installed } = await use('from-tarball', tarball);
  assert.equal(printed, 'true true\n');
  assert.deepEqual(installed, ['palimpsest']);
  const files = readdirSync(join(folder, 'node_modules/palimpsest'));
  for (const file of [addon, 'THIRD-PARTY-LICENSES', 'sbom.cdx.json', 'index.d.ts']) assert.ok(files.includes(file), file);
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/palimpsest/package.json'), 'utf8'));
  assert.deepEqual([manifest.os, manifest.cpu], [[process.platform], [process.arch]]);
  for (const field of ['private', 'scripts', 'dependencies', 'optionalDependencies']) assert.equal(manifest[field], undefined, field);
});

test('npm pack in a built clone takes the engine along', async () => {
  const [{ filename, files }] = JSON.parse(await run(npm, ['pack', '--json', '--pack-destination', scratch], root));
  const paths = files.map(({ path }) => path);
  for (const file of [addon, 'THIRD-PARTY-LICENSES', 'sbom.cdx.json']) assert.ok(paths.includes(file), file);
  assert.equal((await use('from-pack', join(scratch, filename))).printed, 'true true\n');
});

test('a built clone is installed with its engine, as a link and as a copy', async () => {
  assert.equal((await use('linked', root)).printed, 'true true\n');
  const { folder, printed } = await use('copied', '--install-links', root);
  assert.equal(printed, 'true true\n');
  assert.ok(readdirSync(join(folder, 'node_modules/palimpsest')).includes(addon));
});

/** A clone that was not built. */
function unbuilt(name) {
  const folder = join(scratch, name);
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', 'lib', 'scripts', '*.js', '*.mjs', '*.json', '*.toml', '*.d.ts'],
    { cwd: root, encoding: 'utf8' },
  );
  for (const file of listed.split('\0').filter(Boolean)) cpSync(join(root, file), join(folder, file));
  return folder;
}

test('npm pack in a clone that is not built is refused', () => {
  const folder = unbuilt('unpackable');
  const pack = () =>
    spawnSync(npm, ['pack', '--pack-destination', scratch], { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' });
  const refused = (what) => {
    const { status, stderr } = pack();
    assert.notEqual(status, 0);
    assert.ok(stderr.includes(`${what} not built, so a tarball would not work: run \`npm run build\` first.`), stderr);
  };
  refused('The engine and dist/ are');
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  refused('The engine is');
  rmSync(join(folder, 'dist'), { recursive: true });
  cpSync(join(root, addon), join(folder, addon));
  refused('dist/ is');
});

test('npm run pack in a clone that is not built is not refused: it builds first', () => {
  const folder = unbuilt('packable');
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  // What the script itself does is tested above; here, that npm comes to it.
  manifest.scripts.pack = 'node -p 21+21';
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  for (const run of ['run', 'run-script']) {
    const { status, stdout, stderr } = spawnSync(npm, [run, 'pack'], {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^42$/m);
  }
});

test('the error of a clone whose engine is not built says how to build it', () => {
  const folder = unbuilt('unloadable');
  // Without dist/ there is no file of the package that could say something.
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, ['-e', "require('palimpsest').compress([])"], { cwd: folder, encoding: 'utf8' });
  assert.notEqual(status, 0);
  assert.match(stderr, /ERR_PALIMPSEST_LOAD/);
  assert.match(stderr, /`npm run build`/);
  assert.ok(!stderr.includes('--omit=optional'), stderr);
});
