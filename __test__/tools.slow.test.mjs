// The packed tarball under the tools that people run Node.js with: package managers, test runners, bundlers of servers, and what traces files for
// functions. Each is installed from the registry in the version that is named here.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { welcome } from './newcomer/newcomer.mjs';
import { root, WASM_ENGINE } from './packed/project.mjs';
import { readPage } from './support/pages.mjs';
import { installWasm, withoutWasm } from './support/wasm.mjs';
import { withoutNode22 as skip } from './support/node22.mjs';

/** Works with the engine: fits a conversation, and gets it back. */
const WORK = `const messages = Array.from({ length: 41 }, (_, index) => ({
  role: index % 2 ? 'assistant' : 'user',
  content: index + '. ' + 'We talked about the pond of the garden and of worker-' + index + '. '.repeat(60),
}));
const { messages: sent, originals, fits } = fit(messages, { limit: 1000 });
if (!fits || JSON.stringify(restore(sent, originals).messages) !== JSON.stringify(messages)) throw new Error('it does not work');
`;
const CJS = `const { fit, restore } = require('palimpsest');\n${WORK}`;
const ESM = `import { fit, restore } from 'palimpsest';\n${WORK}`;
const works = (code) => `${code}console.log('it works');\n`;

let newcomer;
before(async () => {
  if (!skip) newcomer = await welcome();
});
after(() => newcomer?.remove());

const inTest = (code) => code.replace(/^(?=const messages)/m, "test('it works', () => {\n") + '});\n';

test('Jest, CommonJS', { skip }, async () => {
  const { run } = await newcomer.begin({ install: ['jest@30.5.2'] }, { 'it.test.js': inTest(CJS) });
  await run(['node_modules/jest/bin/jest.js', '--ci']);
});

test('Jest, ES modules', { skip }, async () => {
  const { run } = await newcomer.begin(
    { install: ['jest@30.5.2'] },
    { 'it.test.mjs': inTest(ESM), 'jest.config.json': JSON.stringify({ testMatch: ['**/*.test.mjs'], transform: {} }) },
  );
  await run(['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--ci']);
});

for (const pool of ['threads', 'forks', 'vmThreads', 'vmForks']) {
  test(`Vitest, ${pool}`, { skip }, async () => {
    const { run } = await newcomer.begin(
      { install: ['vitest@5.1.2'] },
      { 'it.test.mjs': `import { test } from 'vitest';\n${inTest(ESM)}` },
    );
    await run(['node_modules/vitest/vitest.mjs', 'run', `--pool=${pool}`]);
  });
}

test('pnpm', { skip }, async () => {
  // From version 12 on it is a native program.
  const { project, run } = await newcomer.begin({ install: ['pnpm@10.34.8'] });
  const app = join(project, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), JSON.stringify({ private: true, dependencies: { palimpsest: `file:${newcomer.tarball}` } }));
  for (const [name, code] of [
    ['it.cjs', CJS],
    ['it.mjs', ESM],
  ])
    writeFileSync(join(app, name), works(code));
  await run([binOf(project, 'pnpm'), '--dir', app, 'install']);
  // As a link into its own folder, and nothing beside it.
  assert.deepEqual(
    readdirSync(join(app, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['palimpsest'],
  );
  for (const name of ['it.cjs', 'it.mjs']) assert.equal(await run([join(app, name)]), 'it works\n');
});

test('Yarn, Plug’n’Play', { skip }, async () => {
  const { project, run } = await newcomer.begin({ install: ['@yarnpkg/cli-dist@4.18.1'] });
  const app = join(project, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), JSON.stringify({ private: true, dependencies: { palimpsest: `file:${newcomer.tarball}` } }));
  writeFileSync(join(app, 'yarn.lock'), '');
  writeFileSync(join(app, '.yarnrc.yml'), 'nodeLinker: pnp\nenableTelemetry: false\nenableGlobalCache: false\n');
  for (const [name, code] of [
    ['it.cjs', CJS],
    ['it.mjs', ESM],
  ])
    writeFileSync(join(app, name), works(code));
  const yarn = binOf(project, '@yarnpkg/cli-dist');
  await run([yarn, '--cwd', app, 'install']);
  assert.ok(existsSync(join(app, '.pnp.cjs')) && !existsSync(join(app, 'node_modules')));
  for (const name of ['it.cjs', 'it.mjs']) assert.match(await run([yarn, '--cwd', app, 'node', name]), /^it works$/m);
});

test('webpack, for Node.js', { skip }, async () => {
  const { project, run } = await newcomer.begin({ install: ['webpack@5.113.0'] }, { 'index.mjs': works(ESM) });
  const build = `require('webpack')({ mode: 'production', target: 'node', context: __dirname, entry: './index.mjs', output: { filename: 'main.cjs' } }, (error, stats) => {
    if (error || stats.hasErrors() || stats.hasWarnings()) throw error ?? new Error(stats.toString());
  });`;
  writeFileSync(join(project, 'build.cjs'), build);
  await run(['build.cjs']);
  assert.equal(await run(['dist/main.cjs']), 'it works\n');
});

