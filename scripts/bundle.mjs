// Bundles index.js and lib/ for publishing: a file for what an import needs, and one for each group of functions that are used together
// (see chunks.mjs). A single file would have to be parsed as a whole by every import, which takes longer than to open a few.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chunkOf, CHUNKS, isCopied, isPart, lib, sources, SUBPATHS, WHOLE } from './chunks.mjs';
import { exportedNames } from './exports.mjs';
import { BUNDLE, entryOf, hoisted, LINK, linkOf } from './hoisted.mjs';
import { calledLate } from './links.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const entries = SUBPATHS.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(folder, name)),
);
/** The path in lib/ of a file there. */
const fileAt = (path) => relative(lib, path).replaceAll('\\', '/');

/** Files of other bundles are got from these when they are first used. */
const acrossBundles = (bundle) => ({
  name: 'across-bundles',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${LINK}`) }, ({ path }) => ({ path: path.slice(LINK.length), namespace: 'link' }));
    onLoad({ filter: /./, namespace: 'link' }, ({ path }) => ({ contents: linkOf(bundle, path) }));
    onResolve({ filter: new RegExp(`^${BUNDLE}`) }, ({ path }) => ({ path: path.slice(BUNDLE.length), external: true }));
    onResolve({ filter: /^\./ }, ({ path, resolveDir, namespace }) => {
      if (namespace === 'bundle' || namespace === 'link') return { path, external: true };
      const file = fileAt(join(resolveDir, path));
      return sources.has(file) && !isPart(bundle, file) ? { path: file, namespace: 'bundle' } : undefined;
    });
    onLoad({ filter: /./, namespace: 'bundle' }, ({ path }) => ({
      contents: `module.exports = require('./${chunkOf(path)}.js')['${path}']();`,
    }));
    onLoad({ filter: /\.js$/, namespace: 'file' }, ({ path }) => {
      const file = fileAt(path);
      if (!isPart(bundle, file)) return undefined;
      return { contents: WHOLE.includes(bundle) ? hoisted(file, bundle) : calledLate(file), loader: 'js' };
    });
  },
});

/** The text of index.js with its files from the bundles. Each `require` stays where it is: a module for each would be parsed by every import. */
const indexOf = (text) =>
  text
    .replace(/^const (.*) = require\('\.\/lib\/([^']+)'\);$/gm, (all, names, file) =>
      isCopied(file) ? `import ${names} from './lib/${file}';` : all,
    )
    .replace(/require\('\.\/lib\/([^']+)'\)/g, (_, file) => `require('./lib/${chunkOf(file)}.js')['${file}']()`);

/** What index.js uses is in bundles, but for the file that each has. */
const inIndex = {
  name: 'in-index',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/lib\// }, ({ path }) => (isCopied(path.slice('./lib/'.length)) ? undefined : { path, external: true }));
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const file = fileAt(path);
      return { contents: isCopied(file) ? hoisted(file, 'index') : indexOf(readFileSync(path, 'utf8')), loader: 'js' };
    });
  },
};

/** The entry of a subpath, with its files from the bundle. */
const subpathOf = (text) => text.replace(/require\('\.\.\/lib\/((\w+)\/[^']*)'\)/g, "require('../lib/$2.js')['$1']()");

/** Builds one bundle as if it stood in the work tree, so that its source map names the sources from there. */
async function built(name, input) {
  const { outputFiles, warnings } = await build({
    absWorkingDir: root,
    outfile: join(root, name),
    write: false,
    allowOverwrite: true,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    packages: 'external',
    sourcemap: 'linked',
    // V8 keeps and scans a file of ASCII as one byte per character; a single `…` doubles both.
    charset: 'ascii',
    logLevel: 'warning',
    ...input,
  });
  // Such as an import of a name that a file doesn't export.
  if (warnings.length > 0) throw new Error(`${name} was bundled with warnings`);
  return outputFiles;
}

/**
 * A source map with the files of lib/ as they are. Those that are copied into each bundle are left out: a dozen of each would make the package
 * larger by a twentieth.
 */
function withSources(path, map) {
  const { sources: names, sourcesContent, ...rest } = JSON.parse(map);
  const contentOf = (name, index) => {
    const file = fileAt(join(dirname(path), name));
    return isCopied(file) ? null : (sources.get(file) ?? sourcesContent[index]);
  };
  return JSON.stringify({ ...rest, sources: names, sourcesContent: names.map(contentOf) });
}

/** Writes the bundles into a folder, each with its source map. Identifiers stay, for stack traces without source maps. */
export async function bundle(out) {
  const rooms = CHUNKS.map((name) => {
    const stdin = { contents: entryOf(name), resolveDir: lib, sourcefile: `lib/${name}` };
    return built(`lib/${name}.js`, { stdin, plugins: [acrossBundles(name)] });
  });
  // By nothing but names, so that an `import` of this file knows them too.
  const footer = { js: `0 && (module.exports = { ${exportedNames.join(', ')} });` };
  const index = built('index.js', { entryPoints: ['index.js'], footer, plugins: [inIndex] });
  for (const folder of ['lib', ...SUBPATHS]) mkdirSync(join(out, folder), { recursive: true });
  for (const { path, text } of (await Promise.all([index, ...rooms])).flat())
    writeFileSync(join(out, relative(root, path)), path.endsWith('.map') ? withSources(path, text) : text);
  for (const path of entries) writeFileSync(join(out, path), subpathOf(readFileSync(join(root, path), 'utf8')));
  execFileSync(process.execPath, [join(root, 'scripts/check-bundles.mjs'), out], { stdio: 'inherit' });
}
