// The package and an empty one of the same kind, installed side by side in a folder outside the repository.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeJsBinding } from '@napi-rs/cli';

const root = fileURLToPath(new URL('..', import.meta.url));

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
 * Installs `palimpsest`, as it would be published, and `empty`, which is what napi-rs makes of an addon with nothing in
 * it: the main file of its package is the loader that `napi build` writes, and a package per platform holds the addon.
 * `folder` holds them in its node_modules, and a copy of `child/load.mjs`. `addon` is the empty addon itself, `module` an
 * ES module that does nothing but load it.
 */
export async function installedPackages() {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-'));
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  execFileSync(process.execPath, [join(root, 'scripts/stage.mjs'), join(folder, 'stage')]);
  const addon = join(folder, 'empty.node');
  copyFileSync(buildEmptyAddon(), addon);
  write('empty.mjs', `import { createRequire } from 'node:module';\nexport default createRequire(import.meta.url)('./empty.node');\n`);
  cpSync(join(root, 'benches/child/load.mjs'), join(folder, 'load.mjs'));

  cpSync(join(folder, 'stage/palimpsest'), join(folder, 'node_modules/palimpsest'), { recursive: true });
  write('node_modules/empty/package.json', '{ "name": "empty", "version": "0.1.0", "main": "index.js" }');
  await writeJsBinding({
    platform: true,
    binaryName: 'empty',
    packageName: '@empty/engine',
    idents: ['nothing'],
    version: '0.1.0',
    outputDir: join(folder, 'node_modules/empty'),
  });
  for (const platform of readdirSync(join(folder, 'stage')).filter((name) => name !== 'palimpsest')) {
    cpSync(join(folder, 'stage', platform), join(folder, 'node_modules/@palimpsest', `engine-${platform}`), { recursive: true });
    const engine = `node_modules/@empty/engine-${platform}`;
    write(`${engine}/package.json`, `{ "name": "@empty/engine-${platform}", "version": "0.1.0", "main": "empty.node" }`);
    copyFileSync(addon, join(folder, engine, 'empty.node'));
  }
  return { folder, addon, module: join(folder, 'empty.mjs'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
