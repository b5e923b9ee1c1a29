// The state of palimpsest/langchain: checkpointers, threads, branches, interrupts, subgraphs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command, MemorySaver, MessagesValue, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { createMiddleware, humanInTheLoopMiddleware } from 'langchain';
import { createSession } from '../../index.mjs';
import { palimpsestMiddleware } from '../../integrations/langchain.mjs';
import { longAgent } from '../support/agents/index.mjs';
import { agentOf, providerOf, recorded, said, sentIn, SMALL, stateOf, threadOf, TURNS, turns, user } from '../support/langchain.mjs';

/** A run over all turns: its requests, and the messages at the end. */
async function inTurns(invoke, options) {
  const provider = await providerOf(turns, options);
  const messages = [];
  for (const text of TURNS) messages.splice(0, Infinity, ...(await invoke(provider.url, user(text), messages)).messages);
  assert.equal(provider.sum().refused, 0);
  return { sent: provider.requests.map(sentIn), messages: messages.map(said) };
}

/** What a single agent with a checkpointer sends, by the API. */
const byOne = new Map();
function byOneAgent(chat) {
  if (!byOne.has(chat)) byOne.set(chat, runOfOne(chat));
  return byOne.get(chat);
}

async function runOfOne(chat) {
  const saver = new MemorySaver();
  const { middleware, steps } = recorded({ limit: SMALL });
  let agent;
  const run = await inTurns((url, text) => {
    agent ??= agentOf(chat, url, { middleware: [middleware], checkpointer: saver });
    return agent.invoke({ messages: [text] }, threadOf('1'));
  });
  assert.ok(steps.filter(({ epoch }) => epoch).length >= 3);
  return { ...run, steps };
}

for (const chat of ['openai-chat', 'anthropic']) {
  test(`${chat}: a conversation goes on elsewhere from the checkpointer, with the same requests`, async () => {
    const saver = new MemorySaver();
    const elsewhere = await inTurns((url, text) => {
      const { middleware } = recorded({ limit: SMALL });
      return agentOf(chat, url, { middleware: [middleware], checkpointer: saver }).invoke({ messages: [text] }, threadOf('1'));
    });
    const { sent, messages } = await byOneAgent(chat);
    assert.deepEqual(elsewhere, { sent, messages });
  });
}

test('without a checkpointer, and in a subgraph, a conversation is found by its messages', async () => {
  const { sent, messages } = await byOneAgent('openai-chat');
  const { middleware } = recorded({ limit: SMALL });
  const bare = await inTurns((url, text, before) =>
    agentOf('openai-chat', url, { middleware: [middleware] }).invoke({ messages: [...before, text] }, threadOf('1')),
  );
  assert.deepEqual(bare, { sent, messages });

  const { middleware: other } = recorded({ limit: SMALL });
  let graph;
  const nested = await inTurns((url, text) => {
    graph ??= new StateGraph(new StateSchema({ messages: MessagesValue }))
      .addNode('agent', agentOf('openai-chat', url, { middleware: [other] }).graph)
      .addEdge(START, 'agent')
      .compile({ checkpointer: new MemorySaver() });
    return graph.invoke({ messages: [text] }, threadOf('1'));
  });
  assert.deepEqual(nested, { sent, messages });
});

test('two threads over one agent do not mix, though they begin with the same request', async () => {
  const steps = 14;
  // The provider tells them apart by a header.
  const named = createMiddleware({
    name: 'named',
    wrapModelCall: (request, handler) => {
      const headers = { 'x-conversation': request.runtime.configurable.thread_id };
      return handler({ ...request, modelSettings: { options: { headers } } });
    },
  });
  const run = async (threads) => {
    const provider = await providerOf(longAgent({ steps }), { pause: 1 });
    const { middleware } = recorded({ limit: SMALL });
    const agent = agentOf('openai-chat', provider.url, { middleware: [named, middleware], checkpointer: new MemorySaver() });
    const results = await Promise.all(threads.map((id) => agent.invoke({ messages: [user('Repair it.')] }, threadOf(id))));
    const sentBy = (id) => provider.requests.filter(({ conversation }) => conversation === id).map(sentIn);
    const requests = async (id) => (await stateOf(agent, id))._palimpsest.ledger.requests;
    return Promise.all(
      threads.map(async (id, index) => ({ sent: sentBy(id), messages: results[index].messages.map(said), requests: await requests(id) })),
    );
  };
  const together = await run(['a', 'b']);
  assert.deepEqual([together[0].sent.length, together[0].requests, together[1].requests], [steps, steps, steps]);
  assert.deepEqual(together, [...(await run(['a'])), ...(await run(['b']))]);
});

