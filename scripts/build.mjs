// Builds what is published of lib/ into dist/, and the same file by file into unbundled/, for tests that look inside.
//   node scripts/build.mjs
// A `require` in lib/ is one that waits for a call: what it asks for is an entry of its own, and what entries share is in chunks.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const lib = join(root, 'lib');
const { exports: subpaths } = createRequire(import.meta.url)('../package.json');

/** The files of lib/ that package.json exports, by the names of their bundles. */
const entries = Object.fromEntries(
  Object.values(subpaths)
    .map((ways) => ways.require?.default.match(/^\.\/dist\/((?:(integrations|store)-)?(.*))\.js$/))
    .filter((found) => found)
    .map(([, bundle, room = '', name]) => [bundle, join(lib, room, `${name}.ts`)]),
);

/** The name of a file's bundle. All are in one folder, so that each finds the others. */
const nameOf = (file) =>
  relative(lib, file)
    .replaceAll('\\', '/')
    .replace(/(?:\/index)?\.ts$/, '')
    .replaceAll('/', '-');

const later = (isBundled) => ({
  name: 'later',
  resolveId: {
    filter: { id: /^\./ },
    async handler(path, from, { kind }) {
      if (kind !== 'require-call') return undefined;
      const { id } = await this.resolve(path, from);
      this.emitFile({ type: 'chunk', id, ...(isBundled ? { fileName: `${nameOf(id)}.js` } : {}) });
      return { id: isBundled ? `./${nameOf(id)}.js` : path, external: true };
    },
  },
});

/**
 * What bundles share, by rooms of a floor: a bundle for each set of entries that share something would be ten times as many files, and a first
 * call would have to open 60 of them. An import reads `engine` alone.
 */
const GROUPS = [
  { name: 'engine', test: /lib.(native|marks-note|installed)\.ts$/, minShareCount: 1 },
  { name: 'basics', test: /lib.([\w-]+|generated.layout)\.ts$/, minShareCount: 8 },
  { name: 'options', test: /lib.options./, minShareCount: 4 },
  { name: 'formats', test: /lib.formats./, minShareCount: 8 },
  { name: 'tokens', test: /lib.tokens./, minShareCount: 5 },
  { name: 'agent', test: /lib.agent./, minShareCount: 5 },
].map((group, index, { length }) => ({ ...group, priority: length - index }));

async function build(out, isBundled) {
  const bundle = await rolldown({
    cwd: root,
    input: entries,
    platform: 'node',
    external: /^[^./]|\.node$/,
    plugins: [later(isBundled)],
    preserveEntrySignatures: 'strict',
    tsconfig: join(root, 'tsconfig.json'),
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  });
  await bundle.write({
    dir: join(root, out),
    cleanDir: true,
    format: 'cjs',
    exports: 'named',
    sourcemap: true,
    comments: false,
    externalLiveBindings: false,
    generatedCode: { symbols: false },
    preserveModules: !isBundled,
    preserveModulesRoot: lib,
    entryFileNames: '[name].js',
    chunkFileNames: 'shared-[name].js',
    codeSplitting: isBundled ? { groups: GROUPS } : undefined,
  });
  await bundle.close();
}

await build('dist', true);
// One copy of everything: an ES module has what the CommonJS one exports.
for (const name of Object.keys(entries)) writeFileSync(join(root, 'dist', `${name}.mjs`), `export * from './${name}.js';\n`);
await build('unbundled', false);
