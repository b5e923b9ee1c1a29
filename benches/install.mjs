// Packages as users get them: installed in a folder outside the repository.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeJsBinding } from '@napi-rs/cli';
import { root } from './package.mjs';

/** A temporary folder, removed when this process exits. */
function scratch() {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Calls `make` once for each argument. */
function once(make) {
  const made = new Map();
  return (argument) => {
    if (!made.has(argument)) made.set(argument, make(argument));
    return made.get(argument);
  };
}

const copyLoader = (folder) => cpSync(join(root, 'benches/child/load.mjs'), join(folder, 'load.mjs'));
const platformsIn = (stage) => readdirSync(stage).filter((name) => name !== 'palimpsest');
const staged = once((source) => {
  const stage = scratch();
  execFileSync(process.execPath, [join(source, 'scripts/stage.mjs'), stage]);
  return stage;
});

/**
 * Installs the package of a source folder as it would be published. The folder that it gives has it in its node_modules, and a copy
 * of `child/load.mjs`.
 *
 * @type {(source: string) => string}
 */
export const installPackage = once((source) => {
  const folder = scratch();
  const stage = staged(source);
  cpSync(join(stage, 'palimpsest'), join(folder, 'node_modules/palimpsest'), { recursive: true });
  for (const platform of platformsIn(stage)) {
    cpSync(join(stage, platform), join(folder, 'node_modules/@palimpsest', `engine-${platform}`), { recursive: true });
  }
  copyLoader(folder);
  return folder;
});

/** The file of an addon that does nothing, just built. */
function buildEmptyAddon() {
  const args = ['build', '--quiet', '--release', '--example', 'empty_addon', '--message-format=json'];
  const output = execFileSync('cargo', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1e8 });
  const artifacts = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return artifacts.find(({ target, filenames }) => target?.name === 'empty_addon' && filenames).filenames[0];
}

/**
 * Installs `empty`, which is what napi-rs makes of an addon with nothing in it: the main file of its package is the loader that
 * `napi build` writes, and a package per platform holds the addon. `folder` holds them in its node_modules, and a copy of
 * `child/load.mjs`. `addon` is the empty addon itself, `module` an ES module that does nothing but load it.
 */
export const emptyPackage = once(async () => {
  const folder = scratch();
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const addon = join(folder, 'empty.node');
  copyFileSync(buildEmptyAddon(), addon);
  write('empty.mjs', `import { createRequire } from 'node:module';\nexport default createRequire(import.meta.url)('./empty.node');\n`);
  write('node_modules/empty/package.json', '{ "name": "empty", "version": "0.1.0", "main": "index.js" }');
  await writeJsBinding({
    platform: true,
    binaryName: 'empty',
    packageName: '@empty/engine',
    idents: ['nothing'],
    version: '0.1.0',
    outputDir: join(folder, 'node_modules/empty'),
  });
  for (const platform of platformsIn(staged(root))) {
    const engine = `node_modules/@empty/engine-${platform}`;
    write(`${engine}/package.json`, `{ "name": "@empty/engine-${platform}", "version": "0.1.0", "main": "empty.node" }`);
    copyFileSync(addon, join(folder, engine, 'empty.node'));
  }
  copyLoader(folder);
  return { folder, addon, module: join(folder, 'empty.mjs') };
});