test('a run that goes on from an earlier checkpoint is a branch', async () => {
  const provider = await providerOf(turns);
  const { middleware, steps } = recorded({ limit: SMALL });
  const agent = agentOf('openai-chat', provider.url, { middleware: [middleware], checkpointer: new MemorySaver() });
  for (const text of TURNS.slice(0, 2)) await agent.invoke({ messages: [user(text)] }, threadOf('1'));
  const states = [];
  for await (const state of agent.graph.getStateHistory(threadOf('1'))) states.push(state);
  const earlier = states.find(({ values }) => values.messages.at(-1).text === 'Turn 8 is done.');
  await agent.invoke({ messages: [user('Something else.')] }, { ...earlier.config, recursionLimit: 100 });
  assert.equal(provider.sum().refused, 0);
  const branch = sentIn(provider.requests[18]);

  const other = await providerOf(turns);
  const alone = agentOf('openai-chat', other.url, { middleware: [recorded({ limit: SMALL }).middleware], checkpointer: new MemorySaver() });
  for (const text of [TURNS[0], 'Something else.']) await alone.invoke({ messages: [user(text)] }, threadOf('1'));
  assert.deepEqual(branch, sentIn(other.requests[9]));
  assert.ok(steps.some(({ epoch }) => epoch));
});

test('an interrupted run is resumed elsewhere', async () => {
  const steps = 14;
  const run = async (middlewareFor) => {
    const provider = await providerOf(longAgent({ steps }));
    const saver = new MemorySaver();
    const approval = () => humanInTheLoopMiddleware({ interruptOn: { run: { allowedDecisions: ['approve'] } } });
    let input = { messages: [user('Repair it.')] };
    for (let interrupts = 0; ; interrupts++) {
      const middleware = [approval(), ...middlewareFor()];
      const result = await agentOf('openai-chat', provider.url, { middleware, checkpointer: saver }).invoke(input, threadOf('1'));
      if (result.__interrupt__ === undefined) {
        assert.equal(provider.sum().refused, 0);
        return { interrupts, messages: result.messages.map(said), sent: provider.requests.map(sentIn) };
      }
      input = new Command({ resume: { decisions: [{ type: 'approve' }] } });
    }
  };
  const { sent, ...resumed } = await run(() => [recorded({ limit: SMALL }).middleware]);
  const { sent: whole, ...alone } = await run(() => []);
  assert.ok(resumed.interrupts >= 3);
  assert.deepEqual(resumed, alone);
  const { middleware } = recorded({ limit: SMALL });
  // One middleware for the whole run sends the same.
  assert.deepEqual((await run(() => [middleware])).sent, sent);
  assert.ok(JSON.stringify(sent.at(-1)).length < 0.5 * JSON.stringify(whole.at(-1)).length);
});

test('a state that cannot be read is dropped, and a session that cannot be saved loses no answer', async () => {
  const provider = await providerOf(turns);
  const { middleware, steps } = recorded({ limit: SMALL });
  const agent = agentOf('openai-chat', provider.url, { middleware: [middleware], checkpointer: new MemorySaver() });
  await agent.invoke({ messages: [user(TURNS[0])] }, threadOf('1'));
  await agent.graph.updateState(threadOf('1'), { _palimpsest: { version: 99 } }, 'model_request');
  await agent.invoke({ messages: [user(TURNS[1])] }, threadOf('1'));
  assert.deepEqual([provider.sum().refused, steps.length], [0, 18]);
  assert.equal((await stateOf(agent, '1'))._palimpsest.version, 1);

  const errors = [];
  const inner = createSession({ limit: SMALL });
  const session = () => ({ nextAsync: (history) => inner.nextAsync(history), observe: (usage) => inner.observe(usage) });
  const saving = palimpsestMiddleware({ session, onError: (error) => errors.push(error.message) });
  const other = await providerOf(longAgent({ steps: 4 }));
  const { messages } = await agentOf('openai-chat', other.url, { middleware: [saving] }).invoke({ messages: [user('Go.')] }, threadOf('1'));
  assert.equal(messages.at(-1).text, 'All 4 steps are done.');
  assert.equal(errors.length, 4);
});
