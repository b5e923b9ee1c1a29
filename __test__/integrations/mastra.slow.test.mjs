// The processor in Mastra's agents, over HTTP, against providers that are strict and keep a cache.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { Agent } from '@mastra/core/agent';
import { MockMemory } from '@mastra/core/memory';
import { RequestContext } from '@mastra/core/request-context';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { countTokens, createSession, marksNote } from 'palimpsest';
import { palimpsestProcessor } from 'palimpsest/mastra';
import { agentTools, checkLongRun, image, longAgent, observer, startProvider } from '../support/agents/index.mjs';
import { testSessions } from '../support/clients.mjs';

const STEPS = 42;
const LIMIT = 12_000;
const observing = observer({ limit: LIMIT });
const LONG_RUN = { steps: STEPS, limit: LIMIT };
const PROMPT = 'Find out why exports fail.';
const tools = Object.fromEntries(
  agentTools.map(({ name, description, parameters, run }) => {
    const inputSchema = z.object(
      Object.fromEntries(Object.entries(parameters.properties).map(([key, property]) => [key, z.string().describe(property.description)])),
    );
    return [name, createTool({ id: name, description, inputSchema, execute: async (input) => run(input) })];
  }),
);

async function serving(t, script, options) {
  const provider = await startProvider(script, { window: 400_000, ...options });
  t.after(() => provider.close());
  const anthropic = createAnthropic({ apiKey: 'test', baseURL: `${provider.url}/v1` });
  return {
    provider,
    chat: createOpenAI({ apiKey: 'test', baseURL: `${provider.url}/v1` }).chat('gpt-5.5'),
    claude: anthropic('claude-opus-5'),
  };
}

/** An agent whose requests the provider files under `name`. */
const agentWith = (name, model, processor, more) =>
  new Agent({
    id: name,
    name,
    instructions: `You are a careful agent. [conversation ${name}]`,
    model,
    tools,
    ...(processor && { inputProcessors: [processor], outputProcessors: [processor] }),
    ...more,
  });

const RUN = { maxSteps: STEPS + 5, modelSettings: { maxRetries: 0 } };
const generated = (agent, options, prompt = PROMPT) => agent.generate(prompt, { ...RUN, ...options });
async function streamed(agent, options, prompt = PROMPT) {
  const stream = await agent.stream(prompt, { ...RUN, ...options });
  await stream.consumeStream();
  return stream.getFullOutput();
}

/** Messages as Mastra stores them, without ids and times. */
const said = (messages) =>
  JSON.parse(JSON.stringify(messages, (key, value) => (['id', 'createdAt', 'threadId', 'resourceId'].includes(key) ? undefined : value)));

describe(`an agent of ${STEPS} steps`, () => {
  const thread = { memory: { thread: 'exports', resource: 'me' } };
  const remember = () => new MockMemory({ options: { lastMessages: 1000 } });
  let alone;
  before(async () => {
    const provider = await startProvider(longAgent({ steps: STEPS }), { window: 400_000 });
    const model = createOpenAI({ apiKey: 'test', baseURL: `${provider.url}/v1` }).chat('gpt-5.5');
    const memory = remember();
    await generated(agentWith('agent', model, undefined, { memory }), thread);
    alone = said((await memory.recall({ threadId: 'exports', perPage: false })).messages);
    await provider.close();
  });

  for (const [name, run] of Object.entries({ 'generate()': generated, 'stream()': streamed })) {
    test(`${name}: the memory is whole, requests are small, the cache is used`, async (t) => {
      const { provider, chat } = await serving(t, longAgent({ steps: STEPS }));
      const { seen, options } = observing();
      const memory = remember();
      await run(agentWith('agent', chat, palimpsestProcessor(options), { memory }), thread);
      checkLongRun(t, provider, 'agent', seen, LONG_RUN);
      assert.deepEqual(said((await memory.recall({ threadId: 'exports', perPage: false })).messages), alone);
    });
  }

  test("without memory, Claude's thinking comes back as it was signed", async (t) => {
    const { provider, claude } = await serving(t, longAgent({ steps: STEPS, thinking: true }), { preserved: true });
    const { seen, options } = observing();
    const anthropic = { cacheControl: { type: 'ephemeral' }, thinking: { type: 'adaptive' } };
    const { text } = await streamed(agentWith('agent', claude, palimpsestProcessor(options)), { providerOptions: { anthropic } });
    checkLongRun(t, provider, 'agent', seen, LONG_RUN);
    assert.ok(text.endsWith(`All ${STEPS} steps are done.`));
    assert.ok(JSON.stringify(provider.requests[2].body.messages).includes('"signature"'));
  });
});

/** Calls one after the other, then a text. */
const reads =
  (count) =>
  ({ step }) =>
    step % (count + 1) < count ? { calls: [{ name: 'read', input: { path: `src/file${step}.ts` } }] } : { text: `Enough after ${step}.` };

