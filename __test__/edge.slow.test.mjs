// The edge entry of the packed package in WebAssembly gives the results of the native engine, in workerd and in Chromium, which have nothing of
// Node.js.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import * as palimpsest from 'palimpsest';
import { launch, withoutBrowser } from '../packages/cli/__test__/support/browser.mjs';
import { results } from './edge/calls.mjs';
import { ANSWERS, VERBS, work } from './edge/work.mjs';
import { startWorker } from './edge/workerd.mjs';
import { WASM_ENGINE } from './packed/project.mjs';
import { installWasm, withoutWasm as skip } from './support/wasm.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** A user's project, with that package alone. */
const folder = mkdtempSync(join(tmpdir(), 'palimpsest-edge-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let expected;
before(async () => {
  if (skip) return;
  await installWasm(folder);
  for (const name of ['calls.mjs', 'page.mjs', 'parallel.mjs', 'work.mjs', 'worker.mjs'])
    copyFileSync(join(root, '__test__/edge', name), join(folder, name));
  expected = await results(palimpsest);
});

/** The path of what the package exports. */
const installed = (subpath) => createRequire(join(folder, 'package.json')).resolve(`${WASM_ENGINE}/${subpath}`);
const wasm = () => readFileSync(installed('palimpsest.wasm32-wasi.wasm'));
/** The edge entry in Node.js; each call gives one that nothing was called of. */
let copies = 0;
const importEdge = () => import(`${pathToFileURL(installed('edge'))}?${++copies}`);

const KINDS = { mjs: 'esModule', wasm: 'wasm', bin: 'data' };
/** The modules of a worker: its programs, and what the package exports, by the names that users import. */
function modules(...programs) {
  const { exports } = JSON.parse(readFileSync(installed('package.json'), 'utf8'));
  const targets = Object.entries(exports).filter(([, target]) => typeof target === 'object');
  const exported = targets.map(([subpath, { default: file }]) => [
    `${WASM_ENGINE}${subpath.slice(1)}`,
    [KINDS[file.split('.').at(-1)], `node_modules/${WASM_ENGINE}${file.slice(1)}`],
  ]);
  return Object.fromEntries([...programs.map((name) => [name, ['esModule', name]]), ...exported]);
}

test('the edge entry exports what palimpsest does, and two more', { skip }, async () => {
  const names = Object.keys(await importEdge());
  assert.deepEqual(names.sort(), [...Object.keys(palimpsest), 'init', 'loadVocabulary'].sort());
});

test('in workerd', { skip }, async (t) => {
  const worker = await startWorker(folder, modules('worker.mjs', 'calls.mjs'));
  t.after(worker.stop);
  const answer = await fetch(worker.url);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  const { early, unloaded, hasNode, found } = JSON.parse(text);
  assert.equal(hasNode, false);
  assert.match(early.message, /^countTokens\(\): .*await init\(wasm\) before the first call$/);
  assert.match(unloaded.message, /the vocabulary o200k_base is not loaded: give it to loadVocabulary\(\)/);
  for (const [name, value] of Object.entries(expected)) assert.equal(found[name], value, name);
});

/** Starts the worker that takes parallel requests. */
const startParallel = (compatibilityDate) => startWorker(folder, modules('parallel.mjs', 'work.mjs'), compatibilityDate);

test('parallel requests to one isolate each get their own answer', { skip }, async (t) => {
  const seed = randomInt(100_000);
  t.diagnostic(`seed ${seed}`);
  const { url, stop } = await startParallel();
  t.after(stop);
  const kinds = VERBS.flatMap((verb) => ANSWERS.map((answer) => [verb, answer]));
  // Alone, and everything at once.
  for (const requests of [Array(12).fill(kinds[0]), [...kinds, ...kinds, ...kinds]]) {
    const done = requests.map(async ([verb, answer], index) => {
      const one = seed + index;
      const response = await fetch(`${url}?verb=${verb}&answer=${answer}&seed=${one}`);
      const text = await response.text();
      assert.equal(response.status, 200, `${verb}, summarizer ${answer}: ${text}`);
      assert.deepEqual(JSON.parse(text), await work(palimpsest, verb, one, answer), `${verb}, summarizer ${answer}`);
    });
    await Promise.all(done);
  }
});

test('what a worker no longer uses is freed: memory does not grow with the sessions', { skip }, async (t) => {
  const { url, stop } = await startParallel();
  t.after(stop);
  const sizes = [];
  for (let request = 0; request < 90; request++) sizes.push(await (await fetch(`${url}sessions?count=50`)).json());
  t.diagnostic(`${sizes.filter((_, index) => index % 10 === 9).map((size) => Math.round(size / 2 ** 20))} MiB`);
  // 4,500 sessions that are never freed take about 200 MiB.
  assert.ok(sizes.at(-1) < 128 * 2 ** 20, `${sizes.at(-1)} bytes`);
});

test('a runtime without WeakRef is refused by init, which names the remedy', { skip }, async (t) => {
  const { url, stop } = await startParallel('2025-05-04');
  t.after(stop);
  const response = await fetch(`${url}?verb=fit&answer=now&seed=1`);
  assert.equal(response.status, 500);
  assert.match(await response.text(), /^init\(wasm\): this runtime has no WeakRef .*compatibility_date to 2025-05-05 or later$/);
});

test('the oldest compatibility_date that init names works', { skip }, async (t) => {
  const { url, stop } = await startParallel('2025-05-05');
  t.after(stop);
  assert.equal((await fetch(`${url}?verb=fit&answer=now&seed=1`)).status, 200);
});

test('init in a worker says that bytes are no module', { skip }, async (t) => {
  const { url, stop } = await startParallel();
  t.after(stop);
  const response = await fetch(`${url}bytes`, { method: 'POST', body: wasm() });
  assert.match(
    await response.json(),
    /^init\(wasm\): this runtime compiles no WebAssembly from bytes .* give the WebAssembly\.Module of import wasm from/,
  );
});

test('the edge entry has the same results in a page without a charset', { skip }, async () => {
  const bytes = readFileSync(installed('edge'));
  assert.equal(
    bytes.findIndex((byte) => byte > 127),
    -1,
  );
  // As such a page reads it.
  writeFileSync(join(folder, 'latin1.mjs'), bytes.toString('latin1'));
  const latin1 = await import(pathToFileURL(join(folder, 'latin1.mjs')));
  await latin1.init(wasm());
  for (const name of ['o200k_base', 'cl100k_base']) latin1.loadVocabulary(name, readFileSync(installed(`${name}.bin`)));
  const found = await results(latin1);
  for (const [name, value] of Object.entries(expected)) assert.equal(found[name], value, name);
});

test('a call before init names itself, and works after init', { skip }, async () => {
  const { compress, countTokens, createSession, fit, init, prune } = await importEdge();
  const messages = [{ id: 'a', index: 0, role: 'user', content: 'hello' }];
  const calls = {
    compress: () => compress(messages),
    countTokens: () => countTokens(messages, { tokenizer: 'estimate' }),
    fit: () => fit(messages, { limit: 100, tokenizer: 'estimate' }),
    prune: () => prune(messages),
  };
  for (const [name, call] of Object.entries(calls))
    assert.throws(call, {
      code: 'ERR_PALIMPSEST_LOAD',
      message: new RegExp(`^${name}\\(\\): .*await init\\(wasm\\) before the first call$`),
    });
  assert.throws(() => createSession({ limit: 100, tokenizer: 'estimate' }).next(messages), /await init\(wasm\) before the first call$/);
  await init(wasm());
  for (const call of Object.values(calls)) call();
});

test('the worker in docs/edge.md fits messages', { skip }, async (t) => {
  const [, section] = readFileSync(join(root, 'docs/edge.md'), 'utf8').split('## In a worker');
  const [, worker] = section.split(/^```(?:js)?\n/m);
  writeFileSync(join(folder, 'documented.mjs'), worker);
  const { url, stop } = await startWorker(folder, modules('documented.mjs'));
  t.after(stop);
  const messages = Array.from({ length: 40 }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: `${index}. ${'A word. '.repeat(30)}`,
  }));
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ messages, limit: 700 }) });
  assert.deepEqual(await answer.json(), palimpsest.fit(messages, { limit: 700 }).messages);
});

const PAGE = '<!doctype html><meta charset="utf-8"><script type="module" src="./bundle/page.js"></script>';

test('in Chromium, bundled', { skip: skip || withoutBrowser }, async (t) => {
  const loader = { '.wasm': 'file', '.bin': 'file' };
  await build({
    absWorkingDir: folder,
    entryPoints: ['page.mjs'],
    bundle: true,
    format: 'esm',
    outdir: 'bundle',
    publicPath: 'bundle',
    loader,
  });
  const types = { js: 'text/javascript', wasm: 'application/wasm', bin: 'application/octet-stream' };
  const server = createServer(({ url }, response) => {
    const type = types[url.split('.').at(-1)];
    // No eval: a page may forbid it.
    const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
    response.writeHead(200, { 'content-type': type ?? 'text/html', 'content-security-policy': policy });
    response.end(type ? readFileSync(join(folder, url.slice(1))) : PAGE);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const browser = await launch();
  t.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction(() => globalThis.found !== undefined);
  const found = await page.evaluate(() => globalThis.found);
  assert.equal(found.failed, undefined);
  for (const [name, value] of Object.entries(expected)) assert.equal(found[name], value, name);
});

test('wrong arguments are named, and an engine that could not start can be started again', { skip }, async () => {
  const { countTokens, init, loadVocabulary } = await importEdge();
  for (const wrong of [undefined, 42, 'engine.wasm', {}]) await assert.rejects(init(wrong), /^TypeError: init\(wasm\): wasm must be/);
  await assert.rejects(init(new Response('', { status: 404 })), /could not be fetched: 404/);
  await assert.rejects(init(new Uint8Array(8)), WebAssembly.CompileError);
  await Promise.all([init(wasm()), init(Promise.resolve(wasm()))]);
  assert.throws(() => loadVocabulary('p50k_base', new Uint8Array(1)), /^TypeError: loadVocabulary.*o200k_base, cl100k_base/);
  assert.throws(() => loadVocabulary('cl100k_base', 'bytes'), /^TypeError: loadVocabulary.*bytes must be/);
  const count = () => countTokens([{ role: 'user', content: 'hello' }], { tokenizer: 'cl100k_base' });
  loadVocabulary('cl100k_base', new Uint8Array(100));
  assert.throws(count, /the vocabulary cl100k_base that was loaded is not that of this version/);
  loadVocabulary('cl100k_base', readFileSync(installed('cl100k_base.bin')));
  assert.equal(count(), 8);
});

test('the engine has less than a megabyte to download', { skip }, (t) => {
  const bytes = wasm();
  const [gzip, brotli] = [gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
  t.diagnostic(`${bytes.length} bytes, ${gzip} with gzip, ${brotli} with brotli`);
  assert.ok(gzip < 1_000_000, `${gzip} bytes`);
});

test('docs/edge.md says how large the files are', { skip }, () => {
  const page = readFileSync(join(root, 'docs/edge.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([\w.-]+\.(?:mjs|wasm|bin))`[^|]* \| ([\d.]+) MB \| (?:([\d.]+) MB)?/gm)];
  assert.equal(rows.length, 4);
  for (const [, name, size, gzip] of rows) {
    const bytes = readFileSync(installed(name === 'edge.mjs' ? 'edge' : name));
    const isNear = (told, found) => Math.abs(told * 1e6 - found) < 0.1 * found;
    assert.ok(isNear(size, bytes.length), `${name}: ${bytes.length} bytes`);
    if (gzip !== undefined) assert.ok(isNear(gzip, gzipSync(bytes, { level: 9 }).length), `${name}, gzip`);
  }
});
