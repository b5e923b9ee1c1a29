// Makes one tarball that holds the package and this platform's engine, to be installed anywhere without a registry.
//   node scripts/pack.mjs [FOLDER FOR THE TARBALL]
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { platforms, root, stagePackage } from './staging.mjs';

const { glibcVersion } = createRequire(import.meta.url)('../unbundled/glibc.js');
const libc = process.platform === 'linux' ? (glibcVersion() === undefined ? ['musl'] : ['glibc']) : undefined;
const isThis = ({ os, cpu, libc: needed }) => os[0] === process.platform && cpu[0] === process.arch && String(needed) === String(libc);
const [platform, { main } = {}] = [...platforms].find(([, manifest]) => isThis(manifest)) ?? [];
if (platform === undefined) throw new Error(`no package is made for ${process.platform} ${process.arch}`);

/** The newest version of glibc that an engine asks for, by the names of versions in it. */
const newestGlibc = (engine) =>
  [...engine.matchAll(/(?<=\0)GLIBC_([\d.]+)(?=\0)/g)]
    .map(([, version]) => version)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1);

const out = resolve(process.argv[2] ?? root);
mkdirSync(out, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-pack-'));
try {
  stagePackage(scratch, platform);
  const isWindows = process.platform === 'win32';
  const options = ['pack', '--json', '--ignore-scripts', '--pack-destination', scratch, './palimpsest'];
  const packed = execFileSync(isWindows ? 'npm.cmd' : 'npm', options, { cwd: scratch, encoding: 'utf8', shell: isWindows });
  const [{ filename }] = JSON.parse(packed);
  // Its name contains the platform; the version stays that of the engine.
  const tarball = join(out, filename.replace(/\.tgz$/, `-${platform}.tgz`));
  renameSync(join(scratch, filename), tarball);
  console.log(tarball);
  const needed = newestGlibc(readFileSync(join(scratch, 'palimpsest', main), 'latin1'));
  if (needed !== undefined)
    console.error(`Its engine needs glibc ${needed} or newer: docs/install.md has how to build one that needs less.`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
