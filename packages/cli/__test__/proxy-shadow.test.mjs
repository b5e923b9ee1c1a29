// Shadow requests of the proxy: what they find, and that no request of a client feels them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkReport, forgetful, until } from '../../../__test__/support/agents/forgetful.mjs';
import { startProvider } from '../../../__test__/support/agents/index.mjs';
import { clientsOf, loops } from '../../../__test__/support/agents/loops.mjs';
import { startProxy } from '../dist/proxy/index.mjs';
import { JSON_HEADERS, send, startUpstream } from './raw-http.mjs';

for (const format of ['anthropic', 'openai-chat', 'openai-responses', 'gemini']) {
  for (const stream of [false, true]) {
    test(`${format}, ${stream ? 'streamed' : 'whole'}: the share of changed actions is found, beside the noise of the model`, async () => {
      let proxy;
      const isDone = (open) => proxy.shadow.compared + proxy.shadow.failed + open === proxy.shadow.requests;
      const provider = await startProvider(
        forgetful(() => until(() => isDone(1))),
        { window: 200_000 },
      );
      const shadowing = { shadow: 1, shadowTokens: 10_000_000 };
      proxy = await startProxy({ limit: 3000, port: 0, upstream: provider.url, ...shadowing, onWarning: assert.fail });
      try {
        await loops[format](clientsOf(proxy), { stream });
        await until(() => isDone(0));
        checkReport(proxy.shadow, provider.requests);
      } finally {
        await proxy.close(0);
        await provider.close();
      }
    });
  }
}

