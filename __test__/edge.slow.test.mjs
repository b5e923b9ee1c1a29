// palimpsest/edge gives the results of the native engine, in workerd and in Chromium, which have nothing of Node.js.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import * as palimpsest from '../index.mjs';
import { launch, withoutBrowser } from '../packages/cli/__test__/support/browser.mjs';
import { bundleEdge } from '../scripts/wasm-bundles.mjs';
import { results } from './edge/calls.mjs';
import { ANSWERS, VERBS, work } from './edge/work.mjs';
import { startWorker } from './edge/workerd.mjs';
import { withoutWasm as skip, wasmFile as wasm } from './support/wasm.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-edge-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let expected;
before(async () => {
  if (skip) return;
  await bundleEdge(folder);
  copyFileSync(wasm, join(folder, 'engine.wasm'));
  for (const name of ['calls.mjs', 'parallel.mjs', 'work.mjs', 'worker.mjs'])
    copyFileSync(join(root, '__test__/edge', name), join(folder, name));
  for (const name of ['o200k_base.bin', 'cl100k_base.bin'])
    copyFileSync(join(root, 'crates/tokens/vocabularies', name), join(folder, name));
  expected = await results(palimpsest);
});

test('in workerd', { skip }, async (t) => {
  const worker = await startWorker(folder, {
    'worker.mjs': ['esModule', 'worker.mjs'],
    'calls.mjs': ['esModule', 'calls.mjs'],
    'edge.mjs': ['esModule', 'edge.mjs'],
    'engine.wasm': ['wasm', 'engine.wasm'],
    'o200k_base.bin': ['data', 'o200k_base.bin'],
    'cl100k_base.bin': ['data', 'cl100k_base.bin'],
  });
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

const PARALLEL = {
  'parallel.mjs': ['esModule', 'parallel.mjs'],
  'work.mjs': ['esModule', 'work.mjs'],
  'edge.mjs': ['esModule', 'edge.mjs'],
  'engine.wasm': ['wasm', 'engine.wasm'],
};

test('parallel requests to one isolate each get their own answer', { skip }, async (t) => {
  const seed = randomInt(100_000);
  t.diagnostic(`seed ${seed}`);
  const { url, stop } = await startWorker(folder, PARALLEL);
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
  const { url, stop } = await startWorker(folder, PARALLEL);
  t.after(stop);
  const sizes = [];
  for (let request = 0; request < 90; request++) sizes.push(await (await fetch(`${url}sessions?count=50`)).json());
  t.diagnostic(`${sizes.filter((_, index) => index % 10 === 9).map((size) => Math.round(size / 2 ** 20))} MiB`);
  // 4,500 sessions that are never freed take about 200 MiB.
  assert.ok(sizes.at(-1) < 128 * 2 ** 20, `${sizes.at(-1)} bytes`);
});

test('a runtime without WeakRef is refused by init, which names the remedy', { skip }, async (t) => {
  const { url, stop } = await startWorker(folder, PARALLEL, '2025-05-04');
  t.after(stop);
  const response = await fetch(`${url}?verb=fit&answer=now&seed=1`);
  assert.equal(response.status, 500);
  assert.match(await response.text(), /^init\(wasm\): this runtime has no WeakRef .*compatibility_date to 2025-05-05 or later$/);
});

test('the oldest compatibility_date that init names works', { skip }, async (t) => {
  const { url, stop } = await startWorker(folder, PARALLEL, '2025-05-05');
  t.after(stop);
  assert.equal((await fetch(`${url}?verb=fit&answer=now&seed=1`)).status, 200);
});

test('init in a worker says that bytes are no module', { skip }, async (t) => {
  const { url, stop } = await startWorker(folder, PARALLEL);
  t.after(stop);
  const response = await fetch(`${url}bytes`, { method: 'POST', body: readFileSync(wasm) });
  assert.match(
    await response.json(),
    /^init\(wasm\): this runtime compiles no WebAssembly from bytes .* give the WebAssembly\.Module of import wasm from/,
  );
});

test('edge.mjs has the same results in a page without a charset', { skip }, async () => {
  const bytes = readFileSync(join(folder, 'edge.mjs'));
  assert.equal(
    bytes.findIndex((byte) => byte > 127),
    -1,
  );
  // As such a page reads it.
  writeFileSync(join(folder, 'latin1.mjs'), bytes.toString('latin1'));
  const latin1 = await import(pathToFileURL(join(folder, 'latin1.mjs')));
  await latin1.init(readFileSync(wasm));
  for (const name of ['o200k_base', 'cl100k_base']) latin1.loadVocabulary(name, readFileSync(join(folder, `${name}.bin`)));
  const found = await results(latin1);
  for (const [name, value] of Object.entries(expected)) assert.equal(found[name], value, name);
});

test('a call before init names itself, and works after init', { skip }, async () => {
  copyFileSync(join(folder, 'edge.mjs'), join(folder, 'early.mjs'));
  const { compress, countTokens, createSession, fit, init, prune } = await import(pathToFileURL(join(folder, 'early.mjs')));
  const messages = [{ id: 'a', index: 0, role: 'user', content: 'hello' }];
  const calls = {
    compress: () => compress(messages),
    countTokens: () => countTokens(messages, { tokenizer: 'estimate' }),
    fit: () => fit(messages, { budget: 100, tokenizer: 'estimate' }),
    prune: () => prune(messages),
  };
  for (const [name, call] of Object.entries(calls))
    assert.throws(call, {
      code: 'ERR_PALIMPSEST_LOAD',
      message: new RegExp(`^${name}\\(\\): .*await init\\(wasm\\) before the first call$`),
    });
  assert.throws(() => createSession({ limit: 100, tokenizer: 'estimate' }).next(messages), /await init\(wasm\) before the first call$/);
  await init(readFileSync(wasm));
  for (const call of Object.values(calls)) call();
});

test('the worker in docs/edge.md fits messages', { skip }, async (t) => {
  const [, section] = readFileSync(join(root, 'docs/edge.md'), 'utf8').split('## In a worker');
  const [, worker] = section.split(/^```(?:js)?\n/m);
  writeFileSync(join(folder, 'documented.mjs'), worker);
  const engine = '@palimpsest/engine-wasm32-wasi';
  const { url, stop } = await startWorker(folder, {
    'documented.mjs': ['esModule', 'documented.mjs'],
    'palimpsest/edge': ['esModule', 'edge.mjs'],
    [`${engine}/palimpsest.wasm32-wasi.wasm`]: ['wasm', 'engine.wasm'],
    [`${engine}/o200k_base.bin`]: ['data', 'o200k_base.bin'],
  });
  t.after(stop);
  const messages = Array.from({ length: 40 }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: `${index}. ${'A word. '.repeat(30)}`,
  }));
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ messages, budget: 700 }) });
  assert.deepEqual(await answer.json(), palimpsest.fit(messages, { budget: 700 }).messages);
});

const PAGE = `<!doctype html><meta charset="utf-8"><script type="module">
import * as palimpsest from './edge.mjs';
import { results } from './calls.mjs';
try {
  await palimpsest.init(fetch('./engine.wasm'));
  for (const name of ['o200k_base', 'cl100k_base']) palimpsest.loadVocabulary(name, await (await fetch('./' + name + '.bin')).arrayBuffer());
  globalThis.found = await results(palimpsest);
} catch (error) {
  globalThis.found = { failed: error.stack };
}
</script>`;

test('in Chromium', { skip: skip || withoutBrowser }, async (t) => {
  const types = { mjs: 'text/javascript', wasm: 'application/wasm', bin: 'application/octet-stream' };
  const server = createServer(({ url }, response) => {
    const type = types[url.split('.').at(-1)];
    // No eval: a page may forbid it.
    const policy = "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'";
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
  const { countTokens, init, loadVocabulary } = await import(pathToFileURL(join(folder, 'edge.mjs')));
  for (const wrong of [undefined, 42, 'engine.wasm', {}]) await assert.rejects(init(wrong), /^TypeError: init\(wasm\): wasm must be/);
  await assert.rejects(init(new Response('', { status: 404 })), /could not be fetched: 404/);
  await assert.rejects(init(new Uint8Array(8)), WebAssembly.CompileError);
  await Promise.all([init(readFileSync(wasm)), init(Promise.resolve(readFileSync(wasm)))]);
  assert.throws(() => loadVocabulary('p50k_base', new Uint8Array(1)), /^TypeError: loadVocabulary.*o200k_base, cl100k_base/);
  assert.throws(() => loadVocabulary('cl100k_base', 'bytes'), /^TypeError: loadVocabulary.*bytes must be/);
  const count = () => countTokens([{ role: 'user', content: 'hello' }], { tokenizer: 'cl100k_base' });
  loadVocabulary('cl100k_base', new Uint8Array(100));
  assert.throws(count, /the vocabulary cl100k_base that was loaded is not that of this version/);
  loadVocabulary('cl100k_base', readFileSync(join(folder, 'cl100k_base.bin')));
  assert.equal(count(), 8);
});

test('the engine has less than a megabyte to download', { skip }, (t) => {
  const bytes = readFileSync(wasm);
  const [gzip, brotli] = [gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
  t.diagnostic(`${bytes.length} bytes, ${gzip} with gzip, ${brotli} with brotli`);
  assert.ok(gzip < 1_000_000, `${gzip} bytes`);
});
