// The edit of palimpsest/langchain in LangChain's `contextEditingMiddleware`, with the loopback providers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '@langchain/core/load';
import { MemorySaver } from '@langchain/langgraph';
import { AIMessage, contextEditingMiddleware, HumanMessage, ToolMessage } from 'langchain';
import { restore } from 'palimpsest';
import { palimpsestEdit } from 'palimpsest/langchain';
import { longAgent } from '../support/agents/index.mjs';
import { agentOf, ANSWER, providerOf, said, threadOf, user } from '../support/langchain.mjs';

const BUDGET = 16_000;
const STEPS = 45;

const throws = (error) => {
  throw error;
};

for (const chat of ['openai-chat', 'anthropic']) {
  test(`${chat}: an agent of ${STEPS} steps stays within the budget, and restore gives the history back`, async (t) => {
    // Nothing here sees the system prompt and the tools.
    const provider = await providerOf(longAgent({ steps: STEPS }), { window: BUDGET + ANSWER + 1_500 });
    const originals = {};
    let edits = 0;
    const edit = palimpsestEdit({ limit: BUDGET, originals, onFit: () => void edits++, onError: throws });
    const saver = new MemorySaver();
    const agent = agentOf(chat, provider.url, { middleware: [contextEditingMiddleware({ edits: [edit] })], checkpointer: saver });
    await agent.invoke({ messages: [user('Repair it.')] }, threadOf('1'));
    const { sent, cachedShare, refused } = provider.sum();
    t.diagnostic(`${sent} tokens sent, ${Math.round(100 * cachedShare)} % from the cache, ${edits} edits`);
    assert.equal(refused, 0);
    assert.ok(edits >= 3 && edits <= 8, `${edits} edits`);
    assert.ok(cachedShare > 0.7, `${cachedShare} from the cache`);

    // LangChain's state has what the edits left.
    const { messages } = (await agent.graph.getState(threadOf('1'))).values;
    assert.ok(messages.length < STEPS);
    const other = await providerOf(longAgent({ steps: STEPS }));
    const alone = await agentOf(chat, other.url).invoke({ messages: [user('Repair it.')] }, threadOf('1'));
    const back = restore(messages, await load(JSON.stringify(originals)));
    assert.deepEqual(back.missing, []);
    assert.deepEqual(back.messages.map(said), alone.messages.map(said));
  });
}

/** A conversation of `count` calls with long results. */
function conversation(count) {
  const messages = [new HumanMessage({ id: 'h', content: 'Go.' })];
  for (let n = 0; n < count; n++) {
    const content = Array.from({ length: 80 }, (_, line) => `line ${line} of file ${n} holds ${(n * 7919 + line * 104_729) % 9973}`).join(
      '\n',
    );
    messages.push(new AIMessage({ id: `a${n}`, content: '', tool_calls: [{ id: `c${n}`, name: 'read', args: { path: `${n}.ts` } }] }));
    messages.push(new ToolMessage({ id: `t${n}`, content, tool_call_id: `c${n}`, name: 'read' }));
  }
  return messages;
}

test('the array is edited in place, and no message is changed', async () => {
  const messages = conversation(12);
  const before = messages.slice();
  const json = before.map((message) => JSON.stringify(message));
  let result;
  await palimpsestEdit({ limit: 4_000, low: 0.25, onFit: (fitted) => (result = fitted), onError: throws }).apply({ messages });
  assert.deepEqual(
    before.map((message) => JSON.stringify(message)),
    json,
  );
  assert.deepEqual(messages, result.messages);
  assert.ok(result.tokens.after <= 1_000 && messages.length < before.length);
  const ids = new Map(before.map((message) => [message.id, message.constructor]));
  for (const message of messages) assert.equal(message.constructor, ids.get(message.id));
});

test('what fits is left alone, the array and all', async () => {
  const messages = Object.freeze(conversation(3));
  await palimpsestEdit({ limit: 40_000, onFit: throws, onError: throws }).apply({ messages });
  await palimpsestEdit({ window: 90_000, maxOutputTokens: 1_000, onFit: throws, onError: throws }).apply({ messages });
  await palimpsestEdit({ onFit: throws, onError: throws }).apply({ messages, model: { model: 'gpt-5.5' } });
});

test('a window leaves its margin free, and the model of the request gives one', async () => {
  for (const [options, model, most] of [
    [{ window: 5_000, maxOutputTokens: 1_000 }, undefined, 0.8 * 4_000],
    [{ window: 5_000, model: 'claude-opus-5' }, undefined, 0.6 * 5_000],
    [{}, { model: 'gpt-4' }, 8_192],
  ]) {
    const messages = conversation(20);
    const edited = [];
    await palimpsestEdit({ ...options, onFit: (result) => void edited.push(result), onError: throws }).apply({ messages, model });
    const [{ tokens }] = edited;
    assert.ok(tokens.after <= 0.5 * most && tokens.after > 0.2 * most, `${tokens.after} of ${most}`);
  }
});

test('summaries of what goes', async () => {
  const messages = conversation(12);
  for (const message of messages) if (message.type === 'ai') message.content = `Next I look at ${message.id}. `.repeat(20);
  const summarizer = async () => 'It looked at files.';
  await palimpsestEdit({ limit: 4_000, summarizer, onError: throws }).apply({ messages });
  assert.ok(messages.some(({ text }) => text.includes('It looked at files.')));
});

test('a failure leaves the messages as they were, and is told', async () => {
  const messages = conversation(3);
  const before = messages.slice();
  const errors = [];
  const edit = palimpsestEdit({ onError: (error, { params }) => errors.push([error.message, params.messages === messages]) });
  await edit.apply({ messages, model: { model: 'own-model' } });
  assert.deepEqual(messages, before);
  assert.deepEqual(errors, [
    ['palimpsestEdit(): options must give a limit or a window, because the window of the model is not known', true],
  ]);
});

test('options are checked', () => {
  assert.throws(() => palimpsestEdit({ limit: -1 }), { name: 'RangeError', message: /^palimpsestEdit\(\): options\.limit must be/ });
  assert.throws(() => palimpsestEdit({ low: 1 }), { name: 'RangeError', message: /options\.low must be/ });
  assert.throws(() => palimpsestEdit({ originals: [] }), { name: 'TypeError', message: /options\.originals must be an object/ });
  assert.throws(() => palimpsestEdit({ budget: 1 }), { name: 'TypeError', message: /options\.budget is not an option/ });
});
