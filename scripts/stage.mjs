// Writes the packages to publish: OUT/palimpsest and, for each native file found, OUT/<platform>.
//   node scripts/stage.mjs OUT [FOLDER WITH .node FILES] [--all]
// The manifest in the work tree cannot be published as it is. It names no platform packages, because `npm ci` refuses a lockfile
// with packages that the registry does not have yet, in a fresh clone or after a version bump. `--all` requires every platform.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const arguments_ = process.argv.slice(2).filter((argument) => argument !== '--all');
const [out, artifacts = root] = arguments_.map((path) => resolve(path));
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

const platforms = readdirSync(join(root, 'npm')).map((name) => ({ name, manifest: readJson(join(root, 'npm', name, 'package.json')) }));

/** Written by the bundler. */
const BUNDLED = ['index.js', 'index.js.map', 'lib'];

function stage(name, manifest, sources) {
  const target = join(out, name);
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const file of ['README.md', ...manifest.files]) {
    if (BUNDLED.includes(file)) continue;
    const source = sources.map((folder) => join(folder, file)).find(existsSync);
    if (!source) throw new Error(`${file}, which ${manifest.name} lists in "files", does not exist`);
    cpSync(source, join(target, file), { recursive: true });
  }
}

for (const { name, manifest } of platforms) {
  if (existsSync(join(artifacts, manifest.main))) stage(name, manifest, [join(root, 'npm', name), artifacts, root]);
  else if (process.argv.includes('--all')) throw new Error(`${manifest.main} is not in ${artifacts}`);
}

const { private: _, scripts, devDependencies, overrides, napi, ...manifest } = readJson(join(root, 'package.json'));
manifest.optionalDependencies = Object.fromEntries(platforms.map(({ manifest: { name, version } }) => [name, version]));
stage('palimpsest', manifest, [root]);
await bundle(join(out, 'palimpsest'));