test('Vite, for a server', { skip }, async () => {
  const { project, run } = await newcomer.begin({ install: ['vite@8.3.8'] }, { 'index.mjs': works(ESM) });
  writeFileSync(
    join(project, 'build.mjs'),
    "import { build } from 'vite';\nawait build({ logLevel: 'error', build: { ssr: 'index.mjs' } });\n",
  );
  await run(['build.mjs']);
  const [built] = readdirSync(join(project, 'dist'));
  assert.equal(await run([join('dist', built)]), 'it works\n');
});

test('@vercel/nft, which traces files for functions of Vercel and AWS Lambda: a folder of these files works without node_modules beside it', {
  skip,
}, async (t) => {
  const { project, run } = await newcomer.begin({ install: ['@vercel/nft@1.11.5'] }, { 'index.mjs': works(ESM), 'index.cjs': works(CJS) });
  const { nodeFileTrace } = createRequire(join(project, 'package.json'))('@vercel/nft');
  const traced = join(project, '../traced');
  for (const name of ['index.mjs', 'index.cjs']) {
    const { fileList } = await nodeFileTrace([join(project, name)], { base: project });
    assert.ok(
      [...fileList].some((file) => file.endsWith('.node')),
      'the engine',
    );
    for (const file of fileList) cpSync(join(project, file), join(traced, file), { recursive: true });
    t.diagnostic(`${name}: ${fileList.size} files`);
    assert.equal(await run([join(traced, name)]), 'it works\n');
  }
});

/** The programs of a page in docs/edge.md that take the addresses of files from a bundler, with what the page imports first. */
const recipes = [
  ...readPage('docs/edge.md')
    .split('## In a browser')[1]
    .matchAll(/^```js\n(import o200k[\s\S]*?)^```$/gm),
].map(([, code]) => `import { init, loadVocabulary } from '${WASM_ENGINE}/edge';\n${code}`);
const BUNDLERS = {
  Vite: {
    install: 'vite@8.3.8',
    recipe: 0,
    build: "await (await import('vite')).build({ logLevel: 'error', build: { rolldownOptions: { input: 'page.mjs' } } });",
  },
  webpack: {
    install: 'webpack@5.113.0',
    recipe: 1,
    build: `const rule = { test: /\\.(?:wasm|bin)$/, type: 'asset/resource' };
const { default: webpack } = await import('webpack');
webpack({ mode: 'production', context: import.meta.dirname, entry: './page.mjs', module: { rules: [rule] } }, (error, stats) => {
  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString());
});`,
  },
  esbuild: {
    install: 'esbuild@0.28.2',
    recipe: 1,
    build:
      "await (await import('esbuild')).build({ entryPoints: ['page.mjs'], bundle: true, format: 'esm', outdir: 'dist', loader: { '.wasm': 'file', '.bin': 'file' } });",
  },
};
for (const [name, { install, recipe, build }] of Object.entries(BUNDLERS)) {
  test(`${name} bundles the edge entry as docs/edge.md says, and its files as they are`, { skip: skip || withoutWasm }, async () => {
    const { project, run } = await newcomer.begin({ install: [install] }, { 'page.mjs': recipes[recipe], 'build.mjs': build });
    const other = join(project, 'other');
    mkdirSync(other);
    cpSync(await installWasm(other), join(project, 'node_modules', WASM_ENGINE), { recursive: true });
    await run(['build.mjs']);
    const built = readdirSync(join(project, 'dist'), { recursive: true }).map((file) => join(project, 'dist', file));
    for (const file of ['palimpsest.wasm32-wasi.wasm', 'o200k_base.bin']) {
      const bytes = readFileSync(join(project, 'node_modules', WASM_ENGINE, file));
      assert.ok(
        built.some((path) => path.endsWith(extname(file)) && readFileSync(path).equals(bytes)),
        `${file} of ${built}`,
      );
    }
  });
}

test('the engine needs no library but those of the C library and of GCC, which images without a system have, too', (t) => {
  const engine = readdirSync(root).find((name) => /^palimpsest\.linux-.*\.node$/.test(name));
  const { stdout, error } = spawnSync('readelf', ['-d', join(root, engine ?? '')], { encoding: 'utf8' });
  if (engine === undefined || error) return t.skip('needs Linux and readelf');
  const needed = [...stdout.matchAll(/\(NEEDED\).*\[(.+)\]/g)].map(([, library]) => library);
  assert.ok(needed.length > 0, stdout);
  for (const library of needed) assert.match(library, /^(?:libc|libm|libdl|libpthread|librt|libgcc_s|ld-linux-[\w-]+|libc\.musl-\w+)\.so/);
});

/** The program of a package manager that is installed in a project. */
function binOf(project, name) {
  const folder = join(project, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : Object.values(bin)[0]);
}
