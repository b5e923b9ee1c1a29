// palimpsest/openai with the SDK itself, against the loopback provider.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI, { AzureOpenAI } from 'openai';
import { toResponseInputItems } from 'openai/lib/responses/ResponseInputItems';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { withPalimpsest } from 'palimpsest/openai';
import { agentTools, image, longAgent } from '../support/agents/index.mjs';
import { LIMIT, recording, recordingFetch, resultOf, spying, testClient, testRequests, withProvider } from '../support/clients.mjs';

const open = (provider, maxRetries = 0) => new OpenAI({ apiKey: 'test', baseURL: `${provider.url}/v1`, maxRetries });
const model = 'gpt-5.5';
const system = (conversation) => `You mend programs. [conversation ${conversation}]`;
const task = 'Find out why the export is slow.';
const declared = ({ name, description, parameters }) => ({ name, description, parameters });
const withUsage = { stream: true, stream_options: { include_usage: true } };
const copied = (value) => JSON.parse(JSON.stringify(value));

testClient('chat', {
  open,
  wrap: withPalimpsest,
  async run(client, { conversation, stream }) {
    const tools = agentTools.map((tool) => ({
      type: 'function',
      function: { ...declared(tool), parse: JSON.parse, function: (input) => resultOf(tool, input) },
    }));
    const content = [
      { type: 'text', text: task },
      { type: 'image_url', image_url: { url: image.dataUrl } },
    ];
    const messages = [
      { role: 'system', content: system(conversation) },
      { role: 'user', content },
    ];
    const runner = client.chat.completions.runTools({ model, messages, tools, ...(stream ? withUsage : {}) }, { maxChatCompletions: 60 });
    await runner.done();
    return copied(runner.messages);
  },
  ask: (client, content) => client.chat.completions.create({ model, messages: [{ role: 'user', content }] }),
  resultsOf: (of) =>
    new Map((of.messages ?? of).filter(({ role }) => role === 'tool').map((message) => [message.tool_call_id, message.content])),
});

testClient('responses', {
  open,
  wrap: withPalimpsest,
  async run(client, { conversation, stream }) {
    const content = [
      { type: 'input_text', text: task },
      { type: 'input_image', image_url: image.dataUrl, detail: 'auto' },
    ];
    const input = [{ role: 'user', content }];
    const request = {
      model,
      input,
      instructions: system(conversation),
      tools: agentTools.map((tool) => ({ type: 'function', strict: false, ...declared(tool) })),
      reasoning: { effort: 'high' },
      include: ['reasoning.encrypted_content'],
      store: false,
    };
    for (;;) {
      const response = await (stream ? client.responses.stream(request).finalResponse() : client.responses.create(request));
      input.push(...toResponseInputItems(response.output));
      const calls = response.output.filter(({ type }) => type === 'function_call');
      if (calls.length === 0) return copied(input);
      for (const { call_id, name, arguments: text } of calls) {
        const output = resultOf(
          agentTools.find((tool) => tool.name === name),
          JSON.parse(text),
        );
        input.push({ type: 'function_call_output', call_id, output });
      }
    }
  },
  ask: (client, input) => client.responses.create({ model, input }),
  resultsOf: (of) =>
    new Map((of.input ?? of).filter(({ type }) => type === 'function_call_output').map((item) => [item.call_id, item.output])),
});

/** A history that is too long by far. */
const history = Array.from({ length: 40 }, (_, step) => ({
  role: step % 2 ? 'assistant' : 'user',
  content: `Step ${step}: worker-${step} waited ${step * 7} s for backup-${step}, so I moved it. `.repeat(20),
}));

const Verdict = z.object({ cause: z.string(), sure: z.boolean() });
testRequests('openai', {
  open,
  wrap: withPalimpsest,
  structured: [
    async (client) => {
      const response_format = zodResponseFormat(Verdict, 'verdict');
      return (await client.chat.completions.parse({ model, messages: history, response_format })).choices[0].message.parsed;
    },
    async (client) =>
      (await client.responses.parse({ model, input: history, text: { format: zodTextFormat(Verdict, 'verdict') } })).output_parsed,
  ],
  create: (client) => client.chat.completions.create({ model, messages: history }),
  busy: 500,
  offline: (fetch) => new OpenAI({ apiKey: 'test', fetch }),
  untouched: [
    (to) => to.responses.create({ model, input: history, previous_response_id: 'resp_1' }),
    (to) => to.responses.create({ model, input: history, conversation: 'conv_1' }),
    (to) => to.responses.create({ model, input: history, prompt: { id: 'pmpt_1' } }),
    (to) => to.responses.create({ model, previous_response_id: 'resp_1' }),
    (to) => to.responses.compact({ model, input: history }),
    (to) => to.responses.inputTokens.count({ model, input: history }),
    (to) => to.embeddings.create({ model, input: 'a text' }),
  ],
  nonsense: [
    [(to) => to.chat.completions.create({ model, messages: 'Hello.' }), 'messages must be an array, got string'],
    [(to) => to.chat.completions.create({ model }), 'messages must be an array, got undefined'],
  ],
});

