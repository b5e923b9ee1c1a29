// Bundles what loads the engine in WebAssembly: for Node.js, and the edge entry for everything else.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** The folder of the package of the engine in WebAssembly. */
export const wasmPackage = join(root, 'npm/wasm32-wasi');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** emnapi decodes UTF-16 with a TextDecoder, which replaces lone surrogates; what it has for runtimes without one keeps them. */
const exactStrings = {
  name: 'exact-strings',
  setup({ onLoad }) {
    onLoad({ filter: /@emnapi\/core\/dist\/emnapi-core\.js$/ }, ({ path }) => {
      const [before, after, ...more] = readFileSync(path, 'utf8').split(
        "typeof TextDecoder === 'function' ? new TextDecoder('utf-16le') : fallbackDecoder2",
      );
      if (after === undefined || more.length > 0) throw new Error(`${path} decodes UTF-16 in another way than this script knows`);
      return { contents: `${before}fallbackDecoder2${after}` };
    });
  },
};

/** lib/index.ts without Node.js: its engine is the one that `init` was given. */
const withoutNode = {
  name: 'without-node',
  setup({ onResolve }) {
    const instead = (filter, name) => onResolve({ filter }, () => ({ path: join(root, 'wasm', name) }));
    instead(/\/native\.js$/, 'slot.mjs');
    instead(/\/turns\.js$/, 'turns.mjs');
    instead(/\/resting\.js$/, 'resting.mjs');
    instead(/^node:util$/, 'util.mjs');
    instead(/^node:diagnostics_channel$/, 'diagnostics.mjs');
    instead(/^node:crypto$/, 'crypto.mjs');
  },
};

/** The licences of what is bundled ask to accompany it. */
function licences(names) {
  const licenceOf = (name) =>
    readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8')
      .trim()
      .replace(/[\u201c\u201d]/g, '"');
  const texts = names.map((name) => `${name}\n\n${licenceOf(name)}\n`);
  return { js: `/*\nContains these works, each under its own licence.\n\n${texts.join('\n')}*/` };
}
const OF_LOADER = ['@emnapi/core', '@emnapi/runtime', '@emnapi/wasi-threads'];
const OF_EDGE = [...OF_LOADER, '@noble/hashes', 'base64-js', 'buffer', 'ieee754'];

const common = {
  absWorkingDir: root,
  bundle: true,
  target: 'es2022',
  // A page without a charset is read as something else than UTF-8.
  charset: 'ascii',
  logLevel: 'warning',
  minify: true,
  legalComments: 'none',
};

/** Writes the loader for Node.js into a folder. */
export const bundleNodeLoader = (out) =>
  build({
    ...common,
    entryPoints: ['wasm/node.mjs'],
    outfile: join(out, 'palimpsest.wasm32-wasi.cjs'),
    platform: 'node',
    format: 'cjs',
    plugins: [exactStrings],
    banner: licences(OF_LOADER),
    footer: { js: 'module.exports = module.exports.default;' },
  });

/** The names that lib/index.ts exports. */
async function exportedNames() {
  const read = { entryPoints: ['lib/index.ts'], bundle: false, format: 'esm', write: false, metafile: true, logLevel: 'error' };
  const { metafile } = await build({ ...common, ...read });
  return Object.values(metafile.outputs)[0].exports.join(', ');
}

/** What `bundleEdge` writes. */
export const EDGE = ['edge.mjs', 'edge.d.mts'];

/**
 * Writes the edge entry into a folder, and its types with those of all functions. Of CommonJS files: where one fails while it is loaded, as before
 * there is an engine, the next call loads it again. An ES module would fail for good.
 */
export async function bundleEdge(out) {
  const [code, types] = EDGE.map((name) => join(out, name));
  await build({
    ...common,
    stdin: {
      contents: `import palimpsest from './unbundled/index.js';\nimport { named } from './wasm/edge.mjs';\nexport { init, loadVocabulary } from './wasm/edge.mjs';\nexport const { ${await exportedNames()} } = named(palimpsest);\n`,
      resolveDir: root,
      sourcefile: 'edge-entry.mjs',
    },
    outfile: code,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    format: 'esm',
    banner: licences(OF_EDGE),
    inject: ['wasm/globals.mjs'],
    define: { VERSION: JSON.stringify(version) },
    plugins: [exactStrings, withoutNode],
  });
  const written = [join(wasmPackage, 'edge.d.mts'), join(root, 'index.d.ts')];
  writeFileSync(types, written.map((file) => readFileSync(file, 'utf8')).join('\n'));
}
