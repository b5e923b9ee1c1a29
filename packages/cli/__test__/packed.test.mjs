// The packed command line, installed in an empty folder with the packed library.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { root, run } from '../../../__test__/packed/project.mjs';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-cli-packed-')));
after(() => rmSync(scratch, { recursive: true, force: true }));
const windows = process.platform === 'win32';
const npm = windows ? 'npm.cmd' : 'npm';
const npx = (folder, ...args) => run(windows ? 'npx.cmd' : 'npx', ['--no', ...args], folder);

test('npx palimpsest does the main things in one command, from the tarballs alone', async () => {
  const library = (await run(process.execPath, [join(root, 'scripts/pack.mjs'), join(scratch, 'library')], scratch)).trim();
  await run(process.execPath, [join(root, 'scripts/stage.mjs'), join(scratch, 'staged'), '--cli'], scratch);
  const options = ['pack', '--json', '--ignore-scripts', '--pack-destination', scratch, './cli'];
  const [{ filename, files }] = JSON.parse(await run(npm, options, join(scratch, 'staged')));
  const paths = files.map(({ path }) => path);
  for (const path of ['README.md', 'LICENSE-MIT', 'LICENSE-APACHE', 'bin/palimpsest.mjs', 'src/main.mjs'])
    assert.ok(paths.includes(path), path);
  assert.deepEqual(
    paths.filter((path) => !/^(?:bin|src)\/|^(?:README\.md|LICENSE-(?:MIT|APACHE)|package\.json)$/.test(path)),
    [],
  );

  const folder = join(scratch, 'user');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run(npm, ['install', ...flags, library, join(scratch, filename)], folder);
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/@palimpsest/cli/package.json'), 'utf8'));
  assert.equal(manifest.dependencies.palimpsest, manifest.version);
  assert.deepEqual([manifest.private, manifest.scripts], [undefined, undefined]);
  const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
  assert.deepEqual(installed.sort(), ['@palimpsest', '@pydantic', 'palimpsest', 'uplot']);

  const messages = Array.from({ length: 20 }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: `${index}: ${'We talked about the garden and the pond. '.repeat(30)}`,
  }));
  writeFileSync(join(folder, 'chat.json'), JSON.stringify(messages));
  await npx(folder, 'palimpsest', 'fit', 'chat.json', '--budget', '1k', '-o', 'small.json');
  assert.ok(readFileSync(join(folder, 'small.json'), 'utf8').length < JSON.stringify(messages).length / 2);
  assert.deepEqual(JSON.parse(await npx(folder, 'palimpsest', 'restore', 'small.json')), messages);
  assert.equal((await npx(folder, 'palimpsest', 'report', 'chat.json')).trim(), 'palimpsest-report.html');
  assert.match(readFileSync(join(folder, 'palimpsest-report.html'), 'utf8'), /^<!doctype html>/i);
});
