// Bundles index.js and lib/ for publishing: a file for what an import needs, one for the drop-in face, one for the integrations, one for the
// stores and one for all else. A single file would have to be parsed as a whole by every import, which takes longer than to open three.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { exportedNames } from './exports.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const lib = join(root, 'lib');
const files = readdirSync(lib, { recursive: true })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.js'));

const NATIVE = ['native.js', 'load-error.js', 'glibc.js'];
/** Rooms that `compress` with messages of its own needs. */
const DROP_IN = ['options', 'adapters', 'compress', 'generated'];
/** In each bundle that uses it, since no import of the package should open another file for it. */
const COPIED = 'marks-note.js';
/** Folders of subpaths, whose rooms of lib/ have the same names and are bundles of their own. */
const SUBPATHS = ['integrations', 'store'];
const entries = SUBPATHS.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(folder, name)),
);

/** The bundle that a file of lib/ is in. */
function bundleOf(file) {
  if (NATIVE.includes(file)) return 'native';
  const [room, ...inside] = file.split('/');
  if (SUBPATHS.includes(room)) return room;
  return (inside.length === 0 || DROP_IN.includes(room)) && file !== 'compress/provider.js' ? 'drop-in' : 'agent';
}

/** Files of other bundles are got from these when they are first used. */
const acrossBundles = (bundle) => ({
  name: 'across-bundles',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ path, resolveDir, namespace }) => {
      if (namespace === 'bundle') return { path, external: true };
      const file = relative(lib, join(resolveDir, path)).replaceAll('\\', '/');
      return files.includes(file) && file !== COPIED && bundleOf(file) !== bundle ? { path: file, namespace: 'bundle' } : undefined;
    });
    onLoad({ filter: /./, namespace: 'bundle' }, ({ path }) => ({
      contents: `module.exports = require('./${bundle === 'index' ? 'lib/' : ''}${bundleOf(path)}.js')['${path}']();`,
    }));
  },
});

/** The entry of a subpath, with its files from the bundle. */
const entryOf = (text) => text.replace(/require\('\.\.\/lib\/((\w+)\/[^']*)'\)/g, "require('../lib/$2.js')['$1']()");

/** Builds one bundle as if it stood in the work tree, so that its source map names the sources from there. */
async function built(name, input) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    outfile: join(root, name),
    write: false,
    allowOverwrite: true,
    bundle: true,
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: 'linked',
    charset: 'utf8',
    logLevel: 'warning',
    ...input,
  });
  return outputFiles;
}

/** Writes the bundles into a folder, each with its source map. Identifiers stay, for stack traces without source maps. */
export async function bundle(out) {
  const rooms = ['native', 'drop-in', 'agent', ...SUBPATHS].map((name) => {
    const own = files.filter((file) => file !== COPIED && bundleOf(file) === name).map((file) => `'${file}': () => require('./${file}'),`);
    const contents = `module.exports = {\n${own.join('\n')}\n};\n`;
    const stdin = { contents, resolveDir: lib, sourcefile: `lib/${name}` };
    return built(`lib/${name}.js`, { stdin, plugins: [acrossBundles(name)] });
  });
  // By nothing but names, so that an `import` of this file knows them too.
  const footer = { js: `0 && (module.exports = { ${exportedNames.join(', ')} });` };
  const index = built('index.js', { entryPoints: ['index.js'], footer, plugins: [acrossBundles('index')] });
  for (const folder of ['lib', ...SUBPATHS]) mkdirSync(join(out, folder), { recursive: true });
  for (const { path, contents } of (await Promise.all([index, ...rooms])).flat()) writeFileSync(join(out, relative(root, path)), contents);
  for (const path of entries) writeFileSync(join(out, path), entryOf(readFileSync(join(root, path), 'utf8')));
}
