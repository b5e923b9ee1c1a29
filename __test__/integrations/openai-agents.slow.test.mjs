// The wrapped model, the wrapped provider and the filter in OpenAI's Agents SDK itself, over HTTP, against providers that are strict and
// keep a cache.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { before, describe, test } from 'node:test';
import {
  Agent,
  handoff,
  MemorySession,
  OpenAIChatCompletionsModel,
  OpenAIProvider,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
  tool,
} from '@openai/agents';
import fc from 'fast-check';
import OpenAI from 'openai';
import { countTokens, marksNote, validate } from '../../unbundled/index.js';
import { palimpsestFilter, palimpsestModel } from '../../unbundled/integrations/openai-agents.js';
import { agentTools, checkLongRun, epochsOf, image, longAgent, observer, sent, startProvider } from '../support/agents/index.mjs';
import { testSessions } from '../support/clients.mjs';
import { cases } from '../support/seed.mjs';

const { OwnMessages } = createRequire(import.meta.url)('../../unbundled/integrations/openai-agents-own.js');
setTracingDisabled(true);

const STEPS = 45;
const LIMIT = 12_000;
const observing = observer({ limit: LIMIT });
const LONG_RUN = { steps: STEPS, limit: LIMIT };
const MAX_TURNS = 60;
const TASK = 'Find out why exports fail.';
const tools = agentTools.map(({ name, description, parameters, run }) =>
  tool({ name, description, parameters, strict: false, execute: async (input) => run(input) }),
);

/** Starts a provider for one test. */
async function serving(t, script = longAgent({ steps: STEPS }), options = {}) {
  const provider = await startProvider(script, { window: 400_000, ...options });
  t?.after(() => provider.close());
  const client = new OpenAI({ apiKey: 'test', baseURL: `${provider.url}/v1`, maxRetries: 0 });
  return {
    provider,
    client,
    responses: new OpenAIResponsesModel(client, 'gpt-5.5'),
    chat: new OpenAIChatCompletionsModel(client, 'gpt-5.5'),
  };
}

const agentOf = (model, name, more) =>
  new Agent({ name: 'Engineer', instructions: `You are a careful agent. [conversation ${name}]`, tools, model, ...more });

/** Runs an agent to its end, and returns what the SDK keeps of it. */
async function runOf(agent, { input = TASK, stream = false, runner = new Runner(), session = new MemorySession(), ...more } = {}) {
  const result = await runner.run(agent, input, { maxTurns: MAX_TURNS, stream, session, ...more });
  if (stream) {
    for await (const _ of result);
    await result.completed;
  }
  return { output: result.finalOutput, history: result.history, stored: await session.getItems() };
}

const plain = (value) => JSON.parse(JSON.stringify(value));

