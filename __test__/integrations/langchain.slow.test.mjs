// palimpsest/langchain in agents of LangChain, with the loopback providers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { MemorySaver } from '@langchain/langgraph';
import { BaseMessage, createMiddleware, HumanMessage, providerStrategy, toolStrategy } from 'langchain';
import { z } from 'zod';
import { palimpsestMiddleware } from 'palimpsest/langchain';
import { image, longAgent } from '../support/agents/index.mjs';
import { testSessions } from '../support/clients.mjs';
import {
  agentOf,
  ANSWER,
  CHATS,
  LIMIT,
  providerOf,
  recorded,
  said,
  sentIn,
  SMALL,
  stateOf,
  threadOf,
  TURNS,
  user,
} from '../support/langchain.mjs';

const STEPS = 45;

/** Sums what the marks of a request say about messages that went: how many, and how many calls of each tool. */
function goneIn(request) {
  const gone = { messages: 0, calls: {} };
  for (const [, count, list] of JSON.stringify(request.body).matchAll(/\[… (\d+) messages?: ([^\]]*)\]/g)) {
    gone.messages += Number(count);
    for (const [, name, times] of list.matchAll(/(\w+)(?: ×(\d+))?/g)) gone.calls[name] = (gone.calls[name] ?? 0) + Number(times ?? 1);
  }
  return gone;
}

for (const chat of Object.keys(CHATS)) {
  test(`${chat}: an agent of ${STEPS} steps stays within its limit, and the graph's history is whole`, async (t) => {
    const provider = await providerOf(longAgent({ steps: STEPS }), { window: LIMIT + ANSWER + 500 });
    const { middleware, steps, sessions } = recorded();
    const agent = agentOf(chat, provider.url, { middleware: [middleware], checkpointer: new MemorySaver() });
    const result = await agent.invoke({ messages: [user('Repair it.')] }, threadOf('1'));
    const sum = provider.sum();
    assert.deepEqual([sum.requests, sum.refused], [STEPS, 0]);
    const epochs = steps.filter(({ epoch }) => epoch).length;
    assert.ok(epochs >= 3, `${epochs} epochs`);

    // The cache: the server counts texts with the same tokenizer, but nothing around them.
    const { tokens } = sessions.at(-1).report;
    t.diagnostic(
      `${sum.sent} tokens sent, ${Math.round(100 * sum.cachedShare)} % from the cache, ${epochs} epochs; the session: ${sessions.at(-1).report}`,
    );
    assert.ok(Math.abs(tokens.cached - sum.cached) < 0.02 * sum.sent, `the session says ${tokens.cached}, the server ${sum.cached}`);

    // The history, against an agent without the middleware.
    const other = await providerOf(longAgent({ steps: STEPS }));
    const alone = await agentOf(chat, other.url).invoke({ messages: [user('Repair it.')] }, threadOf('1'));
    assert.deepEqual(result.messages.map(said), alone.messages.map(said));
    assert.ok(!('_palimpsest' in result));
    assert.ok(provider.sum().sent < 0.5 * other.sum().sent);

    // The state is small.
    const { _palimpsest: saved, messages } = await stateOf(agent, '1');
    const [size, history] = [saved, messages].map((value) => JSON.stringify(value).length);
    t.diagnostic(`state: ${size} of ${history} characters, ${((100 * size) / history).toFixed(1)} %`);
    assert.ok(size < 0.05 * history + 2048);
  });
}

test('marks name each tool whose calls went', async () => {
  const provider = await providerOf(longAgent({ steps: STEPS }));
  // The note on marks has examples of them.
  const { middleware, steps } = recorded({ explainMarks: false });
  const agent = agentOf('openai-chat', provider.url, { middleware: [middleware] });
  const { messages } = await agent.invoke({ messages: [user('Repair it.')] }, threadOf('1'));
  const request = provider.requests.at(-1);
  const gone = goneIn(request);
  const before = messages.slice(0, -1);
  assert.equal(gone.messages, before.length - steps.at(-1).messages.length);
  assert.ok(gone.messages > 40);
  const sent = new Set(sentIn(request).flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id)));
  const missing = {};
  for (const { id, name } of before.flatMap(({ tool_calls: calls = [] }) => calls)) {
    if (!sent.has(id)) missing[name] = (missing[name] ?? 0) + 1;
  }
  assert.deepEqual(gone.calls, missing);
});