test('what methods return is what it was', async () => {
  await withProvider(longAgent({ steps: 1, final: { text: 'All is well.' } }), async (provider) => {
    const { spy, seen, session } = spying({ limit: 2000 });
    const client = withPalimpsest(open(provider), spy);
    const request = { model, messages: [...history, { role: 'user', content: 'Go on.' }] };

    const { data, response } = await client.chat.completions.create(request).withResponse();
    assert.equal(data.choices[0].message.content, 'All is well.');
    assert.equal(response.status, 200);
    assert.deepEqual(seen, [data.usage]);

    const raw = await client.chat.completions.create(request).asResponse();
    assert.equal((await raw.json()).choices[0].message.content, 'All is well.');

    const stream = await client.chat.completions.create({ ...request, ...withUsage });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    assert.equal(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join(''), 'All is well.');
    assert.deepEqual(seen.slice(1), [chunks.at(-1).usage]);

    let [left, right] = [0, 0];
    const branches = (await client.chat.completions.create({ ...request, ...withUsage })).tee();
    for await (const _ of branches[0]) left++;
    for await (const _ of branches[1]) right++;
    assert.deepEqual([left, right, seen.length], [chunks.length, chunks.length, 3]);

    const completion = await client.chat.completions.stream(request).finalChatCompletion();
    assert.equal(completion.choices[0].message.content, 'All is well.');
    assert.equal(session.report.requests, 5);
    for (const { body } of provider.requests) assert.ok(body.messages.length < request.messages.length);
  });
});

test('an aborted stream is the end of its request alone', async () => {
  await withProvider(
    longAgent({ steps: 2, final: { text: 'word '.repeat(500) } }),
    async (provider) => {
      const { spy, seen } = spying({ limit: 2000 });
      const client = withPalimpsest(open(provider), spy);
      const request = { model, messages: [...history, { role: 'user', content: 'Go on.' }], ...withUsage };
      const tools = agentTools.map((tool) => ({ type: 'function', function: declared(tool) }));
      let count = 0;
      for await (const _ of await client.chat.completions.create({ ...request, tools })) if (++count === 2) break;
      const controller = new AbortController();
      const stream = await client.chat.completions.create({ ...request, tools }, { signal: controller.signal });
      for await (const _ of stream) controller.abort();
      assert.equal(stream.controller.signal.aborted, true);
      assert.deepEqual(seen, []);
      const { usage } = await client.chat.completions.create({ model, messages: request.messages, tools });
      assert.deepEqual(seen, [usage]);
      assert.equal(provider.sum().refused, 0);
    },
    { pause: 2 },
  );
});

test('copies with other options, other clients of the SDK and requests by path are covered', async () => {
  const { sent, fetch } = recordingFetch();
  const request = { model, messages: history };
  const client = withPalimpsest(new OpenAI({ apiKey: 'test', fetch }), { limit: 2000 });
  await client.withOptions({ timeout: 1000 }).chat.completions.create(request);
  await client.post('/chat/completions', { body: request });
  await client.beta.responses.create({ model, input: history });
  const azure = new AzureOpenAI({
    apiKey: 'test',
    endpoint: 'https://example.invalid',
    apiVersion: '2026-01-01',
    deployment: 'one',
    fetch,
  });
  const copy = withPalimpsest(azure, { limit: 2000 });
  assert.ok(copy instanceof AzureOpenAI);
  await copy.chat.completions.create(request);
  assert.match(sent.at(-1).url, /\/deployments\/one\/chat\/completions/);
  assert.equal(sent.length, 4);
  for (const { body } of sent) assert.ok(body.length < JSON.stringify(request).length / 2);
});

test('a stream of anything is passed on', async () => {
  const values = [null, 'text', 7, {}, { usage: null }, { choices: [] }];
  const body = [...values.map((value) => JSON.stringify(value)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
  const fetch = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  const client = withPalimpsest(new OpenAI({ apiKey: 'test', fetch }), recording({ limit: 2000 }).options);
  for (const create of [
    () => client.chat.completions.create({ model, messages: history, stream: true }),
    () => client.responses.create({ model, input: history, stream: true }),
  ]) {
    const seen = [];
    for await (const value of await create()) seen.push(value);
    assert.deepEqual(seen, values);
  }
});

test('a text is a message of its own, and stays a text', async () => {
  const { sent, fetch } = recordingFetch();
  const recorder = recording({ limit: LIMIT, explainMarks: false });
  const client = withPalimpsest(new OpenAI({ apiKey: 'test', fetch }), recorder.options);
  await client.responses.create({ model, input: 'Hello.' });
  assert.equal(recorder.steps.length, 1);
  assert.deepEqual(JSON.parse(sent[0].body), { model, input: 'Hello.' });
});
