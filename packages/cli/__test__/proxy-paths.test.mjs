// To whom a request goes without --upstream: what the providers' own clients send is the oracle, and no key goes to another provider.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import fc from 'fast-check';
import OpenAI from 'openai';
import { listen } from '../../../__test__/support/listen.mjs';
import { cases } from '../../../__test__/support/seed.mjs';
import { providerOf } from '../dist/proxy/apis.mjs';
import { startProxy } from '../dist/proxy/index.mjs';
import { JSON_HEADERS, send, startUpstream } from './raw-http.mjs';

/** Requests of each provider's own client. @type {Record<string, { method: string, path: string, headers: Record<string, string> }[]>} */
const sent = { anthropic: [], openai: [], gemini: [] };

const server = createServer((request, response) => {
  const { method, url, headers } = request;
  sent.gemini.push({ method, path: url.split('?')[0], headers });
  request.resume();
  response.writeHead(400, { 'content-type': 'application/json' }).end('{}');
});
after(() => {
  server.closeAllConnections();
  server.close();
});

/** A `fetch` that only takes down what would be sent. */
const recording =
  (requests) =>
  async (url, { method, headers }) => {
    requests.push({ method: method.toUpperCase(), path: new URL(url).pathname, headers: Object.fromEntries(new Headers(headers)) });
    return Response.json({ error: { message: 'none' } }, { status: 400 });
  };

/** Calls every method of a client's resources with ids in place of whatever it wants. */
async function callAll(resource, isClient = true) {
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(resource))) {
    // Helpers go on by themselves after they returned.
    if (
      isClient ||
      typeof resource[name] !== 'function' ||
      /^_|^constructor$|parse|poll|runTools|toolRunner|stream|wait|worker/i.test(name)
    )
      continue;
    const ids = new Proxy(
      {},
      { get: (_, key) => (typeof key === 'string' && /_id$|name/.test(key) ? 'ID' : undefined), ownKeys: () => [] },
    );
    for (const args of [[{}], [ids], ['ID', ids], ['ID', 'ID', ids]]) {
      try {
        await resource[name](...args);
      } catch {}
    }
  }
  for (const [name, value] of Object.entries(resource))
    if (!name.startsWith('_') && value?._client !== undefined) await callAll(value, false);
}

before(async () => {
  const url = await listen(server);
  const more = { baseURL: 'http://provider.test', maxRetries: 0, logLevel: 'off' };
  await callAll(new Anthropic({ ...more, apiKey: 'key', authToken: null, fetch: recording(sent.anthropic) }));
  const v1 = `${more.baseURL}/v1`;
  await callAll(new OpenAI({ ...more, baseURL: v1, apiKey: 'key', adminAPIKey: 'key', fetch: recording(sent.openai) }));
  for (const apiVersion of ['v1', 'v1beta', 'v1alpha']) {
    const { models, files, caches, batches, fileSearchStores, operations } = new GoogleGenAI({
      apiKey: 'key',
      httpOptions: { baseUrl: url, apiVersion },
    });
    const calls = [
      () => models.generateContent({ model: 'm', contents: 'Hello.' }),
      () => models.generateContentStream({ model: 'tunedModels/m', contents: 'Hello.' }),
      () => models.countTokens({ model: 'm', contents: 'Hello.' }),
      () => models.embedContent({ model: 'm', contents: 'Hello.' }),
      () => models.list(),
      () => models.get({ model: 'm' }),
      () => files.list(),
      () => files.get({ name: 'files/f' }),
      () => files.delete({ name: 'f' }),
      () => files.upload({ file: new Blob(['text'], { type: 'text/plain' }) }),
      () => caches.list(),
      () => caches.create({ model: 'm', config: {} }),
      () => caches.get({ name: 'cachedContents/c' }),
      () => batches.list(),
      () => batches.create({ model: 'm', src: [{ contents: 'Hello.' }] }),
      () => batches.cancel({ name: 'batches/b' }),
      () => fileSearchStores.list(),
      () => fileSearchStores.importFile({ fileSearchStoreName: 'fileSearchStores/s', fileName: 'files/f' }),
      () => operations.get({ operation: { name: 'models/m/operations/o' } }),
    ];
    for (const call of calls) await call().catch(() => {});
  }
});

const ROOTS = {
  anthropic: /^\/v1\/(?:messages|models|files|skills)(?:\/|$)/,
  openai:
    /^\/v1\/(?:responses|chat|conversations|completions|embeddings|moderations|audio\/(?:speech|tr)|images|models|files|uploads|batches|vector_stores|containers|skills)(?:\/|$)/,
  gemini: /./,
};

test("what a provider's own client asks its models goes to this provider", () => {
  for (const [provider, least] of [
    ['anthropic', 15],
    ['openai', 60],
    ['gemini', 50],
  ]) {
    const requests = sent[provider].filter(({ path }) => ROOTS[provider].test(path));
    assert.ok(requests.length >= least, `${requests.length} requests of ${provider}`);
    for (const { method, path, headers } of requests) assert.equal(providerOf(path, headers), provider, `${method} ${path}`);
  }
});

test('nothing that a client of one provider asks goes to another one, whatever its key is called', () => {
  for (const [provider, requests] of Object.entries(sent)) {
    for (const { method, path, headers } of requests) {
      const found = providerOf(path, headers);
      assert.ok(found === provider || found === undefined, `${method} ${path} of ${provider} to ${found}`);
      assert.equal(providerOf(path, { ...headers, authorization: 'Bearer x', 'x-api-key': 'x' }), found, path);
    }
  }
});