test('streams go through as they come, and an abort ends the request', async () => {
  const words = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ');
  const script = (turn) => (turn.step === 6 ? { text: words, calls: longAgent()(turn).calls } : longAgent({ steps: 12 })(turn));
  const provider = await providerOf(script, { pause: 2 });
  const { middleware } = recorded({ limit: SMALL });
  const agent = agentOf('openai-chat', provider.url, { middleware: [middleware], checkpointer: new MemorySaver() });
  const abort = new AbortController();
  const read = async (agent, input, more) => {
    const updates = new Set();
    for await (const [mode, part] of await agent.stream(input, threadOf('1', { streamMode: ['messages', 'updates'], ...more }))) {
      if (mode === 'updates') for (const node of Object.keys(part)) updates.add(node);
      // The request is still being answered.
      else if (/word7\b/.test(part[0].text)) abort.abort();
    }
    return [...updates].sort();
  };
  await assert.rejects(read(agent, { messages: [user('Repair it.')] }, { signal: abort.signal }), { name: 'AbortError' });
  assert.equal(provider.requests.length, 7);
  while (provider.sum().aborted === 0) await setTimeout(10);

  assert.deepEqual(await read(agent, null), ['model_request', 'tools']);
  assert.equal(provider.sum().refused, 0);
  const other = await providerOf(script);
  const alone = agentOf('openai-chat', other.url, { checkpointer: new MemorySaver() });
  await read(alone, { messages: [user('Repair it.')] });
  // The ids count aborted answers.
  const texts = async (one) => (await stateOf(one, '1')).messages.map(({ type, text }) => [type, text]);
  assert.deepEqual(await texts(agent), await texts(alone));
});

const ANSWER_SCHEMA = z.object({ area: z.string(), left: z.number() });
const json = { area: 'export', left: 3 };

for (const [name, responseFormat] of Object.entries({
  providerStrategy: providerStrategy(ANSWER_SCHEMA),
  toolStrategy: toolStrategy(ANSWER_SCHEMA),
})) {
  test(`structured output with ${name}: the answer, the history and the session's state`, async () => {
    const script = (turn) => {
      const tool = turn.tools.find((one) => one.startsWith('extract'));
      if (turn.step % 4 === 3) return tool ? { calls: [{ name: tool, input: json }] } : { json };
      return { calls: longAgent({ steps: 1000 })(turn).calls };
    };
    const run = async (middleware) => {
      const provider = await providerOf(script);
      const agent = agentOf('openai-chat', provider.url, { responseFormat, middleware, checkpointer: new MemorySaver() });
      const results = [];
      for (const text of TURNS) results.push(await agent.invoke({ messages: [user(text)] }, threadOf('1')));
      assert.equal(provider.sum().refused, 0);
      const answers = results.map(({ structuredResponse }) => structuredResponse);
      return { answers, messages: results.at(-1).messages.map(said), saved: (await stateOf(agent, '1'))._palimpsest };
    };
    const { middleware, steps, sessions } = recorded({ limit: SMALL });
    const { saved, ...run1 } = await run([middleware]);
    const { saved: none, ...run2 } = await run([]);
    assert.deepEqual(run1, run2);
    assert.deepEqual(run1.answers, [json, json, json]);
    assert.deepEqual(saved, JSON.parse(JSON.stringify(sessions.at(-1))));
    assert.equal(saved.ledger.requests, steps.length);
    assert.equal(none, undefined);
  });
}

test('a middleware that asks the model again in the same step', async () => {
  const script = (turn) => (turn.step >= 2 ? { json: { area: 'export', left: turn.step } } : longAgent()(turn));
  const twice = createMiddleware({ name: 'twice', wrapModelCall: async (request, handler) => (await handler(request), handler(request)) });
  const run = async (middleware) => {
    const provider = await providerOf((turn) => ({ ...script(turn), text: '' }));
    const options = {
      responseFormat: providerStrategy(ANSWER_SCHEMA),
      middleware: [twice, ...middleware],
      checkpointer: new MemorySaver(),
    };
    const agent = agentOf('openai-chat', provider.url, options);
    const { structuredResponse } = await agent.invoke({ messages: [user('Repair it.')] }, threadOf('1'));
    return { structuredResponse, requests: provider.requests.length, saved: (await stateOf(agent, '1'))._palimpsest };
  };
  const { middleware, sessions } = recorded();
  const { saved, ...answer } = await run([middleware]);
  assert.deepEqual({ ...answer, saved: undefined }, await run([]));
  assert.deepEqual(answer, { structuredResponse: { area: 'export', left: 3 }, requests: 4 });
  assert.deepEqual(saved, JSON.parse(JSON.stringify(sessions.at(-1))));
});

