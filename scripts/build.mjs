// Builds lib/ for publishing into dist/: CommonJS, ES modules with the same exports, and declarations; and file by file into
// unbundled/, for what looks inside. Compiles the packages beside it, packages/*/src, file by file into packages/*/dist.
//   node scripts/build.mjs
// A `require` in lib/ is one that waits for a call: what it asks for has a bundle of its own.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const lib = join(root, 'lib');
const require = createRequire(import.meta.url);

/** The path of a file in lib/ without its extension. */
const pathOf = (file) => relative(lib, file).replaceAll('\\', '/').replace(/\.ts$/, '');
/** The name of its bundle. All are in one folder, so that each finds the others. */
const nameOf = (path) => path.replace(/\/index$/, '').replaceAll('/', '-');

/** The paths of what package.json exports. */
const entries = Object.values(require('../package.json').exports)
  .map(({ require: way }) => way?.types.match(/^\.\/(?:dist\/)?(.*)\.d\.ts$/)[1])
  .filter((path) => path !== undefined);

const later = (isBundled) => ({
  name: 'later',
  resolveId: {
    filter: { id: /^\./ },
    async handler(path, from, { kind }) {
      if (kind !== 'require-call') return undefined;
      const { id } = await this.resolve(path, from);
      const name = nameOf(pathOf(id));
      this.emitFile({ type: 'chunk', id, ...(isBundled && { fileName: `${name}.js` }) });
      return { id: isBundled ? `./${name}.js` : path, external: true };
    },
  },
});

/**
 * What bundles share, by rooms of a floor. A bundle for each set of entries that share something would be ten times as many files, and a first
 * call would have to open 60 of them. An import reads `native` alone, by whose name lib/installed.ts knows the folder. What says why there is no
 * engine shares nothing with it: `native` exports nothing before it has one. Of sessions, the first request reads one: what only later ones run is not
 * in it.
 */
const SESSION =
  /lib.session.(?!why|context|past|saved|kept|folded|epoch|cuts|head|orders|recalling|remembered|summaries|pin-tool|recall-tool)/;
const SHARED = [
  { name: 'native', test: /lib.(native|marks-note|later)\.ts$/, minShareCount: 1 },
  { name: 'basics', test: /lib.((?!installed\.)[\w-]+|generated.layout)\.ts$/, minShareCount: 8 },
  { name: 'options', test: /lib.options./, minShareCount: 4 },
  { name: 'providers', test: /lib.providers./, minShareCount: 8 },
  { name: 'tokens', test: /lib.(tokens|equality)./, minShareCount: 5 },
  { name: 'agent', test: /lib.agent./, minShareCount: 5 },
  {
    name: 'results',
    test: /lib.(fit.(shortening|files|pinned|limits-report|unknown-kinds|obligations)|limits.|recall.place)/,
    minShareCount: 3,
  },
  { name: 'session', test: SESSION, minShareCount: 2 },
].map((group, index, { length }) => ({ ...group, priority: length - index }));

async function build(out, isBundled) {
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((path) => [isBundled ? nameOf(path) : path, join(lib, `${path}.ts`)])),
    platform: 'node',
    external: /^[^./]|\.node$/,
    plugins: [later(isBundled)],
    preserveEntrySignatures: 'strict',
  });
  const { output } = await bundle.write({
    dir: join(root, out),
    cleanDir: true,
    format: 'cjs',
    exports: 'named',
    sourcemap: !isBundled,
    comments: false,
    externalLiveBindings: false,
    generatedCode: { symbols: false },
    preserveModules: !isBundled,
    preserveModulesRoot: lib,
    codeSplitting: isBundled ? { groups: SHARED } : undefined,
    entryFileNames: '[name].js',
    chunkFileNames: ({ name }) => (name === 'native' ? 'native.js' : 'shared-[name].js'),
  });
  await bundle.close();
  return output;
}

/** Compiles without checks, which `npm run lint` does. */
function compile(project, ...options) {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', project, '--noCheck', '--noEmit', 'false', ...options], { cwd: root, stdio: 'inherit' });
}

/** Writes declarations: all into unbundled/, and those that an entry shows into dist/, for either module system. */
function declare() {
  compile('.', '--declaration', '--emitDeclarationOnly', '--outDir', 'unbundled', '--rootDir', 'lib');
  // Those beside package.json are written by hand.
  const written = entries.filter((path) => existsSync(join(root, `${path}.d.ts`)));
  const shown = new Set(entries.filter((path) => !written.includes(path)));
  for (const path of shown) {
    const text = readFileSync(join(root, 'unbundled', `${path}.d.ts`), 'utf8');
    for (const [, other] of text.matchAll(/from '(\.\.?\/[^']+)\.js'/g)) {
      const found = posix.join(posix.dirname(path), other);
      if (!found.startsWith('..')) shown.add(found);
    }
    mkdirSync(join(root, 'dist', dirname(path)), { recursive: true });
    writeFileSync(join(root, 'dist', `${path}.d.ts`), text);
    // An SDK for both module systems has declarations for each, whose classes don't fit each other. An ES module imports as one anyway.
    const imported = text.replace(/ with \{ ['"]resolution-mode['"]: ['"]import['"] \}/g, '').replace(/(from '\.\/[^']+)\.js'/g, "$1.mjs'");
    writeFileSync(join(root, 'dist', `${path}.d.mts`), imported);
  }
  for (const path of written) writeFileSync(join(root, 'dist', `${path}.d.mts`), `export * from '../${path}.js';\n`);
}

rmSync(join(root, 'unbundled'), { recursive: true, force: true });
const built = await build('dist', true);
// One copy of everything: an ES module exports what the CommonJS one does, name by name.
for (const path of entries) {
  const { exports, fileName } = built.find((file) => file.fileName === `${nameOf(path)}.js`);
  const names = exports.join(', ');
  const file = `${posix.relative(posix.dirname(path), '.') || '.'}/${fileName}`;
  mkdirSync(join(root, 'dist', dirname(path)), { recursive: true });
  // Not by an `import`, which starts Node's lexer, and on Node.js 20 ends the process where the file throws, even if the error is caught. In an
  // ES module only Bun and its bundles have a `require`, and scripts of the command line a global one, which looks elsewhere; tools that trace files
  // follow one of `createRequire` that has a name.
  const entry = `import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
export const { ${names} } = typeof require === 'function' && require !== globalThis.require ? require('${file}') : load('${file}');
`;
  writeFileSync(join(root, 'dist', `${path}.mjs`), entry);
  // Bundlers follow an `import`, but not all of them a `createRequire`.
  writeFileSync(join(root, 'dist', `${path}.bundler.mjs`), `export { ${names} } from '${file}';\n`);
}
await build('unbundled', false);
declare();

const cli = join(root, 'packages/cli');
rmSync(join(cli, 'dist'), { recursive: true, force: true });
compile('packages/cli');
// What the page runs, and its styles.
const page = 'report/client';
compile(`packages/cli/src/${page}`);
for (const name of readdirSync(join(cli, 'src', page)))
  if (name.endsWith('.css')) copyFileSync(join(cli, 'src', page, name), join(cli, 'dist', page, name));

// Without what they import: a build installs no SDK, and the command line is compiled already.
for (const name of readdirSync(join(root, 'packages')).filter((one) => one !== 'cli')) {
  rmSync(join(root, 'packages', name, 'dist'), { recursive: true, force: true });
  compile(`packages/${name}`, '--noResolve', '--rootDir', `packages/${name}/src`);
}