const WORDS = Array.from({ length: 3000 }, (_, n) => `entry ${n} of the table`).join('\n');
/** A request that is cut, and whose answer the upstream below gives. */
const BODY = JSON.stringify({
  model: 'm',
  max_tokens: 10,
  messages: [
    { role: 'user', content: WORDS },
    { role: 'assistant', content: 'Read.' },
    { role: 'user', content: 'And now?' },
  ],
});
const ANSWER = JSON.stringify({
  type: 'message',
  content: [{ type: 'text', text: 'Now.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 10, output_tokens: 1 },
});

/** Runs a proxy before an upstream that treats whole requests as `whole` does. */
async function withShadow(whole, work, options = {}) {
  const answer = (response) => response.writeHead(200, JSON_HEADERS).end(ANSWER);
  const isShadow = (body) => body.length === BODY.length;
  const upstream = await startUpstream((request, response, { body }) =>
    isShadow(body) ? whole(response, request) : void answer(response),
  );
  const proxy = await startProxy({ limit: 2000, port: 0, upstream: upstream.url, shadow: 1, onWarning: assert.fail, ...options });
  const ask = (headers = {}) => send(proxy.url, { path: '/v1/messages', headers: { ...JSON_HEADERS, ...headers }, body: BODY });
  try {
    await work({ proxy, ask, shadows: () => upstream.requests.filter(({ body }) => isShadow(body)) });
  } finally {
    await proxy.close(0);
    await upstream.close();
  }
}

const FAILURES = {
  refuses: (response) => response.writeHead(429, JSON_HEADERS).end('{}'),
  'breaks off': (response) => {
    response.writeHead(200, JSON_HEADERS).write(ANSWER.slice(0, 20));
    setTimeout(() => response.destroy(), 5);
  },
  'hangs up': (response) => response.destroy(),
  'says nothing that is known': (response) => response.writeHead(200, JSON_HEADERS).end('[1, null, "x"]'),
};
for (const [name, whole] of Object.entries(FAILURES)) {
  test(`where the provider ${name}, the client has its answer, and the shadow rests`, async () => {
    await withShadow(whole, async ({ proxy, ask, shadows }) => {
      const { status, text } = await ask();
      assert.deepEqual([status, text], [200, ANSWER]);
      await until(() => proxy.shadow.failed === 1);
      assert.equal((await ask()).text, ANSWER);
      await sleep(50);
      assert.deepEqual([shadows().length, proxy.shadow.requests, proxy.shadow.compared], [1, 2, 0]);
    });
  });
}

test('the client has its answer before the provider hears of a shadow; headers are its own but for those of one request', async () => {
  let answered = false;
  const whole = (response) => {
    assert.ok(answered);
    response.writeHead(200, JSON_HEADERS).end(ANSWER);
  };
  await withShadow(whole, async ({ proxy, ask, shadows }) => {
    const asking = ask({ 'x-api-key': 'own', 'idempotency-key': 'once' });
    asking.then(() => (answered = true));
    await asking;
    await until(() => proxy.shadow.compared === 1);
    for (const { headers, body } of shadows()) {
      assert.equal(headers['x-api-key'], 'own');
      assert.equal(headers['idempotency-key'], undefined);
      assert.equal(body.toString(), BODY);
    }
    assert.deepEqual([shadows().length, proxy.shadow.changed.count, proxy.shadow.tokens], [2, 0, 22]);
  });
});

test('closing ends shadow requests that are under way', async () => {
  await withShadow(
    () => {},
    async ({ proxy, ask, shadows }) => {
      await ask();
      await until(() => shadows().length === 1);
      await proxy.close(0);
      await until(() => shadows()[0].isAborted);
    },
  );
});

test('nothing is sent whole unless it is asked for, nor beyond the tokens that it may take', async () => {
  for (const options of [{ shadow: undefined }, { shadowTokens: 100 }]) {
    await withShadow(
      assert.fail,
      async ({ ask, shadows }) => {
        await ask();
        await sleep(50);
        assert.equal(shadows().length, 0);
      },
      options,
    );
  }
});

test('what was spent goes on after a restart; what was found, if the limit is the same', async () => {
  let state;
  const options = { onState: (next) => (state = JSON.parse(JSON.stringify(next))) };
  const whole = (response) => void response.writeHead(200, JSON_HEADERS).end(ANSWER);
  const once = async ({ proxy, ask }) => {
    const before = proxy.shadow.compared;
    await ask();
    await until(() => proxy.shadow.compared === before + 1);
  };
  await withShadow(whole, once, options);
  assert.deepEqual([state.totals.requests, state.shadow.compared, state.shadow.tokens], [1, 1, 22]);
  assert.ok(!JSON.stringify(state).includes('entry'));
  await withShadow(whole, once, { ...options, state });
  assert.deepEqual([state.totals.requests, state.shadow.compared, state.shadow.tokens], [2, 2, 44]);
  await withShadow(whole, once, { ...options, state, limit: 3000 });
  assert.deepEqual([state.totals.requests, state.shadow.compared, state.shadow.tokens], [3, 1, 66]);
});

/** What a page is told first. */
async function firstNews({ url }) {
  const events = await fetch(`${url}/palimpsest/events`);
  const { value } = await events.body.getReader().read();
  return JSON.parse(Buffer.from(value).toString().slice('data:'.length));
}

test('the page is told live', async () => {
  const whole = (response) => void response.writeHead(200, JSON_HEADERS).end(ANSWER);
  await withShadow(whole, async ({ proxy, ask }) => {
    await ask();
    await until(() => proxy.shadow.compared === 1);
    assert.deepEqual((await firstNews(proxy)).shadow, proxy.shadow);
  });
});

test("requests of an agent whose provider runs tools can't be compared, which is said at once, and on the page", async () => {
  const warnings = [];
  const tools = [
    { type: 'function', name: 'shell', parameters: { type: 'object' } },
    { type: 'web_search', external_web_access: false },
  ];
  // As Codex asks without any settings.
  const body = JSON.stringify({
    model: 'gpt-5.5',
    store: false,
    tools,
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: WORDS }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Read.' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'And now?' }] },
    ],
  });
  const answer = { object: 'response', status: 'completed', output: [], usage: { input_tokens: 10, output_tokens: 1 } };
  const upstream = await startUpstream((_request, response) => response.writeHead(200, JSON_HEADERS).end(JSON.stringify(answer)));
  const options = { limit: 2000, port: 0, upstream: upstream.url, onWarning: (text) => warnings.push(text) };
  // Of so small a share nothing is sampled here.
  const proxy = await startProxy({ ...options, shadow: 1e-9 });
  try {
    for (let count = 0; count < 2; count++) await send(proxy.url, { path: '/v1/responses', headers: JSON_HEADERS, body });
    assert.equal(upstream.requests.length, 2);
    const reason = 'the provider runs tools for it (web_search)';
    assert.deepEqual(warnings, [`a cut request can't be compared, because ${reason}: to compare, switch that off in the agent`]);
    assert.equal((await firstNews(proxy)).leftOut, reason);
  } finally {
    await proxy.close(0);
    await upstream.close();
  }
});
