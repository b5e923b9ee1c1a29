// The proxy under load and before providers that fail: nothing is lost, and memory stays bounded.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { longAgent, startProvider } from '../../../__test__/support/agents/index.mjs';
import { startProxy } from '../dist/proxy/index.mjs';
import { JSON_HEADERS, send, startUpstream } from './raw-http.mjs';

const CHUNK = Buffer.from(`data: {"text":"${'word '.repeat(3000)}"}\n\n`);

/** What the upstream does with a request, by its path's query. */
const answers = {
  /** A stream of so many chunks, no faster than it is read. */
  async stream(response, count) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunks = function* () {
      for (let n = 0; n < count; n++) {
        upstream.written++;
        yield CHUNK;
      }
    };
    await pipeline(Readable.from(chunks(), { objectMode: false }), response).catch(() => {});
  },
  /** Headers and a chunk, and nothing more until the client goes. */
  async hang(response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(CHUNK);
    await once(response, 'close');
    upstream.server.emit('gone');
  },
  /** The connection breaks before the headers. */
  async drop(response) {
    response.destroy();
  },
  /** The connection breaks in the middle. */
  async cut(response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(CHUNK, () => response.destroy());
  },
  async status(response, code) {
    const headers = { 'content-type': 'application/json', 'retry-after': '1', 'x-should-retry': 'false' };
    response.writeHead(code, headers).end(`{"type":"error","error":{"type":"some_error","message":"number ${code}"}}`);
  },
};

let upstream;
let proxy;
before(async () => {
  upstream = await startUpstream((request, response) => {
    const [, name = 'status', number = '200'] = /\?(\w+)=?(\d*)/.exec(request.url) ?? [];
    return answers[name](response, Number(number));
  });
  upstream.written = 0;
  proxy = await startProxy({ limit: 50_000, port: 0, upstream: upstream.url, maxBody: 2 ** 25, maxBuffered: 2 ** 26 });
});
after(async () => {
  await proxy.close(0);
  await upstream.close();
});

const bodyOf = (n, text = '') =>
  JSON.stringify({ model: 'm', max_tokens: 10, stream: true, messages: [{ role: 'user', content: `Question ${n}. ${text}` }] });

/** Sends a request; returns the answer with only its headers read. */
async function open(path, body) {
  const { port } = new URL(proxy.url);
  const request = http.request({ host: '127.0.0.1', port, method: 'POST', path, headers: JSON_HEADERS, agent: false });
  request.on('error', () => {});
  request.end(body);
  const [response] = await once(request, 'response');
  return { request, response };
}

test('200 streams at once arrive whole, each its own', async () => {
  const provider = await startProvider(async ({ conversation }) => ({ text: `The answer to ${conversation}. `.repeat(20) }));
  const own = await startProxy({ limit: 50_000, port: 0, upstream: provider.url });
  try {
    const clients = {
      anthropic: new Anthropic({ apiKey: 'test', baseURL: own.url, maxRetries: 0 }),
      openai: new OpenAI({ apiKey: 'test', baseURL: `${own.url}/v1`, maxRetries: 0 }),
    };
    const ask = {
      anthropic: async (n) => {
        const messages = [{ role: 'user', content: `[conversation a${n}] Hello.` }];
        const answer = await clients.anthropic.messages.stream({ model: 'claude-test', max_tokens: 1000, messages }).finalMessage();
        return [answer.content[0].text, `a${n}`];
      },
      openai: async (n) => {
        const messages = [{ role: 'user', content: `[conversation o${n}] Hello.` }];
        const answer = await clients.openai.chat.completions.stream({ model: 'gpt-test', messages }).finalChatCompletion();
        return [answer.choices[0].message.content, `o${n}`];
      },
    };
    const all = Array.from({ length: 200 }, (_, n) => ask[n % 2 ? 'openai' : 'anthropic'](n));
    for (const [text, name] of await Promise.all(all)) assert.equal(text, `The answer to ${name}. `.repeat(20));
    assert.equal(provider.requests.length, 200);
  } finally {
    await own.close(0);
    await provider.close();
  }
});

test('a slow reader slows its own stream at the provider, and nobody else', async () => {
  const count = 2000; // 30 MB
  upstream.written = 0;
  const { response } = await open(`/v1/messages?stream=${count}`, bodyOf(1));
  response.pause();
  // Other streams pass meanwhile, and take the time in which the first would run ahead.
  for (let n = 0; n < 3; n++) {
    const { bytes } = await send(proxy.url, { path: '/v1/messages?stream=300', headers: JSON_HEADERS, body: bodyOf(2) });
    assert.equal(bytes.length, 300 * CHUNK.length);
  }
  const ahead = upstream.written - 900;
  assert.ok(ahead < count / 2, `${ahead} chunks of ${count} are under way`);
  let length = 0;
  for await (const chunk of response) length += chunk.length;
  assert.equal(length, count * CHUNK.length);
});

test('a stream is passed on at once, and a client that goes ends the request at the provider', async () => {
  const gone = once(upstream.server, 'gone');
  const { request, response } = await open('/v1/messages?hang', bodyOf(3));
  const [first] = await once(response, 'data');
  assert.ok(first.length > 0);
  request.destroy();
  await gone;
});

