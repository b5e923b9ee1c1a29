// palimpsest/gemini with the SDK itself, against the loopback provider.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GoogleGenAI } from '@google/genai';
import { withPalimpsest } from 'palimpsest/gemini';
import { agentTools, image, longAgent } from '../support/agents/index.mjs';
import { LIMIT, checkFigures, recording, resultOf, spying, STEPS, testClient, testRequests, withProvider } from '../support/clients.mjs';

const open = (provider) => new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: provider.url } });
const model = 'gemini-3.5-flash';
const copied = (value) => JSON.parse(JSON.stringify(value));
const question = {
  role: 'user',
  parts: [{ text: 'Find out why the export is slow.' }, { inlineData: { mimeType: image.mediaType, data: image.base64 } }],
};
const functionDeclarations = agentTools.map(({ name, description, parameters }) => ({
  name,
  description,
  parametersJsonSchema: parameters,
}));
/** The tools as the SDK calls them itself. */
const callable = {
  tool: async () => ({ functionDeclarations }),
  callTool: async (calls) => calls.map(answered),
};
const answered = ({ id, name, args }) => ({
  functionResponse: {
    id,
    name,
    response: {
      output: resultOf(
        agentTools.find((tool) => tool.name === name),
        args,
      ),
    },
  },
});
const configFor = (conversation) => ({
  systemInstruction: `You mend programs. [conversation ${conversation}]`,
  thinkingConfig: { includeThoughts: true },
  maxOutputTokens: 2000,
});

const resultsOf = (of) =>
  new Map(
    (of.contents ?? of)
      .flatMap(({ parts }) => parts)
      .filter(({ functionResponse }) => functionResponse)
      .map(({ functionResponse: { id, response } }) => [id, response.output]),
  );

/** An agent in the SDK's loop: automatic function calling. */
testClient('generateContent', {
  open,
  wrap: withPalimpsest,
  async run(client, { conversation, stream }) {
    const config = { ...configFor(conversation), tools: [callable], automaticFunctionCalling: { maximumRemoteCalls: 60 } };
    const request = { model, contents: [question], config };
    if (stream) {
      const contents = [question];
      for await (const { candidates } of await client.models.generateContentStream(request)) contents.push(candidates[0].content);
      return copied(contents);
    }
    const { automaticFunctionCallingHistory } = await client.models.generateContent(request);
    return copied(automaticFunctionCallingHistory);
  },
  ask: (client, contents) => client.models.generateContent({ model, contents }),
  resultsOf,
});

/** An agent in a chat, with its own loop. */
testClient('chats', {
  open,
  wrap: withPalimpsest,
  async run(client, { conversation, stream }) {
    const chat = client.chats.create({ model, config: { ...configFor(conversation), tools: [{ functionDeclarations }] } });
    let message = question.parts;
    while (message) {
      let calls = [];
      if (stream) {
        for await (const { functionCalls = [] } of await chat.sendMessageStream({ message })) calls.push(...functionCalls);
      } else ({ functionCalls: calls = [] } = await chat.sendMessage({ message }));
      message = calls.length > 0 ? calls.map(answered) : undefined;
    }
    return copied(chat.getHistory());
  },
  ask: (client, message) => client.chats.create({ model }).sendMessage({ message }),
  resultsOf,
});

test('signed thoughts stay with their calls', async (t) => {
  await withProvider(longAgent({ steps: STEPS, thinking: true }), async (provider) => {
    const recorder = recording({ limit: LIMIT });
    const config = { ...configFor('a'), tools: [callable], automaticFunctionCalling: { maximumRemoteCalls: 60 } };
    const client = withPalimpsest(open(provider), recorder.options);
    const { automaticFunctionCallingHistory: history } = await client.models.generateContent({ model, contents: [question], config });
    assert.equal(provider.sum().refused, 0);
    assert.ok(JSON.stringify(history).includes('thoughtSignature'));
    checkFigures(t, provider, recorder);
  });
});

/** A history that is too long by far. */
const contents = Array.from({ length: 41 }, (_, step) => ({
  role: step % 2 ? 'model' : 'user',
  parts: [{ text: `Step ${step}: worker-${step} waited ${step * 7} s for backup-${step}, so I moved it. `.repeat(20) }],
}));

const schema = { type: 'object', properties: { cause: { type: 'string' }, sure: { type: 'boolean' } }, required: ['cause', 'sure'] };
testRequests('gemini', {
  open,
  wrap: withPalimpsest,
  structured: [
    async (client) => {
      const config = { responseMimeType: 'application/json', responseJsonSchema: schema };
      return JSON.parse((await client.models.generateContent({ model, contents, config })).text);
    },
  ],
  offline(fetch) {
    // The client takes no other.
    globalThis.fetch = fetch;
    return open({ url: 'http://127.0.0.1:9' });
  },
  untouched: [
    (to) => to.models.generateContent({ model, contents, config: { cachedContent: 'cachedContents/1' } }),
    (to) => to.models.countTokens({ model, contents }),
    (to) => to.models.embedContent({ model: 'gemini-embedding-001', contents: 'a text' }),
  ],
});

test('what methods return is what it was', async () => {
  await withProvider(
    () => ({ text: 'All is well.' }),
    async (provider) => {
      const { spy, seen } = spying({ limit: 2000 });
      const client = withPalimpsest(open(provider), spy);
      const response = await client.models.generateContent({ model, contents });
      assert.equal(response.text, 'All is well.');
      assert.deepEqual(seen, [response.usageMetadata]);
      const chunks = [];
      for await (const chunk of await client.models.generateContentStream({ model, contents })) chunks.push(chunk);
      assert.equal(chunks.map(({ text }) => text ?? '').join(''), 'All is well.');
      assert.deepEqual(seen.slice(1), [chunks.at(-1).usageMetadata]);
      for (const { body } of provider.requests) assert.ok(body.contents.length < contents.length);
      assert.ok(client instanceof GoogleGenAI);
    },
  );
});

test('an aborted stream is the end of its request alone', async () => {
  await withProvider(
    () => ({ text: 'word '.repeat(500) }),
    async (provider) => {
      const { spy, seen } = spying({ limit: 2000 });
      const client = withPalimpsest(open(provider), spy);
      const controller = new AbortController();
      const stream = await client.models.generateContentStream({ model, contents, config: { abortSignal: controller.signal } });
      await assert.rejects(async () => {
        for await (const _ of stream) controller.abort();
      });
      for await (const _ of await client.models.generateContentStream({ model, contents })) break;
      const { usageMetadata } = await client.models.generateContent({ model, contents });
      assert.deepEqual(seen.at(-1), usageMetadata);
      assert.equal(provider.sum().refused, 0);
    },
    { pause: 2 },
  );
});

test('every shape of contents is sent in its own shape', async () => {
  await withProvider(
    () => ({ text: 'Done.' }),
    async (provider) => {
      const recorder = recording({ limit: LIMIT, explainMarks: false });
      const shapes = ['Hello.', { text: 'Hello.' }, ['Hello.', { text: 'Go on.' }], { role: 'user', parts: [{ text: 'Hello.' }] }];
      for (const client of [open(provider), withPalimpsest(open(provider), recorder.options)])
        for (const shape of shapes) await client.models.generateContent({ model, contents: shape });
      const sent = provider.requests.map(({ body }) => body);
      assert.deepEqual(sent.slice(4), sent.slice(0, 4));
      assert.equal(recorder.steps.length, 4);
    },
  );
});