describe('an agent of 45 steps', () => {
  const runs = [
    ['responses', false],
    ['chat', true],
  ];
  const alone = {};
  before(async () => {
    for (const [api, stream] of runs) {
      const { provider, [api]: model } = await serving();
      alone[api] = plain(await runOf(agentOf(model, 'agent'), { stream }));
      await provider.close();
    }
  });

  for (const [api, stream] of runs) {
    test(`a model of ${api}${stream ? ', streamed' : ''}: the history is whole, requests are small, the cache is used`, async (t) => {
      const { provider, [api]: model } = await serving(t);
      const { seen, options } = observing();
      const result = await runOf(agentOf(palimpsestModel(model, options), 'agent'), { stream });
      assert.deepEqual(plain(result), alone[api]);
      checkLongRun(t, provider, 'agent', seen, LONG_RUN);
      assert.deepEqual(validate(result.stored), []);
    });
  }

  test('the filter: the history is whole, requests are small, the cache is used', async (t) => {
    const { provider, responses } = await serving(t);
    const { seen, options } = observing();
    const result = await runOf(agentOf(responses, 'agent'), { callModelInputFilter: palimpsestFilter(options) });
    assert.deepEqual(plain(result), alone.responses);
    checkLongRun(t, provider, 'agent', seen, { ...LONG_RUN, isObserved: false });
  });

  test('the provider of a runner: agents name their models, and a handoff goes on with the conversation', async (t) => {
    const script = longAgent({ steps: STEPS });
    const handing = ({ step, ...turn }) =>
      step === 20 ? { calls: [{ name: 'transfer_to_Closer', input: {} }] } : script({ ...turn, step: step > 20 ? step - 1 : step });
    const { provider, client } = await serving(t, handing);
    const { seen, options } = observing();
    const modelProvider = palimpsestModel(new OpenAIProvider({ openAIClient: client, useResponses: true }), options);
    const closer = agentOf('gpt-5.5', 'agent', { name: 'Closer' });
    const agent = agentOf('gpt-5.5', 'agent', { handoffs: [handoff(closer)] });
    const result = await runOf(agent, { runner: new Runner({ modelProvider }), stream: true });
    assert.equal(result.output, `All ${STEPS} steps are done.`);
    assert.equal(provider.sum().refused, 0);
    assert.deepEqual(
      provider.requests.filter(({ tokens }) => tokens > LIMIT),
      [],
    );
    // Another agent has other tools, so that its session is a copy.
    assert.equal(seen.sessions.size, 2);
    assert.ok(seen.steps.at(-1).report.messages.before > 90);
    const calls = result.stored.filter(({ type }) => type === 'function_call');
    assert.equal(calls.length, STEPS + 2);
  });

  test('the provider of a runner: the name of a model gives its window', async (t) => {
    const { client } = await serving(t, [{ text: 'Done.' }, { text: 'Done.' }]);
    const errors = [];
    const { seen, options } = observing({ limit: undefined, onError: ({ message }) => errors.push(message) });
    const modelProvider = palimpsestModel(new OpenAIProvider({ openAIClient: client, useResponses: true }), options);
    for (const model of ['gpt-5.5', 'model-of-tomorrow']) await runOf(agentOf(model, 'a'), { runner: new Runner({ modelProvider }) });
    const [{ tokens }] = seen.steps;
    assert.ok(tokens.limit > 100_000, String(tokens.limit));
    assert.deepEqual(errors, [
      'palimpsestModel(): options must give a limit or a window, because the window of model "model-of-tomorrow" is not known',
    ]);
  });
});

describe('the filter and the session of the SDK', () => {
  const log = (name) =>
    Array.from({ length: 400 }, (_, line) => `${name} ${line}: the batch ${line * 7919} was written to its shard`).join('\n');

  test('a run’s own messages are stored as they were given, whatever had to go', async (t) => {
    const script = ({ step }) =>
      step % 4 === 3 ? { text: `Answer ${step}.` } : { calls: [{ name: 'read', input: { path: `src/${step}.ts` } }] };
    const { provider, responses } = await serving(t, script);
    const { provider: other, responses: bare } = await serving(t, script);
    const { seen, options } = observing({ limit: 3_000 });
    const stores = [];
    for (const [model, more] of [
      [responses, { callModelInputFilter: palimpsestFilter(options) }],
      [bare, {}],
    ]) {
      const session = new MemorySession();
      for (const input of ['Read a file.', `Look at this.\n${log('pasted')}`, 'And another one.', 'Enough?']) {
        await runOf(agentOf(model, 'talk'), { input, session, ...more });
      }
      stores.push(plain(await session.getItems()));
    }
    assert.deepEqual(stores[0], stores[1]);
    assert.ok(seen.steps.some(({ epoch }) => epoch !== undefined));
    assert.ok(provider.sum().sent < other.sum().sent / 2);
    assert.equal(provider.sum().refused, 0);
    // The pasted text went out whole in its own run, and short in the next one.
    const whole = provider.requests.map((request) => sent(request).includes('pasted 399') && sent(request).includes('pasted 200'));
    assert.deepEqual([whole[4], whole.at(-1)], [true, false]);
  });

  test('whatever is shortened or removed, a run’s own messages are there, each in its place', () => {
    const kinds = fc.constantFrom('user', 'user', 'system', 'assistant', 'call', 'result');
    const fates = fc.constantFrom('stays', 'stays', 'is shortened', 'is removed');
    let count = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(kinds, fates), { minLength: 1, maxLength: 12 }), fc.nat(3), (drawn, later) => {
        const input = drawn.map(([kind]) => {
          const id = `${kind}_${++count}`;
          if (kind === 'call') return { type: 'function_call', callId: id, name: 'f', arguments: '{}' };
          if (kind === 'result') return { type: 'function_call_result', callId: id, name: 'f', output: 'x' };
          return { type: 'message', role: kind, ...(kind === 'assistant' && { id }), content: 'x' };
        });
        const messages = new OwnMessages();
        const first = Math.max(0, input.length - later);
        messages.learn(input.slice(0, first));
        let start = first;
        while (start > 0 && /^(user|system)/.test(drawn[start - 1][0])) start--;
        const own = new Set(input.slice(start, first));
        const sent = input.flatMap((item, index) => {
          const fate = drawn[index][1];
          if (fate === 'is removed') return [];
          return fate === 'stays' ? [item] : [{ ...item, short: true }];
        });
        const result = messages.putBack(input, sent);
        assert.deepEqual(
          result.filter((item) => own.has(item)),
          [...own],
        );
        // The others are as they were sent, in their order.
        const others = (list) => list.filter((item) => !own.has(item) && item.callId !== undefined);
        assert.deepEqual(others(result), others(sent));
        if ([...own].every((item) => sent.includes(item))) assert.equal(result, sent);
      }),
      { numRuns: cases(300) },
    );
  });

  test('objects are recognised, and what is not cut is returned as it was', async () => {
    const filter = palimpsestFilter({ limit: 10_000, explainMarks: false });
    assert.equal(filter.preserveInputIdentity, true);
    const input = Object.freeze([Object.freeze({ type: 'message', role: 'user', content: TASK })]);
    const modelData = { input, instructions: 'Be brief.' };
    const result = await filter({ modelData, agent: agentOf('gpt-5.5', 'a'), context: undefined });
    assert.equal(result.input, input);
    assert.deepEqual(result, modelData);
  });

  test('instructions, tools and handoffs are counted', async () => {
    const steps = [];
    const filter = palimpsestFilter({ limit: 10_000, explainMarks: false, onStep: (step) => steps.push(step) });
    const input = [{ type: 'message', role: 'user', content: TASK }];
    const agent = agentOf('gpt-5.5', 'a');
    for (const [instructions, given] of [
      ['Be brief.', agent],
      ['Be brief.', agentOf('gpt-5.5', 'a', { handoffs: [agent] })],
    ]) {
      await filter({ modelData: { input, instructions }, agent: given, context: undefined });
    }
    const schemas = agentTools.map(({ name, description, parameters }) => ({ name, description, parameters }));
    assert.equal(steps[0].tokens.after, countTokens(input, { system: 'Be brief.', tools: schemas }));
    assert.ok(steps[1].tokens.after > steps[0].tokens.after + 10);
  });
});