test('errors of the provider come as they are', async () => {
  for (const code of [400, 401, 429, 500, 529]) {
    const { status, headers, text } = await send(proxy.url, {
      path: `/v1/messages?status=${code}`,
      headers: JSON_HEADERS,
      body: bodyOf(4),
    });
    assert.equal(status, code);
    assert.equal(headers['retry-after'], '1');
    assert.equal(text, `{"type":"error","error":{"type":"some_error","message":"number ${code}"}}`);
  }
  const dropped = await send(proxy.url, { path: '/v1/messages?drop', headers: JSON_HEADERS, body: bodyOf(4) });
  assert.equal(dropped.status, 502);
  assert.match(dropped.text, /palimpsest proxy: the upstream did not answer \(ECONNRESET\)/);
  // A broken stream must not look like one that ended.
  await assert.rejects(send(proxy.url, { path: '/v1/messages?cut', headers: JSON_HEADERS, body: bodyOf(4) }), { code: 'ECONNRESET' });
});

test("clients see the provider's faults as they do without the proxy, and repeat what the provider lets them", async () => {
  const faults = [{ status: 429 }, { status: 500 }, { cut: 700 }];
  const provider = await startProvider(longAgent({ steps: 1 }), { faults: (_turn, n) => faults[n] });
  const own = await startProxy({ limit: 50_000, port: 0, upstream: provider.url });
  try {
    const client = new Anthropic({ apiKey: 'test', baseURL: own.url, maxRetries: 2 });
    const request = { model: 'claude-test', max_tokens: 1000, messages: [{ role: 'user', content: 'Hello.' }] };
    // Two refusals are repeated by the SDK; the stream that breaks off is an error.
    await assert.rejects(client.messages.stream(request).finalMessage());
    const answer = await client.messages.stream(request).finalMessage();
    assert.equal(answer.content[0].text, 'All 1 steps are done.');
    assert.equal(provider.requests.length, 4);
  } finally {
    await own.close(0);
    await provider.close();
  }
});

/** Starts an upstream that answers, until `fail` is set: that is done to a connection once it brought a request, which is then taken. */
async function startTaking() {
  const state = { taken: [], fail: undefined };
  const other = await startUpstream((request, response, { body }) => {
    state.taken.push(body.toString());
    if (state.fail === undefined) return state.answer(response);
    state.fail(request.socket);
  });
  // Connections that wait are answered together, so that there are as many as requests.
  const waiting = [];
  state.keep = async (url, count) => {
    state.answer = (response) => {
      waiting.push(response);
      if (waiting.length === count) for (const one of waiting.splice(0)) one.end('{}');
    };
    const all = Array.from({ length: count }, (_, n) => send(url, { path: '/v1/messages', headers: JSON_HEADERS, body: bodyOf(n) }));
    for (const { status } of await Promise.all(all)) assert.equal(status, 200);
    state.answer = (response) => response.end('{}');
    state.taken.length = 0;
  };
  return Object.assign(state, other);
}

const failures = {
  reset: (socket) => socket.resetAndDestroy(),
  'reset later': (socket) => setImmediate(() => socket.resetAndDestroy()),
  'closed without an answer': (socket) => socket.end(),
};
for (const [name, fail] of Object.entries(failures)) {
  test(`a request that the provider took is not sent again: ${name}`, async () => {
    const other = await startTaking();
    // A larger body passes as it comes, and so does that of another path.
    const own = await startProxy({ limit: 50_000, port: 0, upstream: other.url, maxBody: 300 });
    try {
      for (const [kept, path, size] of [
        [0, '/v1/messages', 1],
        [1, '/v1/messages', 1],
        [2, '/v1/messages', 1],
        [4, '/v1/messages', 1],
        [3, '/v1/messages', 400],
        [3, '/v1/files', 1],
      ]) {
        other.fail = undefined;
        if (kept > 0) await other.keep(own.url, kept);
        other.fail = fail;
        const body = bodyOf(kept, 'a'.repeat(size));
        const { status, text } = await send(own.url, { path, headers: JSON_HEADERS, body });
        assert.deepEqual([status, other.taken], [502, [body]], `${kept} kept connections, ${path}: ${text}`);
        other.taken.length = 0;
      }
    } finally {
      await own.close(0);
      await other.close();
    }
  });
}

test('idle connections that the provider closed cost no request, and each is sent once', async () => {
  const other = await startTaking();
  const own = await startProxy({ limit: 50_000, port: 0, upstream: other.url, maxBody: 300 });
  try {
    for (const [kept, path, size] of [
      [1, '/v1/messages', 1],
      [4, '/v1/messages', 1],
      [4, '/v1/messages', 400],
      [4, '/v1/files', 1],
    ]) {
      await other.keep(own.url, kept);
      const body = bodyOf(kept, 'a'.repeat(size));
      // The proxy learns of it only when it sends the next request.
      other.server.closeIdleConnections();
      const { status } = await send(own.url, { path, headers: JSON_HEADERS, body });
      assert.deepEqual([status, other.taken], [200, [body]]);
    }
  } finally {
    await own.close(0);
    await other.close();
  }
});

