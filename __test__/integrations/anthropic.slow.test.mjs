// palimpsest/anthropic with the SDK itself, against the loopback provider.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { z } from 'zod';
import { countTokens, restore } from 'palimpsest';
import { shortenResults, withPalimpsest } from 'palimpsest/anthropic';
import { agentTools, image, longAgent } from '../support/agents/index.mjs';
import {
  LIMIT,
  checkFigures,
  recording,
  recordingFetch,
  spying,
  STEPS,
  testClient,
  testRequests,
  withProvider,
} from '../support/clients.mjs';

const open = (provider, maxRetries = 0) => new Anthropic({ apiKey: 'test', baseURL: provider.url, maxRetries });
const model = 'claude-opus-5';
const max_tokens = 2000;
const thinking = { type: 'adaptive' };
const copied = (value) => JSON.parse(JSON.stringify(value));
const system = (conversation) => [{ type: 'text', text: `You mend programs. [conversation ${conversation}]` }];
const source = { type: 'base64', media_type: image.mediaType, data: image.base64 };
const question = {
  role: 'user',
  content: [
    { type: 'text', text: 'Find out why the export is slow.' },
    { type: 'image', source },
  ],
};
const runnable = agentTools.map(({ name, description, parameters, run }) =>
  // The runner answers an error of a tool itself.
  betaTool({ name, description, inputSchema: parameters, run: async (input) => run(input) }),
);
const declared = agentTools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }));

const blocksOf = (of) => (of.messages ?? of).flatMap(({ content }) => (typeof content === 'string' ? [] : content));
const textOf = ({ content }) => (typeof content === 'string' ? content : content.map(({ text }) => text).join('\n'));
const resultsOf = (of) =>
  new Map(
    blocksOf(of)
      .filter(({ type }) => type === 'tool_result')
      .map((block) => [block.tool_use_id, textOf(block)]),
  );

function runnerOf(client, { conversation = 'a', stream = false, thread = false, ...rest } = {}) {
  const messages = [question];
  const request = { model, max_tokens, thinking, system: system(conversation), tools: runnable, messages, max_iterations: 60, stream };
  return client.beta.messages.toolRunner({ ...request, ...(thread ? {} : { thread: false }), ...rest });
}

testClient('toolRunner', {
  open,
  wrap: withPalimpsest,
  options: { cacheControl: true },
  async run(client, options) {
    const runner = runnerOf(client, options);
    await runner;
    return copied(runner.params.messages);
  },
  ask: (client, content) => client.beta.messages.create({ model, max_tokens, messages: [{ role: 'user', content }] }),
  resultsOf,
});

testClient('messages', {
  open,
  wrap: withPalimpsest,
  options: { cacheControl: true },
  async run(client, { conversation, stream }) {
    const messages = [question];
    const request = { model, max_tokens, thinking, system: system(conversation), tools: declared, messages };
    for (;;) {
      const { content, stop_reason } = await (stream ? client.messages.stream(request).finalMessage() : client.messages.create(request));
      messages.push({ role: 'assistant', content });
      if (stop_reason === 'end_turn') return copied(messages);
      const results = [];
      for (const { id, name, input } of content.filter(({ type }) => type === 'tool_use')) {
        const tool = runnable.find((one) => one.name === name);
        const result = { type: 'tool_result', tool_use_id: id };
        try {
          results.push({ ...result, content: [{ type: 'text', text: await tool.run(input) }] });
        } catch (error) {
          results.push({ ...result, content: error.message, is_error: true });
        }
      }
      messages.push({ role: 'user', content: results });
    }
  },
  ask: (client, content) => client.messages.create({ model, max_tokens, messages: [{ role: 'user', content }] }),
  resultsOf,
});

test('signed thinking stays valid for models that check what it was signed behind', async (t) => {
  await withProvider(
    longAgent({ steps: STEPS, thinking: true }),
    async (provider) => {
      const recorder = recording({ limit: LIMIT, cacheControl: true });
      const runner = runnerOf(withPalimpsest(open(provider), recorder.options));
      await runner;
      assert.equal(provider.sum().refused, 0);
      const signed = blocksOf(runner.params.messages).filter(({ type }) => type === 'thinking');
      assert.equal(signed.length, STEPS);
      checkFigures(t, provider, recorder);
    },
    { preserved: true },
  );
});

test("the session's breakpoints and the caller's are never more than four", async () => {
  await withProvider(longAgent({ steps: STEPS }), async (provider) => {
    const cache_control = { type: 'ephemeral' };
    const client = withPalimpsest(open(provider), recording({ limit: LIMIT, cacheControl: true }).options);
    const tools = runnable.map((tool, index) => (index === 0 ? { ...tool, cache_control } : tool));
    await runnerOf(client, { cache_control, tools, system: [{ ...system('a')[0], cache_control }] });
    assert.equal(provider.sum().refused, 0);
    assert.equal(provider.sum().requests, STEPS);
    assert.ok(provider.requests.every(({ body }) => body.cache_control === undefined && body.system[0].cache_control));
  });
});