const open = ({ url }) => new OpenAIResponsesModel(new OpenAI({ apiKey: 'test', baseURL: `${url}/v1`, maxRetries: 0 }), 'gpt-5.5');
testSessions('the model', {
  open,
  wrap: palimpsestModel,
  options: { format: 'openai-agents' },
  run: async (model, { conversation }) => plain((await runOf(agentOf(model, conversation))).history),
  ask: (model, input) => runOf(agentOf(model, 'a'), { input }),
});

const filtered = ({ model, ...filter }, name, more) => runOf(agentOf(model, name), { ...filter, ...more });
testSessions('the filter', {
  open: (provider) => ({ model: open(provider) }),
  wrap: (client, options) => ({ ...client, callModelInputFilter: palimpsestFilter(options) }),
  options: { format: 'openai-agents' },
  run: async (client, { conversation }) => plain((await filtered(client, conversation)).history),
  ask: (client, input) => filtered(client, 'a', { input }),
});

describe('the model', () => {
  const twoTexts = [{ text: 'One.' }, { text: 'Two.' }];

  test('reasoning, images and structured output come through', async (t) => {
    const script = ({ step }) =>
      step < 12 ? { thinking: `Hm ${step}.`, calls: [{ name: 'read', input: { path: `src/${step}.ts` } }] } : { json: { done: true } };
    const { provider, responses } = await serving(t, script, { preserved: true });
    const { seen, options } = observing({ limit: 5_000 });
    const outputType = {
      type: 'json_schema',
      name: 'end',
      strict: true,
      schema: { type: 'object', properties: { done: { type: 'boolean' } }, required: ['done'], additionalProperties: false },
    };
    const agent = agentOf(palimpsestModel(responses, options), 'a', {
      outputType,
      modelSettings: {
        reasoning: { effort: 'low', summary: 'auto' },
        store: false,
        providerData: { include: ['reasoning.encrypted_content'] },
      },
    });
    const content = [
      { type: 'input_text', text: TASK },
      { type: 'input_image', image: image.dataUrl },
    ];
    const { output, stored } = await runOf(agent, {
      input: [{ type: 'message', role: 'user', content }],
      sessionInputCallback: (old, fresh) => [...old, ...fresh],
    });
    assert.deepEqual(output, { done: true });
    assert.equal(provider.sum().refused, 0);
    assert.ok(epochsOf([...seen.sessions][0]) >= 1);
    assert.ok(stored.filter(({ type }) => type === 'reasoning').length === 12);
    assert.ok(provider.requests.every((request) => sent(request).includes(image.base64)));
  });

  test('an abort in the middle of a stream reaches the provider, and the conversation goes on', async (t) => {
    const { provider, responses } = await serving(t, [{ text: 'A long answer. '.repeat(200) }, { text: 'Short.' }], { pause: 2 });
    const { seen, options } = observing();
    const agent = agentOf(palimpsestModel(responses, options), 'a');
    const controller = new AbortController();
    const result = await new Runner().run(agent, TASK, { stream: true, signal: controller.signal });
    let events = 0;
    for await (const _ of result) if (++events === 5) controller.abort();
    await result.completed.catch(() => {});
    assert.ok(events >= 5);
    while (!provider.requests[0].aborted) await new Promise((done) => setTimeout(done, 10));
    assert.equal(provider.requests[0].aborted, true);
    const again = await runOf(agent);
    assert.match(again.output, /^A long answer\./);
    assert.equal(seen.sessions.size, 1);
  });

  test('errors of the provider and of guardrails reach the caller as they are', async (t) => {
    const { responses } = await serving(t, twoTexts, { faults: (_, n) => (n === 0 ? { status: 429, message: 'Slow down.' } : undefined) });
    const model = palimpsestModel(responses, { limit: LIMIT });
    await assert.rejects(runOf(agentOf(model, 'a')), (error) => error instanceof OpenAI.RateLimitError && error.status === 429);
    const inputGuardrails = [{ name: 'never', execute: async () => ({ tripwireTriggered: true, outputInfo: {} }) }];
    await assert.rejects(runOf(agentOf(model, 'a', { inputGuardrails })), { name: 'InputGuardrailTripwireTriggered' });
  });

  test('a request is never changed, and one that only continues a conversation at the API goes through untouched', async () => {
    const seen = [];
    const usage = { inputTokens: 100, outputTokens: 1, inputTokensDetails: {} };
    class Inner {
      #hidden = 'private';
      supportsPromptModelSelection = true;
      getRetryAdvice() {
        return this.#hidden;
      }
      async getResponse(request) {
        seen.push(request);
        return { usage, output: [] };
      }
      async *getStreamedResponse(request) {
        seen.push(request);
        yield { type: 'response_done', response: { id: 'r', usage, output: [] } };
      }
    }
    const model = palimpsestModel(new Inner(), { limit: LIMIT });
    assert.equal(model.getRetryAdvice({}), 'private');
    assert.equal(model.supportsPromptModelSelection, true);
    const request = { input: TASK, modelSettings: {}, tools: [], handoffs: [], outputType: 'text', tracing: false };
    const before = structuredClone(request);
    for (const more of [{ previousResponseId: 'r' }, { conversationId: 'c' }]) {
      const given = Object.freeze({ ...request, ...more });
      await model.getResponse(given);
      for await (const _ of model.getStreamedResponse(given));
      assert.ok(seen.splice(0).every((one) => one === given));
    }
    await model.getResponse(Object.freeze(request));
    assert.deepEqual(request, before);
    assert.deepEqual(seen, [{ ...request, systemInstructions: marksNote }]);
  });

  test('bad arguments are named', () => {
    const model = { getResponse() {}, getStreamedResponse() {} };
    for (const wrong of [undefined, null, 'gpt-5.5', {}]) {
      assert.throws(
        () => palimpsestModel(wrong, { limit: LIMIT }),
        /^TypeError: palimpsestModel\(\): model must be a Model or a ModelProvider/,
      );
    }
    assert.throws(() => palimpsestModel(model), /^TypeError: palimpsestModel\(\): options must give a limit, a window or a model/);
    assert.doesNotThrow(() => palimpsestModel(model, { model: 'gpt-5.5' }));
    assert.doesNotThrow(() => palimpsestModel(model, { session: () => null }));
    assert.doesNotThrow(() => palimpsestModel({ getModel() {} }));
    assert.throws(() => palimpsestModel(model, { limits: 1 }), /^TypeError: palimpsestModel\(\): .*limits/);
    assert.throws(() => palimpsestFilter({ limit: 'x' }), /^TypeError: palimpsestFilter\(\): options\.limit/);
  });
});
