// palimpsest/web: the same endpoint over web-standard requests, with the real Hono, and as Next.js calls a route handler.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { Hono } from 'hono';
import Anthropic from '@anthropic-ai/sdk';
import { chatParser } from 'palimpsest/express';
import { createChatParser } from 'palimpsest/web';
import { serve } from '../support/agents/endpoint.mjs';
import { longAgent, startProvider } from '../support/agents/index.mjs';
import { clientsOf, loops } from '../support/agents/loops.mjs';
import { listen } from '../support/listen.mjs';

/** Runs `work` with a server that hands web-standard requests to `fetch`. */
async function withFetch(fetch, work) {
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const answer = await fetch(
      new Request(`http://${headers.host}${url}`, { method, headers, body: Readable.toWeb(request), duplex: 'half' }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  const origin = await listen(server);
  try {
    return await work(origin);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const post = (body, headers = {}) =>
  new Request('http://localhost/', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body, duplex: 'half' });
const hi = { messages: [{ role: 'user', content: 'Hi.' }] };

test('Hono: an agent of 45 steps goes through the route to the provider', async (t) => {
  const limit = 20_000;
  const provider = await startProvider(longAgent(), { window: limit + 2500 });
  try {
    let last;
    const client = new Anthropic({ apiKey: 'test', baseURL: provider.url, maxRetries: 0 });
    const parseChat = createChatParser({ limit });
    const app = new Hono();
    app.post('/v1/messages', async (context) => {
      last = await parseChat(context.req.raw);
      if (last instanceof Response) return last;
      const answer = await client.messages.create(last.request);
      last.observe(answer.usage);
      return context.json(answer);
    });
    const history = await withFetch(app.fetch, (url) => loops.anthropic(clientsOf({ url })));
    const { requests, refused, sent, cachedShare } = provider.sum();
    assert.deepEqual([requests, refused], [45, 0]);
    assert.equal(history.filter(({ role }) => role === 'assistant').length, 45);
    assert.ok(cachedShare > 0.8);
    const { tokens, epochs, requests: counted } = last.session.report;
    assert.equal(counted, 45);
    // The session counts what the provider reads from its cache by itself.
    assert.ok(Math.abs(tokens.cached / tokens.sent - cachedShare) < 0.02);
    assert.ok(epochs.limit + epochs.turn >= 3);
    t.diagnostic(`${sent} tokens sent, ${(100 * cachedShare).toFixed(1)}% cached, ${epochs.limit + epochs.turn} epochs`);
  } finally {
    await provider.close();
  }
});

test('a route handler as Next.js calls it gives the response to what is wrong', async () => {
  const parseChat = createChatParser({ model: 'gpt-5.5' });
  const POST = async (request) => {
    const chat = await parseChat(request);
    return chat instanceof Response ? chat : Response.json({ count: chat.messages.length, format: chat.format });
  };
  assert.deepEqual(await (await POST(post(JSON.stringify(hi)))).json(), { count: 1, format: 'openai-chat' });
  const refused = await POST(post('{"messages":[{"role":"user","content":5}]}'));
  assert.deepEqual([refused.status, (await refused.json()).error.path], [400, 'messages[0].content']);
  // No body at all.
  assert.equal(
    (await POST(new Request('http://localhost/', { method: 'POST', headers: { 'content-type': 'application/json' } }))).status,
    400,
  );
});

test('messages that don’t show their format are in that of the server’s model, or of the client’s', async () => {
  const formatFor = async (options, body) => (await createChatParser({ limit: 1000, ...options })(post(JSON.stringify(body)))).format;
  assert.equal(await formatFor({}, hi), 'openai-chat');
  assert.equal(await formatFor({ model: 'claude-opus-5' }, hi), 'anthropic');
  assert.equal(await formatFor({ model: 'claude-opus-5' }, { ...hi, model: 'gpt-5.5' }), 'anthropic');
  assert.equal(await formatFor({}, { ...hi, model: 'claude-opus-5' }), 'anthropic');
  assert.equal(await formatFor({ model: 'claude-opus-5' }, { messages: [{ role: 'user', content: 'Hi.', id: 'm', index: 0 }] }), 'message');
  assert.equal(await formatFor({ model: 'claude-opus-5', format: 'openai-chat' }, hi), 'openai-chat');
});

test('it answers as the middleware of Express does', async () => {
  const options = { limit: 1000, maxBytes: 50_000, maxMessages: 100 };
  const parseChat = createChatParser(options);
  const app = await serve((server) => server.use(chatParser(options), (_, response) => response.json({})));
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  const chunks = () => {
    let left = 100;
    return new ReadableStream({ pull: (one) => (left-- > 0 ? one.enqueue(new Uint8Array(5000).fill(32)) : one.close()) });
  };
  const cases = [
    [() => JSON.stringify(hi)],
    [() => ''],
    [() => '{"messages"'],
    [() => 'null'],
    [() => deep],
    [() => `{"messages":[{"role":"user","content":${deep}}]}`],
    [() => JSON.stringify({ messages: Array(101).fill({}) })],
    [() => JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(60_000) }] })],
    [chunks],
    [() => Buffer.from([0x7b, 0xff, 0x7d])],
    [() => JSON.stringify(hi), { 'content-type': 'text/plain' }],
    [() => JSON.stringify(hi), { 'content-encoding': 'br' }],
    [() => '{"__proto__":{"a":1},"messages":[{"role":"user","content":"Hi.","__proto__":{"b":1}}]}'],
    [() => JSON.stringify({ input: [{ role: 'user', content: 5 }] })],
  ];
  try {
    const statuses = new Set();
    for (const [body, headers] of cases) {
      const chat = await parseChat(post(body(), headers));
      const answer = chat instanceof Response ? chat : Response.json({});
      const sent = await fetch(app.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: body(),
        duplex: 'half',
      });
      assert.deepEqual([answer.status, await answer.json()], [sent.status, await sent.json()]);
      statuses.add(answer.status);
    }
    assert.deepEqual([...statuses].sort(), [200, 400, 413, 415]);
  } finally {
    await app.close();
  }
});

test('mistakes of the server are errors, not answers', async () => {
  assert.throws(
    () => createChatParser({ limits: 5 }),
    /^TypeError: createChatParser\(\): options\.limits is not an option: did you mean options\.limit\?/,
  );
  const parseChat = createChatParser({ limit: 1000 });
  await assert.rejects(parseChat({}), { name: 'TypeError', message: 'parseChat(): request must be a Request, got object' });
  const read = post(JSON.stringify(hi));
  await read.text();
  await assert.rejects(parseChat(read), { name: 'TypeError', message: 'parseChat(): the body of the request was read before' });
});

test('a client that is gone rejects', async () => {
  const error = new Error('gone');
  let count = 0;
  const body = new ReadableStream({ pull: (one) => (count++ < 3 ? one.enqueue(new Uint8Array([32])) : one.error(error)) });
  await assert.rejects(createChatParser({ limit: 1000 })(post(body)), error);
});

test('a failure of ours lets the request go on as it came', async () => {
  const errors = [];
  const session = () => Promise.reject(new Error('The store is down.'));
  const parseChat = createChatParser({
    session,
    onError: (error, { params }) => void errors.push([error.message, new URL(params.url).pathname]),
  });
  const chat = await parseChat(post(JSON.stringify(hi)));
  assert.deepEqual([chat.request, chat.step, errors], [hi, undefined, [['The store is down.', '/']]]);
  assert.equal(chat.messages, chat.request.messages);
  chat.observe({ prompt_tokens: 3 });
});