/** A history that is too long by far. */
const history = Array.from({ length: 41 }, (_, step) => ({
  role: step % 2 ? 'assistant' : 'user',
  content: `Step ${step}: worker-${step} waited ${step * 7} s for backup-${step}, so I moved it. `.repeat(20),
}));
const request = { model, max_tokens, messages: history };

testRequests('anthropic', {
  open,
  wrap: withPalimpsest,
  structured: [
    async (client) => {
      const format = zodOutputFormat(z.object({ cause: z.string(), sure: z.boolean() }));
      return (await client.messages.parse({ ...request, output_config: { format } })).parsed_output;
    },
  ],
  create: (client) => client.messages.create(request),
  busy: 529,
  offline: (fetch) => new Anthropic({ apiKey: 'test', fetch }),
  untouched: [
    (to) => to.beta.messages.create({ ...request, thread: { type: 'continue', previous_message_id: 'msg_1' } }),
    (to) => to.messages.countTokens({ model, messages: history }),
    (to) => to.beta.messages.countTokens({ model, messages: history }),
    (to) => to.messages.batches.create({ requests: [{ custom_id: 'a', params: request }] }),
  ],
  nonsense: [[(to) => to.messages.create({ model, max_tokens, messages: 'Hello.' }), 'messages must be an array, got string']],
});

test('what methods return is what it was', async () => {
  await withProvider(
    () => ({ text: 'All is well.' }),
    async (provider) => {
      const { spy, seen } = spying({ limit: 2000 });
      const client = withPalimpsest(open(provider), spy);

      const { data, response, request_id } = await client.messages.create(request).withResponse();
      assert.equal(data.content[0].text, 'All is well.');
      assert.equal(response.status, 200);
      assert.equal(request_id, 'req_loopback');
      assert.equal(data._request_id, 'req_loopback');
      assert.deepEqual(seen, [data.usage]);

      const raw = await client.messages.create(request).asResponse();
      assert.equal((await raw.json()).content[0].text, 'All is well.');
      assert.equal(seen.length, 1);

      const events = [];
      for await (const event of await client.messages.create({ ...request, stream: true })) events.push(event);
      assert.equal(events.at(-1).type, 'message_stop');
      assert.deepEqual(seen.slice(1), [events[0].message.usage]);

      const texts = [];
      const stream = client.messages.stream(request).on('text', (text) => texts.push(text));
      assert.equal(await stream.finalText(), 'All is well.');
      assert.equal(texts.join(''), 'All is well.');
      assert.equal(seen.length, 3);

      const lines = new TextDecoder();
      let text = '';
      for await (const chunk of client.messages.stream(request).toReadableStream()) text += lines.decode(chunk, { stream: true });
      assert.equal(JSON.parse(text.trim().split('\n').at(-1)).type, 'message_stop');
      assert.equal(seen.length, 4);
      for (const { body } of provider.requests) assert.ok(body.messages.length < history.length);
    },
  );
});

test('an aborted stream is the end of its request alone', async () => {
  await withProvider(
    () => ({ text: 'word '.repeat(500) }),
    async (provider) => {
      const { spy, seen } = spying({ limit: 2000 });
      const client = withPalimpsest(open(provider), spy);
      const stream = client.messages.stream(request);
      stream.on('text', () => stream.abort());
      await assert.rejects(stream.finalMessage(), Anthropic.APIUserAbortError);
      const controller = new AbortController();
      for await (const event of await client.messages.create({ ...request, stream: true }, { signal: controller.signal }))
        if (event.type === 'content_block_delta') controller.abort();
      for await (const event of await client.messages.create({ ...request, stream: true })) if (event.type === 'content_block_delta') break;
      // The first event has the usage of the request.
      assert.equal(seen.length, 3);
      const { usage } = await client.messages.create(request);
      assert.deepEqual(seen.at(-1), usage);
      assert.equal(provider.sum().aborted, 3);
      assert.equal(provider.sum().refused, 0);
    },
    { pause: 2 },
  );
});

for (const thread of [false, null, undefined, { type: 'create' }]) {
  test(`a request with thread ${JSON.stringify(thread)} is sent what fits`, async () => {
    const { sent, fetch } = recordingFetch();
    const recorder = recording({ limit: 2000 });
    await withPalimpsest(new Anthropic({ apiKey: 'test', fetch }), recorder.options).post('/v1/messages', { body: { ...request, thread } });
    const body = JSON.parse(sent[0].body);
    // For tool runners, of which those before version 1 hand it on to the API, which refuses it.
    assert.deepEqual(body.thread, thread === false ? undefined : thread);
    assert.ok(body.messages.length < history.length);
  });
}

