// What is published exports what the sources do, by either module system, from the packed tarball.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-bundles-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const { exports, peerDependenciesMeta: peers } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const subpaths = Object.keys(exports).filter((path) => exports[path].require);

/** The package in a folder of its own, with an engine and without its peers. */
const folder = join(scratch, 'node_modules/palimpsest');
before(() => {
  execFileSync(process.execPath, [join(root, 'scripts/stage.mjs'), join(scratch, 'stage')]);
  const options = ['pack', '--json', '--ignore-scripts', '--pack-destination', scratch, './palimpsest'];
  const isWindows = process.platform === 'win32';
  const packed = execFileSync(isWindows ? 'npm.cmd' : 'npm', options, { cwd: join(scratch, 'stage'), encoding: 'utf8', shell: isWindows });
  const [{ filename }] = JSON.parse(packed);
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', filename, '--strip-components', '1', '-C', folder.replaceAll('\\', '/')], { cwd: scratch });
  for (const name of readdirSync(root).filter((file) => file.endsWith('.node'))) cpSync(join(root, name), join(folder, name));
  for (const peer of Object.keys(peers))
    cpSync(join(root, 'node_modules', peer, 'package.json'), join(scratch, 'node_modules', peer, 'package.json'));
});

for (const path of subpaths) {
  test(`${path} exports the same by either module system, and all that its source does`, () => {
    const name = `palimpsest${path.slice(1)}`;
    const script = `
      import { createRequire } from 'node:module';
      import * as imported from '${name}';
      const required = createRequire(import.meta.url)('${name}');
      const isSame = Object.keys(required).every((key) => imported[key] === required[key]);
      console.log(JSON.stringify({ isSame, names: Object.keys(required).sort() }));`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: scratch, encoding: 'utf8' });
    const source = exports[path].require.types.replace(/^\.\/(?:dist\/)?/, '').replace(/\.d\.ts$/, '.js');
    assert.deepEqual(JSON.parse(printed), { isSame: true, names: Object.keys(require(`../unbundled/${source}`)).sort() });
  });
}
