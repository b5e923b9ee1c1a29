// The packed tarballs, not the work tree: installed outside the repository and used by real servers, runtimes and tools.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'esbuild';
import { WASM } from '../scripts/staging.mjs';
import { characters, conversation } from './packed/conversation.mjs';
import { WASM_ENGINE, install, root, run, serve } from './packed/project.mjs';
import { snippets } from './support/pages.mjs';

const require = createRequire(import.meta.url);
const { OPENTELEMETRY, PEERS: SDKS } = require('../unbundled/integrations/peers.js');
/** By subpath. */
const PEERS = { ...SDKS, opentelemetry: OPENTELEMETRY };
let project;
before(async () => {
  project = await install();
});
after(() => project?.remove());

const tool = (...path) => join(project.tools, 'node_modules', ...path);
const node = (script, args, cwd) => run(process.execPath, [script, ...args], cwd);

test('the tarballs hold exactly what they should', () => {
  const files = (name) =>
    project.packed
      .find((one) => one.name === name)
      .files.map(({ path }) => path)
      .sort();
  assert.deepEqual(
    files('palimpsest'),
    [
      'LICENSE-APACHE',
      'LICENSE-MIT',
      'README.md',
      'drop-in.d.ts',
      'index.d.ts',
      'package.json',
      // What was built, and nothing that an earlier build left.
      ...readdirSync(join(root, 'dist'), { recursive: true })
        .map((path) => `dist/${path.replaceAll('\\', '/')}`)
        .filter((path) => path.includes('.')),
    ].sort(),
  );
  const engines = project.packed.filter(({ name }) => name !== 'palimpsest');
  assert.ok(engines.length > 0, 'no platform package: was the addon built?');
  for (const { name } of engines) {
    const file = `palimpsest.${name.replace('@palimpsest/engine-', '')}`;
    const engine =
      name === WASM_ENGINE
        ? [`${file}.wasm`, `${file}.cjs`, 'o200k_base.bin', 'cl100k_base.bin', 'wasm.d.mts', 'vocabulary.d.mts', 'edge.mjs', 'edge.d.mts']
        : [`${file}.node`];
    assert.deepEqual(
      files(name),
      ['LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'THIRD-PARTY-LICENSES', 'sbom.cdx.json', 'package.json', ...engine].sort(),
    );
  }
});

test('links of the READMEs lead to files of the repository at this version', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const here = [
    `https://github.com/palimpsest-dev/palimpsest/blob/v${version}/`,
    `https://raw.githubusercontent.com/palimpsest-dev/palimpsest/v${version}/`,
  ];
  for (const name of readdirSync(project.stage)) {
    const text = readFileSync(join(project.stage, name, 'README.md'), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
    const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(([, inText, inTag]) => inText ?? inTag);
    const own = links.filter(
      (link) => !link.startsWith('#') && !(link.startsWith('https://') && !link.includes('/palimpsest-dev/palimpsest/')),
    );
    if (name === 'palimpsest') assert.ok(own.length > 20, `${own.length}`);
    for (const link of own) {
      const base = here.find((start) => link.startsWith(start));
      assert.ok(base && existsSync(join(root, link.slice(base.length).replace(/#.*/, ''))), link);
    }
  }
});

test('a user gets the package and one engine, nothing more', () => {
  const lock = JSON.parse(readFileSync(join(project.user, 'node_modules/.package-lock.json'), 'utf8'));
  const installed = project.packed.map(({ name }) => name).filter((name) => name !== WASM_ENGINE);
  assert.deepEqual(Object.keys(lock.packages).sort(), installed.map((name) => `node_modules/${name}`).sort());
});

// The other runtimes come as npm packages, installed for the most common platform only.
const glibc = process.platform === 'linux' && process.arch === 'x64' && process.report.getReport().header.glibcVersionRuntime;
const runtimes = {
  'this Node': () => [process.execPath],
  'Node 22': () => [tool('node-22/bin/node')],
  'Node 24': () => [tool('node-24/bin/node')],
  'Node 26': () => [tool('node-26/bin/node')],
  Bun: () => [tool('@oven/bun-linux-x64/bin/bun')],
  Deno: () => [tool('@deno/linux-x64-glibc/deno'), 'run', '-A'],
};
for (const [name, command] of Object.entries(runtimes)) {
  test(`${name} imports, requires, compresses and restores`, async (t) => {
    const [program, ...args] = command();
    if (program !== process.execPath && !glibc) return t.skip('installed for linux-x64-gnu only');
    assert.match(await run(program, [...args, 'smoke.mjs'], project.user), /smoke passed/);
  });
}

/** Puts a manifest of each SDK where the user would install it, in the first version of its range, or in one `step` above or below. */
function pretendInstalled(step) {
  for (const [name, range] of Object.values(PEERS).flatMap((peers) => Object.entries(peers))) {
    const folder = join(project.user, 'node_modules', name);
    mkdirSync(folder, { recursive: true });
    const numbers = range.match(/\d+/g).slice(0, 3).map(Number);
    numbers[numbers.findIndex((number) => number > 0)] += step;
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: numbers.join('.') }));
  }
}
const subpathsWith = (command, state) => run(command[0], [...command.slice(1), 'subpaths.mjs', JSON.stringify(PEERS), state], project.user);

test('a subpath whose SDK is missing or too old says which version it wants; otherwise it loads, under every runtime', async () => {
  assert.match(await subpathsWith([process.execPath], 'none'), /subpaths passed/);
  pretendInstalled(-1);
  assert.match(await subpathsWith([process.execPath], 'old'), /subpaths passed/);
  for (const step of [0, 1]) {
    pretendInstalled(step);
    assert.match(await subpathsWith([process.execPath], 'there'), /subpaths passed/);
  }
  for (const command of glibc ? Object.values(runtimes) : []) assert.match(await subpathsWith(command(), 'there'), /subpaths passed/);
});

test('each subpath works as it is installed: both module systems, its main function, its recall tool', async (t) => {
  const isNew = Number(process.versions.node.split('.')[0]) >= 22;
  if (!isNew && !glibc) return t.skip('the SDKs want Node 22, which is installed for linux-x64-gnu only');
  // Beside the package that the user got, the SDKs of the work tree.
  const folder = join(project.user, '../sdks');
  for (const name of project.packed.map((one) => one.name).filter((one) => one !== WASM_ENGINE))
    cpSync(join(project.user, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });
  for (const name of Object.values(PEERS).flatMap((peers) => Object.keys(peers))) {
    const path = join(folder, 'node_modules', name);
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) symlinkSync(join(root, 'node_modules', name), path, 'junction');
  }
  cpSync(join(root, '__test__/packed/works.mjs'), join(folder, 'works.mjs'));
  assert.match(await run(isNew ? process.execPath : runtimes['Node 22']()[0], ['works.mjs'], folder), /^\d+ subpaths work$/m);
});

test('SQLite keeps to the contract, and the MCP server asks it, under every Node that has it', async (t) => {
  if (!glibc) return t.skip('Node 22, 24 and 26 are installed for linux-x64-gnu only');
  const files = ['__test__/store/sqlite.test.mjs', 'packages/mcp/__test__/store.test.mjs'];
  const args = ['--import', './__test__/support/seed.mjs', '--test', '--test-reporter=tap', ...files];
  for (const name of ['Node 22', 'Node 24', 'Node 26']) {
    const printed = await run(runtimes[name]()[0], args, root);
    assert.match(printed, /^# fail 0$/m);
    assert.match(printed, /^# skipped 1$/m, 'all but the error of a Node without SQLite');
  }
});

const publint = (folder) => node(tool('publint/src/cli.js'), ['--strict', folder], project.tools);
const areTheTypesWrong = ({ filename }, ...args) => {
  const options = [join(project.stage, '..', filename), '--no-emoji', '--no-color', ...args];
  return node(tool('@arethetypeswrong/cli/dist/index.js'), options, project.tools);
};

test('publint and are-the-types-wrong find nothing', async () => {
  await publint(join(project.user, 'node_modules/palimpsest'));
  const tarball = project.packed.find(({ name }) => name === 'palimpsest');
  await areTheTypesWrong(tarball, '--entrypoints', '.');
  // The resolution of before Node 12 knows no subpaths.
  await areTheTypesWrong(tarball, '--profile', 'node16');
});

test('publint and are-the-types-wrong find nothing in the package of the edge entry', async (t) => {
  const tarball = project.packed.find(({ name }) => name === WASM_ENGINE);
  if (tarball === undefined) return t.skip('the engine in WebAssembly is not built: npm run build:wasm');
  await publint(join(project.stage, WASM));
  // Edge runtimes and browsers have ES modules only.
  await areTheTypesWrong(tarball, '--entrypoints', 'edge', '--profile', 'esm-only');
});

test('every TypeScript snippet of README.md and the guides compiles under every way of resolving modules', async () => {
  const folder = join(project.tools, 'snippets');
  mkdirSync(folder);
  // `export {}` makes a module of a snippet that imports nothing, so that snippets don't see each other's names.
  for (const { page, line, code } of snippets) {
    writeFileSync(join(folder, `${page.replace(/\W/g, '-')}-${line}.mts`), `${code}\nexport {};\n`);
  }
  writeFileSync(join(folder, 'required.cts'), "import palimpsest = require('palimpsest');\npalimpsest.compress([]).messages;\n");
  for (const [module, moduleResolution] of [
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
    ['preserve', 'bundler'],
  ]) {
    const compilerOptions = { strict: true, noEmit: true, target: 'es2022', module, moduleResolution, types: ['node'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*'] }));
    await node(tool('typescript/bin/tsc'), ['-p', folder], project.tools);
  }
});

/** Posts a conversation and checks that what comes back is smaller and restores to exactly what was sent. */
async function compressOverHttp(url, messages, more = {}) {
  const { uncompress } = createRequire(join(project.user, 'package.json'))('palimpsest');
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messages, ...more }),
    signal: AbortSignal.timeout(30_000),
  });
  const result = await response.json();
  assert.equal(response.status, 200, JSON.stringify(result));
  assert.ok(characters(result.messages) < characters(messages));
  assert.deepEqual(uncompress(result.messages, result.verbatim).messages, messages);
  return result;
}

const range = (length) => Array.from({ length }, (_, index) => index);

test('an Express app compresses 50 conversations at a time, at once and through a slow summarizer', async (t) => {
  const server = await serve('express/server.mjs', [], project.tools);
  t.after(server.stop);
  await Promise.all(
    range(50).flatMap((seed) => [
      compressOverHttp(`${server.url}/compress`, conversation(seed)),
      compressOverHttp(`${server.url}/summarize`, conversation(seed), { name: `visitor ${seed}` }).then((result) => {
        const summaries = JSON.stringify(result.messages).match(/Summary for visitor \d+\./g);
        assert.deepEqual([...new Set(summaries)], [`Summary for visitor ${seed}.`], 'a request got the answer to another');
      }),
    ]),
  );
  const refused = await fetch(`${server.url}/compress`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"messages":7}',
  });
  assert.equal(refused.status, 400);
});