test('a connection that the provider closes while a request comes costs nothing, and the request is sent once', async () => {
  const still = new SharedArrayBuffer(4);
  const flag = new Int32Array(still);
  const worker = new Worker(new URL('support/closing-upstream.mjs', import.meta.url), { workerData: still });
  const [url] = await once(worker, 'message');
  const own = await startProxy({ limit: 50_000, port: 0, upstream: url });
  try {
    worker.postMessage(own.url);
    for (;;) {
      const [message] = await once(worker, 'message');
      if (message !== 'stand still') {
        assert.deepEqual(message, { statuses: Array(6).fill('200'), taken: 12 });
        return;
      }
      Atomics.store(flag, 0, 1);
      Atomics.notify(flag, 0);
      Atomics.wait(flag, 0, 1);
    }
  } finally {
    await own.close(0);
    await worker.terminate();
  }
});

test('bodies of 20 MB arrive whole: at once, over the bounds, and in chunks', async () => {
  const text = 'a line of a log that repeats itself\n'.repeat(580_000);
  const bodies = Array.from({ length: 4 }, (_, n) => Buffer.from(JSON.stringify({ model: 'm', stream: false, messages: [], n, text })));
  upstream.requests.length = 0;
  // Three of them fill the room for bodies; what is above it goes through unread.
  await Promise.all(
    bodies.map(async (body) => {
      const { status } = await send(proxy.url, { path: '/v1/messages', headers: JSON_HEADERS, body });
      assert.equal(status, 200);
    }),
  );
  const big = Buffer.concat([bodies[0], bodies[1]]);
  await send(proxy.url, { path: '/v1/messages', headers: JSON_HEADERS, body: big });
  const { request, response } = await chunked(big);
  for await (const _ of response);
  request.destroy();
  const lengths = upstream.requests.map(({ body }) => body.length);
  assert.deepEqual(lengths, [...Array(4).fill(bodies[0].length), big.length, big.length]);
  for (const { body } of upstream.requests.slice(0, 4)) assert.ok(bodies.some((one) => one.equals(body)));
  for (const { body } of upstream.requests.slice(4)) assert.ok(body.equals(big));
  upstream.requests.length = 0;
});

test('the room for bodies is given back', async () => {
  const own = await startProxy({ limit: 50_000, port: 0, upstream: upstream.url, maxBuffered: 500_000 });
  const body = bodyOf(8, 'word '.repeat(60_000));
  const reasons = [];
  for (const [path, count] of [
    ['/v1/messages?status=200', 4],
    ['/v1/messages?drop', 4],
  ]) {
    for (let n = 0; n < count; n++) await send(own.url, { path, headers: JSON_HEADERS, body });
  }
  const seen = await fetch(`${own.url}/palimpsest/events`);
  const { value } = await seen.body.getReader().read();
  for (const { passed, ended } of JSON.parse(Buffer.from(value).toString().slice('data:'.length)).records)
    reasons.push(`${passed} ${ended}`);
  await own.close(0);
  assert.deepEqual(reasons, [...Array(4).fill('undefined whole'), ...Array(4).fill('undefined failed')]);
});

/** Sends a body without a declared length. */
async function chunked(body) {
  const { port } = new URL(proxy.url);
  const request = http.request({ host: '127.0.0.1', port, method: 'POST', path: '/v1/messages', headers: JSON_HEADERS, agent: false });
  for (let at = 0; at < body.length; at += 2 ** 20) {
    if (!request.write(body.subarray(at, at + 2 ** 20))) await once(request, 'drain');
  }
  request.end();
  const [response] = await once(request, 'response');
  return { request, response };
}

test('a client that goes while it sends its body harms nobody', async () => {
  for (const size of [100, 40 * 2 ** 20]) {
    const { port } = new URL(proxy.url);
    const headers = { ...JSON_HEADERS, 'content-length': String(size) };
    const request = http.request({ host: '127.0.0.1', port, method: 'POST', path: '/v1/messages', headers, agent: false });
    const closed = new Promise((resolve) => request.on('error', () => {}).on('close', resolve));
    request.write('{"messages":', () => request.destroy());
    await closed;
  }
  await nextTurn();
  assert.equal((await send(proxy.url, { path: '/v1/messages?status=200', headers: JSON_HEADERS, body: bodyOf(6) })).status, 200);
});

test('closing lets answers end that are under way', async () => {
  let finish;
  const other = await startUpstream(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    await new Promise((resolve) => {
      finish = resolve;
    });
    response.end('data: 2\n\n');
  });
  const own = await startProxy({ limit: 50_000, port: 0, upstream: other.url });
  const answer = send(own.url, { path: '/v1/messages', headers: JSON_HEADERS, body: bodyOf(7) });
  while (finish === undefined) await nextTurn();
  const closed = own.close(60_000);
  await assert.rejects(send(own.url, { method: 'GET', path: '/healthz' }), { code: 'ECONNREFUSED' });
  finish();
  assert.equal((await answer).text, 'data: 1\n\ndata: 2\n\n');
  await closed;
  await other.close();
});