describe('the processor', () => {
  test('gives each thread a session of its own, which goes on with the next message of the user', async (t) => {
    const { provider, chat } = await serving(t, reads(6));
    const { seen, options } = observing({ limit: 8000 });
    const memory = new MockMemory({ options: { lastMessages: 1000 } });
    const agents = ['north', 'south'].map((name) => agentWith(name, chat, palimpsestProcessor(options), { memory }));
    const ask = (prompt) =>
      Promise.all(agents.map((agent) => generated(agent, { memory: { thread: agent.id, resource: 'me' } }, `${prompt} ${agent.id}`)));
    await ask('First:');
    await ask('Second:');
    assert.equal(seen.sessions.size, 2);
    for (const session of seen.sessions) {
      assert.equal(session.report.requests, 14);
      assert.ok(session.report.epochs.limit + session.report.epochs.turn > 0);
      assert.ok(session.toJSON().factor > 0, 'usage was observed');
    }
    assert.ok(provider.requests.every(({ status, tokens }) => status === 200 && tokens <= 8000));
  });

  test('a thread whose beginning the memory leaves out keeps its session', async (t) => {
    const { provider, chat } = await serving(t, ({ step }) => ({ text: `Answer ${step}.` }));
    const { seen, options } = observing();
    const memory = new MockMemory({ options: { lastMessages: 2 } });
    const agent = agentWith('window', chat, palimpsestProcessor(options), { memory });
    for (let turn = 0; turn < 4; turn++) await generated(agent, { memory: { thread: 'long', resource: 'me' } }, `Question ${turn}?`);
    assert.equal(seen.sessions.size, 1);
    assert.equal(seen.steps.at(-1).report.exact, true, 'what usage tells is kept');
    assert.ok(provider.requests.at(-1).body.messages.length < 7);
  });

  test('is asked for a session by the context of a request', async (t) => {
    const { chat } = await serving(t, reads(2));
    const session = createSession({ limit: 8000, format: 'ai-sdk-model' });
    const processor = palimpsestProcessor({ session: ({ requestContext }) => (requestContext.get('chat') === 'c1' ? session : undefined) });
    await generated(agentWith('named', chat, processor), { requestContext: new RequestContext([['chat', 'c1']]) });
    assert.equal(session.report.requests, 3);
  });

  test('counts the tools, and explains the marks', async (t) => {
    const { provider, chat } = await serving(t, [{ text: 'Yes.' }, { text: 'Yes.' }]);
    const { seen, options } = observing();
    await generated(agentWith('tools', chat, palimpsestProcessor(options)));
    await generated(agentWith('tools', chat, palimpsestProcessor(options)), { activeTools: ['read'] });
    const [all, one] = seen.steps.map(({ tokens }) => tokens.after);
    const { messages, tools: schemas } = provider.requests[0].body;
    assert.ok(messages[0].content.endsWith(`\n\n${marksNote}`));
    assert.equal(all, countTokens(messages, { tools: schemas }));
    assert.equal(one, countTokens(messages, { tools: provider.requests[1].body.tools }));
    assert.ok(one < all);
  });

  test('images and structured output go through; nothing is changed that need not be', async (t) => {
    const { provider, chat } = await serving(t, [{ json: { colour: 'red' } }]);
    const prompt = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Which colour?' },
          { type: 'file', data: image.base64, mediaType: image.mediaType },
        ],
      },
    ];
    const structuredOutput = { schema: z.object({ colour: z.string() }) };
    const bodies = [];
    for (const [name, processor] of [
      ['plain', undefined],
      ['fitted', palimpsestProcessor({ limit: LIMIT, explainMarks: false })],
    ]) {
      const { object } = await generated(agentWith(name, chat, processor, { tools: undefined }), { structuredOutput }, prompt);
      assert.deepEqual(object, { colour: 'red' });
      bodies.push(JSON.stringify(provider.requests.at(-1).body).replaceAll(name, 'agent'));
    }
    assert.equal(bodies[1], bodies[0]);
    assert.ok(bodies[0].includes(image.base64));
  });

  test('a stream that is aborted ends at the server, and the thread goes on', async (t) => {
    const long = 'A long answer. '.repeat(400);
    const { provider, chat } = await serving(t, [{ text: long }, { text: 'Yes.' }], { pause: 2 });
    const { seen, options } = observing();
    const agent = agentWith('abort', chat, palimpsestProcessor(options), { memory: new MockMemory() });
    const controller = new AbortController();
    const memory = { thread: 't', resource: 'r' };
    const stream = await agent.stream('Say much.', { ...RUN, memory, abortSignal: controller.signal });
    let text = '';
    for await (const delta of stream.textStream) {
      text += delta;
      if (text.length > 100) controller.abort();
    }
    assert.ok(text.length > 100 && text.length < long.length);
    const again = await generated(agent, { memory }, 'Say it again.');
    assert.equal(again.text, long);
    assert.deepEqual(
      provider.requests.map(({ aborted, status }) => [aborted, status]),
      [
        [true, 200],
        [false, 200],
      ],
    );
    assert.equal(seen.sessions.size, 1);
  });

  test('where neither the options nor the model say how much a request may take, it goes out as it came', async () => {
    const errors = [];
    const processor = palimpsestProcessor({ onError: ({ message }) => errors.push(message) });
    const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hi.' }] }];
    const requestContext = new RequestContext([['mastra__threadId', 't']]);
    const params = { prompt, model: { modelId: 'house-model' }, steps: [], state: {}, requestContext };
    assert.equal(await processor.processLLMRequest(params), undefined);
    assert.match(errors.join(), /^palimpsestProcessor\(\): .*the window of model "house-model" is not known/);
  });
});

testSessions('the processor', {
  open: ({ url }) => ({ model: createOpenAI({ apiKey: 'test', baseURL: `${url}/v1` }).chat('gpt-5.5') }),
  wrap: (client, options) => ({ ...client, processor: palimpsestProcessor(options) }),
  options: { format: 'ai-sdk-model' },
  run: async ({ model, processor }, { conversation }) => (await generated(agentWith(conversation, model, processor))).text,
});