/** The longest history that the limit of an agent in these tests leaves, in characters of English prose. */
const MAX_SENT = 3000 * 6;
function assertCut({ sent, history }) {
  assert.ok(history > 1.5 * MAX_SENT, `${history}`);
  assert.ok(sent > 0 && sent < MAX_SENT, `${sent} of ${history}`);
}

const BUNDLED = 'bundled.mjs';
/** Makes an ES module able to require what Node.js has built in: the line in docs/servers.md. */
const BANNER = readFileSync(join(root, 'docs/servers.md'), 'utf8').match(/--banner:js="([^"]+)"/)[1];
const bundlers = {
  'esbuild, CommonJS': (outfile) => esbuild({ format: 'cjs', outfile: `${outfile}.cjs` }),
  'esbuild, ES modules': (outfile) => esbuild({ format: 'esm', outfile: `${outfile}.mjs`, banner: { js: BANNER } }),
  async 'bun build'(outfile) {
    if (!glibc) return undefined;
    await run(tool('@oven/bun-linux-x64/bin/bun'), ['build', '--target=node', BUNDLED, `--outfile=${outfile}.mjs`], project.tools);
    return `${outfile}.mjs`;
  },
};
async function esbuild(options) {
  const program = join(project.tools, 'bundled.wrapped.mjs');
  // CommonJS has no `await` outside of functions.
  const [, imports, rest] = readFileSync(join(project.tools, BUNDLED), 'utf8').match(/^([\s\S]*?\n)(let [\s\S]*)$/);
  writeFileSync(program, `${imports}(async () => {\n${rest}})();\n`);
  const { warnings } = await build({ ...options, entryPoints: [program], bundle: true, platform: 'node', logLevel: 'silent' });
  assert.deepEqual(warnings, []);
  return options.outfile;
}
for (const [name, bundle] of Object.entries(bundlers)) {
  test(`an app with one SDK is bundled without configuration, finds the engine, and keeps to its limit: ${name}`, async (t) => {
    const file = await bundle(join(project.tools, 'dist', name.replace(/\W+/g, '-')));
    if (file === undefined) return t.skip('Bun is installed for linux-x64-gnu only');
    // From another folder: the engine is beside the bundle, not where the user stands.
    assertCut(JSON.parse(await run(process.execPath, [file], tmpdir())));
  });
  test(`a bundle that has the engine nowhere says what to do: ${name}`, async (t) => {
    const file = await bundle(join(project.tools, 'dist', name.replace(/\W+/g, '-')));
    if (file === undefined) return t.skip('Bun is installed for linux-x64-gnu only');
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bundle-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const alone = join(folder, basename(file));
    // Bun writes the folders of the sources into its bundle.
    writeFileSync(alone, readFileSync(file, 'utf8').replaceAll(project.tools, join(folder, 'gone')));
    await assert.rejects(run(process.execPath, [alone], folder), (error) => {
      assert.match(error.message, /ERR_PALIMPSEST_LOAD/);
      assert.match(error.message, /What to do:\n {2}- A bundle can't hold the engine, which is a native file\./);
      return true;
    });
  });
}

test('what traces the files of a deployment finds the engine and what a subpath loads', async () => {
  const { nodeFileTrace } = createRequire(join(project.tools, 'package.json'))('next/dist/compiled/@vercel/nft');
  const program = join(project.tools, 'traced.mjs');
  writeFileSync(program, "import 'palimpsest';\nimport 'palimpsest/ai-sdk';\nimport 'ai';\n");
  const { fileList } = await nodeFileTrace([program], { base: project.tools });
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-traced-'));
  try {
    for (const file of fileList) cpSync(join(project.tools, file), join(folder, file), { recursive: true });
    await run(process.execPath, ['traced.mjs'], folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A model on this machine, which streams one word, and remembers the messages of each request. */
async function startModel(t) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    requests.push(JSON.parse(body).messages);
    const chunk = (choice) => `data: ${JSON.stringify({ id: 'a', created: 0, model: 'gpt-5.4', choices: [{ index: 0, ...choice }] })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      `${chunk({ delta: { role: 'assistant', content: 'Fine.' } })}${chunk({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`,
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${server.address().port}/v1`, requests };
}

for (const bundler of ['turbopack', 'webpack']) {
  test(`a Next.js app builds without configuration, starts, and answers: ${bundler}`, async (t) => {
    const app = join(project.tools, 'next');
    const printed = await node(tool('next/dist/bin/next'), ['build', `--${bundler}`], app);
    assert.doesNotMatch(printed, /palimpsest|warning/i);
    // What a deployment of traced files takes along. With webpack it needs the line in docs/servers.md.
    const traced = readFileSync(join(app, '.next/server/app/api/agent/route.js.nft.json'), 'utf8');
    if (bundler === 'turbopack') assert.match(traced, /palimpsest[\w.-]*\.node"/);
    const model = await startModel(t);
    const args = ['start', '--hostname', '127.0.0.1', '--port', '0'];
    const server = await serve(tool('next/dist/bin/next'), args, app, { MODEL_URL: model.url });
    t.after(server.stop);
    const post = (path, body) =>
      fetch(`${server.url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

    await Promise.all(range(10).map((seed) => compressOverHttp(`${server.url}/api/compress`, conversation(seed))));
    const chat = async (...messages) => {
      const answer = await post('/api/chat', { messages });
      return { status: answer.status, ...(await answer.json()) };
    };
    assert.deepEqual(await chat({ role: 'user', content: 'Good morning.' }), { status: 200, count: 1, fits: true });
    const { status, error } = await chat({ role: 'user', content: 5 });
    assert.deepEqual([status, error.path], [400, 'messages[0].content']);
    assert.match(await (await fetch(server.url)).text(), /Good morning/);

    // What `useChat` sends.
    const messages = conversation(1, 61).map(({ id, role, content }) => ({ id, role, parts: [{ type: 'text', text: content }] }));
    const answer = await post('/api/agent', { id: 'chat', messages, trigger: 'submit-message' });
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /"delta":"Fine\."/);
    assert.equal(model.requests.length, 1);
    assertCut({ sent: characters(model.requests[0]), history: characters(conversation(1, 61)) });
  });
}
