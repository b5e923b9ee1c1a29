// A server as an application has it: chat endpoints in front of agents of several SDKs, all at once, against one provider.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI } from '@langchain/openai';
import {
  convertToModelMessages,
  DefaultChatTransport,
  isStepCount,
  jsonSchema,
  pipeUIMessageStreamToResponse,
  readUIMessageStream,
  streamText,
  tool,
  toUIMessageStream,
  wrapLanguageModel,
} from 'ai';
import { createAgent, tool as langchainTool } from 'langchain';
import OpenAI from 'openai';
import { palimpsestMiddleware as forModel } from 'palimpsest/ai-sdk';
import { chatParser } from 'palimpsest/express';
import { palimpsestMiddleware as forAgent } from 'palimpsest/langchain';
import { serve } from '../support/agents/endpoint.mjs';
import { agentTools, longAgent, startProvider } from '../support/agents/index.mjs';
import { clientsOf, loops } from '../support/agents/loops.mjs';

const LIMIT = 9_000;
/** Answers until the model speaks to the user again. */
const STEPS = 10;
const TURNS = 4;

const aiTools = Object.fromEntries(
  agentTools.map(({ name, description, parameters, run }) => [
    name,
    tool({ description, inputSchema: jsonSchema(parameters), execute: run }),
  ]),
);
const langchainTools = agentTools.map(({ name, description, parameters, run }) =>
  langchainTool(async (input) => run(input), { name, description, schema: parameters }),
);

/** An agent that works for some steps in each turn; that of the client with tools of its own works in one. */
const turns = ({ step, ...rest }) => {
  if (step % STEPS === STEPS - 1 && (rest.conversation !== 'openai' || step >= 40))
    return { text: `That was turn ${Math.floor(step / STEPS)}. What next?` };
  return longAgent({ steps: Infinity })({ step, ...rest });
};
const instructionsOf = (name) => `You mend programs. [conversation ${name}]`;
const asks = (turn) => `Turn ${turn}: why does export-${turn * 7} wait for worker-${turn}?`;

/** Starts the provider and the application. Without `isFitted`, the same application without the package. */
async function start(isFitted) {
  const provider = await startProvider(turns, { window: LIMIT + 4000 + (isFitted ? 0 : 1e6) });
  const errors = [];
  let answers = 0;
  const options = { onError: (error) => void errors.push(error) };
  const middleware = isFitted
    ? chatParser({ limit: 4 * LIMIT, maxBytes: 1_000_000, ...options })
    : (request, _response, next) => {
        request
          .resume()
          .toArray()
          .then((chunks) => {
            request.body = JSON.parse(Buffer.concat(chunks));
            request.palimpsest = { messages: request.body.messages, request: request.body, observe: () => {} };
            next();
          });
      };
  const openai = new OpenAI({ apiKey: 'test', baseURL: `${provider.url}/v1`, maxRetries: 0 });
  const chat = createOpenAI({ apiKey: 'test', baseURL: `${provider.url}/v1` }).chat('gpt-5.5');
  const model = isFitted ? wrapLanguageModel({ model: chat, middleware: forModel({ limit: LIMIT, ...options }) }) : chat;
  const agent = createAgent({
    model: new ChatOpenAI({ model: 'gpt-5.5', apiKey: 'test', maxRetries: 0, configuration: { baseURL: `${provider.url}/v1` } }),
    tools: langchainTools,
    systemPrompt: instructionsOf('langchain'),
    middleware: isFitted ? [forAgent({ limit: LIMIT, ...options })] : [],
  });

  const app = await serve((server) => {
    // What useChat sends, and its stream of events.
    server.post('/chat', middleware, async (request, response) => {
      const { messages } = request.palimpsest;
      const result = streamText({
        model,
        instructions: instructionsOf('ai-sdk'),
        messages: await convertToModelMessages(messages),
        tools: aiTools,
        stopWhen: isStepCount(STEPS + 5),
        maxRetries: 0,
      });
      const stream = toUIMessageStream({ stream: result.stream, tools: aiTools, generateMessageId: () => `answer-${answers++}` });
      pipeUIMessageStreamToResponse({ response, stream });
    });
    // An agent with tools of the server's own.
    server.post('/agent', middleware, async (request, response) => {
      const { messages } = await agent.invoke({ messages: request.palimpsest.messages }, { recursionLimit: 100 });
      response.json({ message: { role: 'assistant', content: messages.at(-1).text }, steps: messages.length });
    });
    // A provider's whole request, whose tools the client runs.
    const fitted = isFitted ? chatParser({ limit: LIMIT, ...options }) : middleware;
    server.post('/v1/chat/completions', fitted, async (request, response) => {
      const answer = await openai.chat.completions.create(request.palimpsest.request);
      request.palimpsest.observe(answer.usage);
      response.json(answer);
    });
  });
  const close = async () => {
    await app.close();
    await provider.close();
  };
  return { app, provider, errors, close };
}

