// Requests that want no next message: those for a summary go out whole, their session hears nothing of them, and other paths go through.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { generateText, jsonSchema, tool, wrapLanguageModel } from 'ai';
import OpenAI from 'openai';
import { createSession, marksNote } from 'palimpsest';
import { palimpsestMiddleware } from 'palimpsest/ai-sdk';
import { withPalimpsest } from 'palimpsest/anthropic';
import { withPalimpsest as withOpenAI } from 'palimpsest/openai';
import { createChatParser } from 'palimpsest/web';
import { agentTools, longAgent, startProvider } from '../support/agents/index.mjs';
import { loops } from '../support/agents/loops.mjs';
import { recordingFetch } from '../support/clients.mjs';
import { agentOf, user } from '../support/langchain.mjs';
import { palimpsestMiddleware as langchainMiddleware } from 'palimpsest/langchain';

const STEPS = 30;
const LIMIT = 12_000;
/** More than the conversation has. */
const ROOM = 300_000;
const model = 'claude-opus-5-5';
const ask = { model, max_tokens: 2000, thinking: { type: 'adaptive' }, cache_control: { type: 'ephemeral' } };
const compaction = { type: 'summarize' };
const betas = ['compact-2026-09-04'];
const declared = agentTools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }));
const system = 'You mend programs.';

/** A provider that checks what stands before thinking, and summarizes on demand. */
async function serving(t, agent = longAgent({ steps: STEPS, thinking: true })) {
  const summary = { content: [{ type: 'compaction', content: 'It is slow.', signature: 'c2ln' }], stop: 'compaction' };
  const provider = await startProvider((turn) => (turn.request.compaction ? summary : agent(turn)), { window: 400_000, preserved: true });
  t.after(() => provider.close());
  return provider;
}

const clientOf = ({ url }) => new Anthropic({ apiKey: 'test', baseURL: url, maxRetries: 0 });
const withoutThinking = (messages) =>
  messages.map(({ role, content }) => ({
    role,
    content: typeof content === 'string' ? content : content.filter(({ type }) => type !== 'thinking'),
  }));

/** Runs an agent with a client, then asks for a summary of all that was said. */
async function summarized(t, options) {
  const provider = await serving(t);
  const sessions = new Set();
  const onStep = (_, { session }) => void sessions.add(session);
  const client = withPalimpsest(clientOf(provider), { ...options, onStep, onError: (error) => assert.fail(error) });
  const messages = await loops.anthropic({ anthropic: client }, { system, request: ask });
  messages.push({ role: 'user', content: 'Where are we?' });
  const [session] = sessions;
  const before = JSON.stringify(session);
  const answer = await client.beta.messages.create({ ...ask, betas, compaction, system, tools: declared, messages });
  assert.equal(answer.stop_reason, 'compaction');
  assert.equal(sessions.size, 1);
  assert.equal(JSON.stringify(session), before, 'the session hears nothing of it');
  return { messages: JSON.parse(JSON.stringify(messages)), sent: provider.requests.at(-1), session, client, provider };
}