test('messages stay instances with their ids, and nothing in the state is changed', async () => {
  const provider = await providerOf(longAgent({ steps: 14 }));
  const { middleware, steps } = recorded({ limit: SMALL });
  const json = (messages) => messages.map((message) => JSON.stringify(message));
  let given;
  const before = createMiddleware({
    name: 'before',
    wrapModelCall: async (request, handler) => {
      given = request.messages.slice();
      const texts = json(given);
      const answer = await handler(request);
      assert.deepEqual(request.messages, given);
      assert.deepEqual(json(given), texts);
      return answer;
    },
  });
  const behind = createMiddleware({
    name: 'behind',
    wrapModelCall: (request, handler) => {
      const byId = new Map(given.map((message) => [message.id, message]));
      for (const message of request.messages) {
        const own = byId.get(message.id);
        assert.ok(BaseMessage.isInstance(message) && own, message.id);
        assert.equal(message.constructor, own.constructor);
        assert.equal(message.getType(), own.getType());
      }
      return handler(request);
    },
  });
  const agent = agentOf('openai-chat', provider.url, { middleware: [before, middleware, behind], checkpointer: new MemorySaver() });
  await agent.invoke({ messages: [user('Repair it.')] }, threadOf('1'));
  assert.ok(steps.filter(({ epoch }) => epoch).length >= 2);
});

test('images and signed thinking', async (t) => {
  const provider = await providerOf(longAgent({ steps: 24, thinking: true }), { preserved: true });
  const { middleware, steps } = recorded({ limit: SMALL });
  const model = { thinking: { type: 'adaptive' } };
  const agent = agentOf('anthropic', provider.url, { model, middleware: [middleware], checkpointer: new MemorySaver() });
  const content = [
    { type: 'text', text: 'Repair what this shows.' },
    { type: 'image_url', image_url: { url: image.dataUrl } },
  ];
  const { messages } = await agent.invoke({ messages: [new HumanMessage({ content })] }, threadOf('1'));
  assert.equal(provider.sum().refused, 0);
  const epochs = steps.filter(({ epoch }) => epoch).length;
  assert.ok(epochs >= 3, `${epochs} epochs`);
  assert.ok(messages.some((message) => message.content.some?.(({ type }) => type === 'thinking')));
  assert.ok(provider.requests.every(({ body }) => JSON.stringify(body).includes(image.base64)));
  t.diagnostic(`${epochs} epochs, ${Math.round(100 * provider.sum().cachedShare)} % from the cache`);
});

test("the model's name gives the limit; without it the request goes out as it came, with one warning", async () => {
  const provider = await providerOf(longAgent({ steps: 3 }));
  const { middleware, steps } = recorded({ limit: undefined });
  await agentOf('openai-chat', provider.url, { middleware: [middleware] }).invoke({ messages: [user('Repair it.')] }, threadOf('1'));
  // 128,000 tokens, and the instructions and tools.
  const front = steps[0].tokens.limit - 128_000;
  assert.ok(front > 0 && front < steps[0].tokens.after, `${front}`);

  const warnings = [];
  const listen = (warning) => warnings.push(warning);
  process.on('warning', listen);
  const model = { model: 'own-model' };
  const agent = agentOf('openai-chat', provider.url, { model, middleware: [palimpsestMiddleware()] });
  await agent.invoke({ messages: [user('Repair it.')] }, threadOf('1'));
  await setTimeout(0);
  process.off('warning', listen);
  const own = warnings.filter(({ code }) => code === 'PALIMPSEST_PASSED_THROUGH');
  assert.equal(own.length, 1);
  assert.match(own[0].message, /palimpsestMiddleware\(\).*the window of model "own-model" is not known/);
});

test("the provider's errors come as they do through any middleware", async () => {
  const run = async (middleware) => {
    const provider = await providerOf(longAgent({ steps: 6 }), {
      faults: (_, n) => (n === 3 ? { status: 529, message: 'Overloaded' } : undefined),
    });
    const agent = agentOf('anthropic', provider.url, { middleware, checkpointer: new MemorySaver() });
    const error = await agent.invoke({ messages: [user('Repair it.')] }, threadOf('1')).catch((caught) => caught);
    // The run goes on where it was.
    const { messages } = await agent.invoke(null, threadOf('1'));
    return {
      name: error.name,
      message: error.message,
      status: error.cause?.cause?.status ?? error.cause?.status,
      messages: messages.map(said),
    };
  };
  const { middleware } = recorded({ limit: SMALL });
  const other = createMiddleware({ name: 'other', wrapModelCall: (request, handler) => handler(request) });
  const failed = await run([middleware]);
  assert.deepEqual(failed, await run([other]));
  assert.equal(failed.status, 529);
});

const invoked = ({ url, middleware }, conversation, text) =>
  agentOf('openai-chat', url, { middleware, systemPrompt: `You repair programs. [conversation ${conversation}]` })
    .invoke({ messages: [user(text)] }, threadOf(conversation))
    .catch((error) => Promise.reject(error.cause));
testSessions('the middleware', {
  open: ({ url }) => ({ url }),
  wrap: (client, options) => ({ ...client, middleware: [palimpsestMiddleware(options)] }),
  options: { format: 'langchain' },
  run: async (client, { conversation }) => (await invoked(client, conversation, 'Repair it.')).messages.map(said),
  ask: (client, text) => invoked(client, 'a', text),
});