/** A page with useChat. Returns the messages that it shows. */
async function page(url) {
  const transport = new DefaultChatTransport({ api: `${url}/chat` });
  const messages = [];
  for (let turn = 0; turn < TURNS; turn++) {
    messages.push({ id: `question-${turn}`, role: 'user', parts: [{ type: 'text', text: asks(turn) }] });
    const stream = await transport.sendMessages({ chatId: 'c', messages: structuredClone(messages), trigger: 'submit-message' });
    let last;
    for await (const message of readUIMessageStream({ stream })) last = message;
    messages.push(JSON.parse(JSON.stringify(last)));
  }
  return messages;
}

/** A client that keeps texts alone. */
async function texts(url) {
  const messages = [];
  for (let turn = 0; turn < TURNS; turn++) {
    messages.push({ role: 'user', content: asks(turn) });
    const answer = await post(`${url}/agent`, { messages });
    messages.push((await answer.json()).message);
  }
  return messages;
}

const post = (url, body) => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** All clients at once. */
async function use({ app: { url } }) {
  const client = () => loops['openai-chat'](clientsOf({ url }), { system: instructionsOf('openai') });
  return Promise.all([page(url), texts(url), client()]);
}

test('a server with agents of several SDKs serves all its clients at once, and they see nothing of it', async (t) => {
  const plain = await start(false);
  const expected = await use(plain).finally(plain.close);
  const server = await start(true);
  try {
    const { app, provider, errors } = server;
    const running = use(server);
    // Wrong requests meanwhile.
    for (const [path, body, status] of [
      ['/chat', { messages: [{ id: 'a', role: 'user', parts: 5 }] }, 400],
      ['/agent', { messages: [{ role: 'tool', tool_call_id: 'none', content: 'x' }] }, 400],
      ['/v1/chat/completions', { messages: [{ role: 'user', content: 'x'.repeat(4_000_001) }] }, 413],
    ]) {
      const answer = await post(app.url + path, body);
      assert.equal(answer.status, status, path);
      assert.equal(typeof (await answer.json()).error.message, 'string');
    }
    assert.deepEqual(await running, expected);
    assert.deepEqual(errors, []);
    assert.equal(provider.sum().refused, 0);
    for (const conversation of ['ai-sdk', 'langchain', 'openai']) {
      const requests = provider.requests.filter((one) => one.conversation === conversation);
      const { sent, cachedShare } = provider.sum({ conversation });
      const unfitted = plain.provider.sum({ conversation }).sent;
      assert.ok(Math.max(...requests.map(({ tokens }) => tokens)) <= 1.02 * LIMIT, conversation);
      assert.ok(sent < 0.9 * unfitted, `${conversation}: ${sent} of ${unfitted}`);
      assert.ok(cachedShare > 0.6, `${conversation}: ${cachedShare}`);
      t.diagnostic(
        `${conversation}: ${requests.length} requests, ${sent} tokens instead of ${unfitted}, ${(100 * cachedShare).toFixed(1)}% cached`,
      );
    }
  } finally {
    await server.close();
  }
});
