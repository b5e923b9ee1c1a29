// Fails if a bundle gives something else than the files of lib/ that are in it: it compares what both export, once loaded.
//   node scripts/check-bundles.mjs FOLDER        # what scripts/bundle.mjs wrote
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SUBPATHS } from './chunks.mjs';

const require = createRequire(import.meta.url);
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = resolve(process.argv[2]);
const scriptsIn = (folder) =>
  readdirSync(join(out, folder))
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(out, folder, name));
const bundles = scriptsIn('lib');
const problems = [];

for (const path of ['.', ...SUBPATHS].flatMap(scriptsIn).concat(bundles)) {
  for (const [, to] of readFileSync(path, 'utf8').matchAll(/\brequire\(["'](\.[^"']+\.js)["']\)/g)) {
    if (!existsSync(join(dirname(path), to))) problems.push(`${relative(out, path)} requires ${to}, which is not there`);
  }
}

// A release is staged on a machine that has not built the engine. What stands in for it has every function, which returns the same again, or
// the text `engine`: nothing that is compared depends on it.
const engine = new Proxy(() => engine, { get: (_, name) => (name === Symbol.toPrimitive ? () => 'engine' : engine) });
const put = (path, exports) => {
  require.cache[path] = { id: path, filename: path, loaded: true, exports };
};
put(join(root, 'lib/native.js'), engine);
put(join(out, 'lib/native.js'), { 'native.js': () => engine });

function compare(name, source, bundled) {
  const isObject = typeof source === 'object' && typeof bundled === 'object';
  if (!isObject) {
    if (typeof bundled !== typeof source) problems.push(`${name} exports a ${typeof source}, its bundle a ${typeof bundled}`);
    return;
  }
  for (const key of new Set([...Object.keys(source), ...Object.keys(bundled)])) {
    const kinds = [source, bundled].map((exports) => (key in exports ? typeof exports[key] : 'nothing'));
    if (kinds[0] !== kinds[1]) problems.push(`${name} exports ${key}: ${kinds[0]}, in its bundle ${kinds[1]}`);
  }
}

let count = 0;
for (const path of bundles) {
  for (const [file, get] of Object.entries(require(path))) {
    if (file === 'passTo' || file === 'native.js') continue;
    compare(`lib/${file}`, require(join(root, 'lib', file)), get());
    count++;
  }
}
compare('index.js', require(join(root, 'index.js')), require(join(out, 'index.js')));
if (count < 100) problems.push(`only ${count} files were found in bundles`);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