describe('a request for a summary', () => {
  test('of a conversation that was never cut goes out as its turns did, and is read from the cache', async (t) => {
    const { messages, sent } = await summarized(t, { limit: ROOM, shorten: false });
    assert.deepEqual(sent.body.messages, messages);
    assert.ok(sent.body.system.endsWith(marksNote));
    assert.ok(sent.cached > 0.95 * sent.tokens, `${sent.cached} of ${sent.tokens} tokens were cached`);
  });

  test('of one that was cut goes out whole, without the thinking that was signed behind less', async (t) => {
    const { messages, sent } = await summarized(t, { limit: LIMIT });
    assert.deepEqual(sent.body.messages, withoutThinking(messages));
  });

  test('of one in which a result was only shortened goes out whole, without the thinking behind it', async (t) => {
    const provider = await serving(t, () => ({ thinking: 'Hm.', calls: [{ name: 'Bash', input: { command: 'make' } }] }));
    const sessions = new Set();
    const onStep = (_, { session }) => void sessions.add(session);
    const client = withPalimpsest(clientOf(provider), { limit: ROOM, onStep, onError: assert.fail });
    const request = { ...ask, system, tools: [{ name: 'Bash', input_schema: { type: 'object' } }] };
    const output = 'waiting for the lock of the database\n'.repeat(200);
    const messages = [{ role: 'user', content: 'Run the tests.' }];
    for (let step = 0; step < 2; step++) {
      const { content } = await client.messages.create({ ...request, messages });
      const { id } = content.find(({ type }) => type === 'tool_use');
      messages.push({ role: 'assistant', content }, { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output }] });
    }
    await client.messages.create({ ...request, messages });
    assert.ok([...sessions][0].report.shortened !== undefined);
    await client.beta.messages.create({ ...request, betas, compaction, messages });
    assert.deepEqual(provider.requests.at(-1).body.messages, withoutThinking(JSON.parse(JSON.stringify(messages))));
  });

  test('of one that this process knows nothing of goes out without thinking, and with it by the caller’s option', async (t) => {
    for (const thinking of ['strip', 'leave', 'keep']) {
      const provider = await serving(t, longAgent({ steps: 5, thinking: true }));
      const messages = await loops.anthropic({ anthropic: clientOf(provider) }, { system, request: ask });
      messages.push({ role: 'user', content: 'Where are we?' });
      const { sent, fetch } = recordingFetch();
      const client = withPalimpsest(new Anthropic({ apiKey: 'test', fetch, maxRetries: 0 }), { limit: 100, thinking });
      await client.beta.messages.create({ ...ask, betas, compaction, messages });
      const whole = JSON.parse(JSON.stringify(messages));
      assert.deepEqual(JSON.parse(sent[0].body).messages, thinking === 'strip' ? withoutThinking(whole) : whole);
    }
  });

  test('of a session of the caller’s own does not touch it', async () => {
    const session = createSession({ limit: LIMIT, system: marksNote });
    const { fetch, sent } = recordingFetch();
    const client = withPalimpsest(new Anthropic({ apiKey: 'test', fetch, maxRetries: 0 }), session);
    const messages = Array.from({ length: 41 }, (_, index) => ({
      role: index % 2 ? 'assistant' : 'user',
      content: `${index} `.repeat(2000),
    }));
    await client.beta.messages.create({ ...ask, betas, compaction, messages });
    assert.deepEqual(JSON.parse(sent[0].body).messages, messages);
    assert.equal(session.report.requests, 0);
  });

  test('with the session’s breakpoints keeps its own', async (t) => {
    const { sent } = await summarized(t, { limit: LIMIT, cacheControl: true });
    assert.deepEqual(sent.body.cache_control, ask.cache_control);
  });

  test('in the conversation goes on behind it, from the summary', async (t) => {
    const { client, provider } = await summarized(t, { limit: LIMIT });
    const messages = [
      { role: 'assistant', content: [{ type: 'compaction', content: 'It is slow.', signature: 'c2ln' }] },
      { role: 'user', content: 'Go on.' },
    ];
    await client.beta.messages.create({ ...ask, betas, system, tools: declared, messages });
    assert.deepEqual(provider.requests.at(-1).body.messages, messages);
  });
});

test('a request for a summary from the AI SDK, from LangChain and at an endpoint goes out whole', async (t) => {
  const provider = await serving(t);
  const messages = Array.from({ length: 41 }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: `${index} `.repeat(900).trim(),
  }));
  const steps = [];
  const options = { limit: LIMIT, onStep: (step) => void steps.push(step), onError: (error) => assert.fail(error) };
  const textsOf = ({ body }) =>
    body.messages.map(({ content }) => (typeof content === 'string' ? content : content.map(({ text }) => text).join('')));
  const texts = messages.map(({ content }) => content);

  const claude = createAnthropic({ apiKey: 'test', baseURL: `${provider.url}/v1` })(model);
  await generateText({
    model: wrapLanguageModel({ model: claude, middleware: palimpsestMiddleware(options) }),
    messages,
    tools: Object.fromEntries(agentTools.map(({ name, parameters }) => [name, tool({ inputSchema: jsonSchema(parameters) })])),
    providerOptions: { anthropic: { compaction } },
    maxRetries: 0,
  });
  assert.deepEqual(textsOf(provider.requests.at(-1)), texts);

  const middleware = [langchainMiddleware(options)];
  const summarizing = { model, maxTokens: 2000, betas, invocationKwargs: { compaction } };
  await agentOf('anthropic', provider.url, { model: summarizing, middleware }).invoke({
    messages: messages.map((one) => (one.role === 'user' ? user(one.content) : one)),
  });
  assert.deepEqual(textsOf(provider.requests.at(-1)), texts);

  const body = JSON.stringify({ ...ask, compaction, messages });
  const chat = await createChatParser(options)(
    new Request('http://x', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
  );
  assert.deepEqual([chat.request, chat.step, chat.session], [JSON.parse(body), undefined, undefined]);
  assert.deepEqual(chat.messages, messages);
  chat.observe({ input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, iterations: [] });

  assert.deepEqual(steps, []);
});

