// The proxy between the official clients and the strict loopback providers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentTools, longAgent, startProvider } from '../../../__test__/support/agents/index.mjs';
import { clientsOf, loops, runTool } from '../../../__test__/support/agents/loops.mjs';
import { checkMarks } from '../../../__test__/support/clients.mjs';
import { startProxy } from '../dist/proxy/index.mjs';

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
          .map(({ tool_use_id, content: text }) => [
            tool_use_id,
            typeof text === 'string' ? text : text.map((block) => block.text).join(''),
          ]),
      ),
    ),
  'openai-chat': (request) =>
    new Map(
      (request.messages ?? request).filter(({ role }) => role === 'tool').map(({ tool_call_id, content }) => [tool_call_id, content]),
    ),
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

/** Half of the APIs run long with streams, the other half without; the rest runs for a few steps. */
const RUNS = [
  { name: 'anthropic', stream: true, steps: STEPS },
  { name: 'openai-chat', stream: false, steps: STEPS },
  { name: 'openai-responses', stream: true, steps: STEPS },
  { name: 'gemini', stream: false, steps: STEPS },
  { name: 'anthropic', stream: false, steps: 16 },
  { name: 'openai-chat', stream: true, steps: 16 },
  { name: 'openai-responses', stream: false, steps: 16 },
  { name: 'gemini', stream: true, steps: 16 },
];

for (const { name, stream, steps } of RUNS) {
  const limit = steps === STEPS ? LIMIT : 8000;
  test(`${name}: an agent of ${steps} steps${stream ? ', streamed,' : ''} stays within the limit and keeps the cache`, async (t) => {
    await withProxy(
      longAgent({ steps }),
      async (provider, proxy) => {
        const plain = await loops[name](clientsOf(provider), { stream });
        provider.reset();
        const history = await loops[name](clientsOf(proxy), { stream });
        assert.deepEqual(history, plain);
        const { requests, refused, sent, cachedShare } = provider.sum();
        t.diagnostic(`${sent} tokens sent, ${(100 * cachedShare).toFixed(1)} % cached`);
        assert.equal(requests, steps);
        assert.equal(refused, 0);
        // The server counts more than the session until the first usage was observed.
        for (const { tokens } of provider.requests) assert.ok(tokens <= limit * 1.03, `${tokens} tokens`);
        if (steps === STEPS) assert.ok(cachedShare > 0.7, `${cachedShare}`);
        checkMarks(provider.requests.at(-1).body, history, resultsOf[name]);
      },
      { limit },
    );
  });
}

test('Anthropic: breakpoints on blocks that move with the end stay valid, and counting tokens counts what would be sent', async () => {
  await withProxy(longAgent({ steps: 40 }), async (provider, proxy) => {
    const { anthropic } = clientsOf(proxy);
    const system = [{ type: 'text', text: 'You mend programs.', cache_control: { type: 'ephemeral' } }];
    const tools = agentTools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }));
    const mark = { cache_control: { type: 'ephemeral' } };
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'Find out why the export is slow.' }] }];
    const counted = [];
    for (;;) {
      // The last two messages of the user carry breakpoints, as Claude Code sets them.
      const places = [...messages.keys()].filter((index) => messages[index].role === 'user').slice(-2);
      const marked = messages.map((message, index) =>
        places.includes(index) ? { ...message, content: message.content.with(-1, { ...message.content.at(-1), ...mark }) } : message,
      );
      const request = { model: 'claude-test', system, tools, messages: marked };
      counted.push((await anthropic.messages.countTokens(request)).input_tokens);
      const answer = await anthropic.messages.create({ ...request, max_tokens: 2000 });
      messages.push({ role: 'assistant', content: answer.content });
      if (answer.stop_reason === 'end_turn') break;
      const calls = answer.content.filter(({ type }) => type === 'tool_use');
      messages.push({
        role: 'user',
        content: calls.map(({ id, name, input }) => {
          const { output, error } = runTool(name, input);
          return { type: 'tool_result', tool_use_id: id, content: output, is_error: error };
        }),
      });
    }
    const { refused, cachedShare } = provider.sum();
    assert.equal(refused, 0);
    assert.ok(cachedShare > 0.7, `${cachedShare}`);
    const sent = provider.requests.filter(({ counts }) => !counts);
    assert.equal(sent.length, 40);
    // The last requests were cut, and counting said so before.
    assert.deepEqual(
      counted.slice(-10),
      sent.slice(-10).map(({ tokens }) => tokens),
    );
    for (const count of counted) assert.ok(count <= LIMIT * 1.03, `${count}`);
  });
});