/** Paths of gateways and of other providers, with whatever headers their clients send. */
const FOREIGN = [
  '/api/v1/chat/completions',
  '/api/v1/messages',
  '/api/anthropic/v1/messages',
  '/api/paas/v4/chat/completions',
  '/anthropic/v1/messages',
  '/backend-api/codex/responses',
  '/openai/v1/responses',
  '/openai/v1/chat/completions',
  '/openai/deployments/d/chat/completions',
  '/openai/deployments/d/responses',
  '/inference/v1/chat/completions',
  '/compatible-mode/v1/chat/completions',
  '/model/m/invoke',
  '/model/m/converse',
  '/chat/completions',
  '/messages',
  '/v1/projects/p/locations/l/publishers/anthropic/models/m:rawPredict',
  '/v1/projects/p/locations/l/publishers/google/models/m:generateContent',
  '/v1beta1/projects/p/locations/l/endpoints/openapi/chat/completions',
  '/v1beta1/publishers/google/models/m:generateContent',
  '/v1/publishers/google/models/m:generateContent',
  '/v1/files',
  '/v1/files/f/content',
  '/v1/models',
  '/v1/models/m',
  '/v1/batches',
  '/v1/rerank',
  '/v1/fim/completions',
  '/v1/agents/completions',
  '/v2/chat',
  '/v1/unheard-of',
  '/v1',
  '/v1/',
  '/api/',
];

test("a path that is nobody's, or more than one provider's, has no provider, whatever the key is called", () => {
  for (const path of FOREIGN) {
    for (const headers of [{}, { authorization: 'Bearer x' }, { 'x-api-key': 'x' }, { 'api-key': 'x' }]) {
      assert.equal(providerOf(path, headers), undefined, path);
    }
  }
  // Only the paths that several have are told apart by their clients.
  const [agent, version] = [{ 'user-agent': 'OpenAI/Python 2.0.0' }, { 'anthropic-version': '2023-06-01' }];
  for (const path of FOREIGN.filter((one) => !/^\/v1\/(?:files|models|batches)/.test(one))) {
    for (const headers of [agent, version, { 'x-goog-api-key': 'x' }]) assert.equal(providerOf(path, headers), undefined, path);
  }
  assert.equal(providerOf('/v1/files', agent), 'openai');
  assert.equal(providerOf('/v1/files', version), 'anthropic');
  assert.equal(providerOf('/v1/files', { ...agent, ...version }), undefined);
});

test("a known path with anything before it or after it, or of another version, is nobody's", () => {
  const known = Object.values(sent)
    .flat()
    .filter(({ path, headers }) => providerOf(path, headers) !== undefined);
  const segment = fc.stringMatching(/^[\w.~!$&'()+,;=:@-]{1,12}$/);
  const variants = fc.oneof(
    fc.tuple(segment, fc.constantFrom(...known)).map(([prefix, { path, headers }]) => [`/${prefix}${path}`, headers]),
    fc
      .tuple(fc.constantFrom(...known), fc.array(segment, { minLength: 5, maxLength: 6 }))
      .map(([{ path, headers }, rest]) => [`${path}/${rest.join('/')}`, headers]),
    fc.constantFrom(...known).map(({ path, headers }) => [`${path}/`, headers]),
    fc
      .tuple(fc.constantFrom(...known), fc.constantFrom('v2', 'v1beta1', 'v1beta2', 'V1', 'v11', 'v1internal', 'v'))
      .map(([{ path, headers }, version]) => [path.replace(/\/v1[a-z]*(?=\/)/, `/${version}`), headers]),
  );
  fc.assert(
    fc.property(variants, ([path, headers]) => {
      // `/upload` before one of Gemini's is Gemini's, too.
      if (!path.startsWith('/upload/v1')) assert.equal(providerOf(path, headers), undefined, path);
    }),
    { numRuns: cases(2000) },
  );
});

test('what has no provider is answered here, with what to do, and no key leaves', async () => {
  const providers = { anthropic: await startUpstream(), openai: await startUpstream(), gemini: await startUpstream() };
  const upstream = Object.fromEntries(Object.entries(providers).map(([name, { url }]) => [name, url]));
  const proxy = await startProxy({ limit: 2000, port: 0, upstream });
  try {
    for (const path of FOREIGN) {
      for (const method of ['POST', 'GET']) {
        const { status, text } = await send(proxy.url, { method, path, headers: { ...JSON_HEADERS, authorization: 'Bearer x' } });
        assert.deepEqual([status, /name one with --upstream URL/.test(text)], [404, true], path);
      }
    }
    for (const { requests } of Object.values(providers)) assert.deepEqual(requests, []);
    for (const [path, provider] of [
      ['/v1/messages', 'anthropic'],
      ['/v1/responses', 'openai'],
      ['/v1beta/models/m:generateContent', 'gemini'],
      ['/v1beta/openai/chat/completions', 'gemini'],
    ]) {
      const { status } = await send(proxy.url, {
        path: `${path}?x=1`,
        headers: { ...JSON_HEADERS, authorization: 'Bearer x' },
        body: '{}',
      });
      assert.deepEqual([status, providers[provider].requests.pop()?.url], [200, `${path}?x=1`]);
    }
  } finally {
    await proxy.close(0);
    for (const { close } of Object.values(providers)) await close();
  }
});