test('the usage of a stream is that of the request, not of what server tools read', async () => {
  const usage = { input_tokens: 40, cache_read_input_tokens: 2, cache_creation_input_tokens: 3, output_tokens: 1 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage };
  const events = [
    { type: 'message_start', message },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { ...usage, input_tokens: 9000 } },
    { type: 'message_stop' },
  ];
  const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  const fetch = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  const { spy, seen } = spying({ limit: 2000 });
  const stream = await withPalimpsest(new Anthropic({ apiKey: 'test', fetch }), spy).messages.create({ ...request, stream: true });
  for await (const _ of stream);
  assert.deepEqual(seen, [usage]);
});

/** Runs an agent whose results are shortened before they are sent. */
async function shortened(provider, { limit = 400, stream = false, thread = true, wrap = (client) => client, ...rest } = {}) {
  const originals = {};
  const onShortened = (more) => Object.assign(originals, more);
  const runner = runnerOf(wrap(open(provider)), { thread, stream, ...rest });
  return { originals, runner: shortenResults(runner, { limit, onShortened }) };
}

for (const stream of [false, true]) {
  test(`results are shortened before they are first sent, and the thread goes on${stream ? ', streamed' : ''}`, async (t) => {
    await withProvider(longAgent({ steps: STEPS }), async (provider) => {
      const plain = runnerOf(open(provider), { thread: true, stream });
      await plain;
      const { sent } = provider.sum();
      provider.reset();

      const limit = 400;
      const { runner, originals } = await shortened(provider, { limit, stream });
      await runner;
      assert.equal(provider.sum().refused, 0);
      const [first, ...others] = provider.requests.map(({ body }) => body);
      assert.deepEqual(first.thread, { type: 'create' });
      for (const { thread, messages } of others) {
        assert.equal(thread.type, 'continue');
        assert.equal(messages.length, 1);
        for (const text of resultsOf({ messages }).values()) assert.ok(countTokens(text) <= limit);
      }
      t.diagnostic(`${provider.sum().sent} tokens of requests, with whole results ${sent}`);
      assert.deepEqual(restore(runner.params.messages, originals).messages, plain.params.messages);
    });
  });
}

test('results within the limit are sent as the runner sends them', async () => {
  await withProvider(longAgent({ steps: 12 }), async (provider) => {
    await runnerOf(open(provider), { thread: true });
    const expected = provider.requests.map(({ body }) => body);
    provider.reset();
    await (await shortened(provider, { limit: 1_000_000 })).runner;
    assert.deepEqual(
      provider.requests.map(({ body }) => body),
      expected,
    );
  });
});

test('a caller who changes the messages has taken over', async () => {
  await withProvider(longAgent({ steps: 4 }), async (provider) => {
    const { runner, originals } = await shortened(provider, { limit: 10 });
    for await (const { content } of runner) {
      const results = await runner.generateToolResponse();
      if (results)
        runner.setMessagesParams((params) => ({ ...params, messages: [...params.messages, { role: 'assistant', content }, results] }));
    }
    assert.equal(provider.requests.length, 4);
    assert.deepEqual(originals, {});
  });
});

test('without a thread, shortened results go to the session', async (t) => {
  await withProvider(longAgent({ steps: STEPS }), async (provider) => {
    const recorder = recording({ limit: 6000, cacheControl: true });
    const wrap = (client) => withPalimpsest(client, recorder.options);
    const { runner, originals } = await shortened(provider, { limit: 400, thread: false, wrap });
    await runner;
    assert.equal(provider.sum().refused, 0);
    checkFigures(t, provider, recorder);
    assert.equal(blocksOf(restore(runner.params.messages, originals).messages).length, blocksOf(runner.params.messages).length);
  });
});

test('a failure while shortening leaves results as they are', async () => {
  await withProvider(longAgent({ steps: 4 }), async (provider) => {
    const failure = new Error('the store is down');
    const errors = [];
    const onShortened = () => Promise.reject(failure);
    await shortenResults(runnerOf(open(provider)), { limit: 100, onShortened, onError: (error) => errors.push(error) });
    assert.deepEqual(errors, Array(3).fill(failure));
    provider.reset();
    const thrown = shortenResults(runnerOf(open(provider)), {
      limit: 100,
      onShortened,
      onError(error) {
        throw error;
      },
    });
    await assert.rejects(thrown.runUntilDone(), failure);
  });
});

test('wrong options of shortenResults are errors', () => {
  const runner = runnerOf(open({ url: 'http://127.0.0.1:9' }));
  assert.throws(() => shortenResults(runner), {
    name: 'TypeError',
    message: 'shortenResults(): options.limit must be a number, got undefined',
  });
  assert.throws(() => shortenResults(runner, { limit: 0 }), { name: 'RangeError', message: /options\.limit must be/ });
  assert.throws(() => shortenResults(runner, { limit: 100, budget: 1 }), {
    name: 'TypeError',
    message: /options\.budget is not an option/,
  });
  assert.throws(() => shortenResults({}, { limit: 100 }), { name: 'TypeError', message: /runner must be a tool runner/ });
});