test('so does one for OpenAI’s, of a client, from the AI SDK and at an endpoint', async () => {
  const { sent, fetch } = recordingFetch();
  const steps = [];
  const options = { limit: 1000, explainMarks: false, onStep: (step) => void steps.push(step), onError: (error) => assert.fail(error) };
  const messages = Array.from({ length: 41 }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: `${index} `.repeat(90).trim(),
  }));
  const body = { model: 'gpt-5.5', input: [...messages, { type: 'compaction_trigger' }] };
  await withOpenAI(new OpenAI({ apiKey: 'test', fetch, maxRetries: 0 }), options).responses.create(body);
  assert.deepEqual(JSON.parse(sent.pop().body), body);

  const gpt = createOpenAI({ apiKey: 'test', fetch })('gpt-5.5');
  const wrapped = wrapLanguageModel({ model: gpt, middleware: palimpsestMiddleware(options) });
  const providerOptions = { openai: { store: false, compactionTrigger: true } };
  // What answers is no response.
  await assert.rejects(generateText({ model: wrapped, messages, providerOptions, maxRetries: 0 }));
  const { input } = JSON.parse(sent.pop().body);
  assert.deepEqual([input.length, input.at(-1)], [42, { type: 'compaction_trigger' }]);
  const says = ({ content }) => (typeof content === 'string' ? content : content.map(({ text }) => text).join(''));
  assert.deepEqual(input.slice(0, -1).map(says), messages.map(says));

  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const chat = await createChatParser({ limit: 1000 })(new Request('http://x', init));
  assert.deepEqual([chat.request, chat.step], [body, undefined]);
  assert.deepEqual(steps, []);
});

test('a tool runner that compacts in the middle goes on from the summary', async (t) => {
  const provider = await serving(t);
  const client = withPalimpsest(clientOf(provider), { limit: LIMIT, onError: (error) => assert.fail(error) });
  const runnable = agentTools.map(({ name, description, parameters, run }) =>
    betaTool({ name, description, inputSchema: parameters, run: async (input) => run(input) }),
  );
  const question = [{ role: 'user', content: 'Find out why the export is slow.' }];
  const runner = client.beta.messages.toolRunner({ ...ask, betas, thread: false, system, tools: runnable, messages: question });
  let [turns, whole] = [0, []];
  for await (const message of runner) {
    if (message.stop_reason === 'compaction') continue;
    if (++turns === 20) runner.compactBeforeNextTurn();
    if (turns <= 20) whole = [...runner.params.messages];
  }
  const requests = provider.requests.map(({ body, status }) => [status, body.compaction !== undefined, body.messages.length]);
  assert.ok(requests.every(([status]) => status === 200));
  const at = requests.findIndex(([, isSummary]) => isSummary);
  assert.equal(at, 20);
  // With the last answer and the results of its calls.
  assert.equal(requests[at][2], whole.length + 2);
  assert.ok(requests[at][2] > requests[at - 1][2] + 2, 'less was sent before');
  assert.equal(provider.requests[at + 1].body.messages[0].content[0].type, 'compaction');
});

test('requests that count or compact by a path of their own go through', async () => {
  const content = 'many words '.repeat(9000);
  const { sent, fetch } = recordingFetch();
  const anthropic = withPalimpsest(new Anthropic({ apiKey: 'test', fetch, maxRetries: 0 }), { limit: 1000, onStep: assert.fail });
  const openai = withOpenAI(new OpenAI({ apiKey: 'test', fetch, maxRetries: 0 }), { limit: 1000, onStep: assert.fail });
  const messages = [{ role: 'user', content }];
  const requests = [
    ['/v1/messages/count_tokens', { model, messages }, (body) => anthropic.messages.countTokens(body)],
    ['/v1/messages/count_tokens', { model, messages, compaction }, (body) => anthropic.beta.messages.countTokens(body)],
    ['/v1/responses/compact', { model: 'gpt-5.5', input: messages }, (body) => openai.responses.compact(body)],
    ['/v1/responses/input_tokens', { model: 'gpt-5.5', input: messages }, (body) => openai.responses.inputTokens.count(body)],
  ];
  for (const [path, body, send] of requests) {
    await send(body);
    const { url, body: out } = sent.pop();
    assert.equal(new URL(url).pathname, path);
    assert.deepEqual(JSON.parse(out), body);
  }
});
