// The proxy between the official clients and the strict loopback providers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longAgent, startProvider } from '../../../__test__/support/agents/index.mjs';
import { clientsOf, loops } from '../../../__test__/support/agents/loops.mjs';
import { checkMarks } from '../../../__test__/support/clients.mjs';
import { startProxy } from '../src/proxy/index.mjs';

const STEPS = 60;
/** Tokens: a quarter of the conversation, so that there are several epochs. */
const LIMIT = 18_000;

/** Starts the providers, and a proxy before them, for the time of `work`. */
async function withProxy(script, work, { provider: settings, ...options } = {}) {
  const provider = await startProvider(script, { window: 200_000, ...settings });
  const warnings = [];
  const proxy = await startProxy({ limit: LIMIT, port: 0, upstream: provider.url, onWarning: (text) => warnings.push(text), ...options });
  try {
    await work(provider, proxy);
    assert.deepEqual(warnings, []);
  } finally {
    await proxy.close(0);
    await provider.close();
  }
}

const resultsOf = {
  anthropic: (request) =>
    new Map(
      (request.messages ?? request).flatMap(({ content }) =>
        (Array.isArray(content) ? content : [])
          .filter(({ type }) => type === 'tool_result')
          .map(({ tool_use_id, content: text }) => [tool_use_id, typeof text === 'string' ? text : text.map((block) => block.text).join('')]),
      ),
    ),
  'openai-chat': (request) =>
    new Map((request.messages ?? request).filter(({ role }) => role === 'tool').map(({ tool_call_id, content }) => [tool_call_id, content])),
  'openai-responses': (request) =>
    new Map(
      (request.input ?? request).filter(({ type }) => type === 'function_call_output').map(({ call_id, output }) => [call_id, output]),
    ),
  gemini: (request) =>
    new Map(
      (request.contents ?? request).flatMap(({ parts }) =>
        parts
          .filter(({ functionResponse }) => functionResponse)
          .map(({ functionResponse: { id, response } }) => [id, response.output ?? response.error]),
      ),
    ),
};

for (const name of Object.keys(loops)) {
  for (const stream of [false, true]) {
    test(`${name}: an agent of ${STEPS} steps${stream ? ', streamed,' : ''} stays within the limit and keeps the cache`, async (t) => {
      await withProxy(longAgent({ steps: STEPS }), async (provider, proxy) => {
        const plain = await loops[name](clientsOf(provider), { stream });
        provider.reset();
        const history = await loops[name](clientsOf(proxy), { stream });
        assert.deepEqual(history, plain);
        const { requests, refused, sent, cachedShare } = provider.sum();
        t.diagnostic(`${sent} tokens sent, ${(100 * cachedShare).toFixed(1)} % cached`);
        assert.equal(requests, STEPS);
        assert.equal(refused, 0);
        assert.ok(cachedShare > 0.7, `${cachedShare}`);
        for (const { tokens } of provider.requests) assert.ok(tokens <= LIMIT * 1.03, `${tokens} tokens`);
        checkMarks(provider.requests.at(-1).body, history, resultsOf[name]);
      });
    });
  }
}
