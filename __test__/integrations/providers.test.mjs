// The loopback providers of support/agents, through the official clients: without the package.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { agentTools, longAgent, startProvider } from '../support/agents/index.mjs';

/** Runs a tool as an application would: an error is a result, too. */
function runTool(name, input) {
  try {
    return { output: agentTools.find((tool) => tool.name === name).run(input), error: false };
  } catch (error) {
    return { output: error.message, error: true };
  }
}

async function withProvider(script, options, work) {
  const provider = await startProvider(script, options);
  try {
    return await work(provider, {
      anthropic: new Anthropic({ apiKey: 'test', baseURL: provider.url, maxRetries: 0 }),
      openai: new OpenAI({ apiKey: 'test', baseURL: `${provider.url}/v1`, maxRetries: 0 }),
    });
  } finally {
    await provider.close();
  }
}

const loops = {
  async anthropic({ anthropic }, { stream, task = 'Find out why it is slow.', system = 'You mend programs.' }) {
    const messages = [{ role: 'user', content: task }];
    const request = {
      model: 'claude-test',
      max_tokens: 2000,
      thinking: { type: 'adaptive' },
      cache_control: { type: 'ephemeral' },
      system,
      tools: agentTools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
    };
    for (;;) {
      const body = { ...request, messages };
      const answer = await (stream ? anthropic.messages.stream(body).finalMessage() : anthropic.messages.create(body));
      messages.push({ role: 'assistant', content: answer.content });
      if (answer.stop_reason === 'end_turn') return messages;
      const calls = answer.content.filter(({ type }) => type === 'tool_use');
      messages.push({
        role: 'user',
        content: calls.map(({ id, name, input }) => {
          const { output, error } = runTool(name, input);
          return { type: 'tool_result', tool_use_id: id, content: output, is_error: error };
        }),
      });
    }
  },

  async 'openai-chat'({ openai }, { stream, task = 'Find out why it is slow.', system = 'You mend programs.' }) {
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content: task },
    ];
    const tools = agentTools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    }));
    for (;;) {
      const body = { model: 'gpt-test', messages, tools };
      const { choices } = await (stream
        ? openai.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion()
        : openai.chat.completions.create(body));
      const { content, tool_calls: calls } = choices[0].message;
      messages.push({
        role: 'assistant',
        content,
        ...(calls && {
          tool_calls: calls.map(({ id, type, function: { name, arguments: json } }) => ({ id, type, function: { name, arguments: json } })),
        }),
      });
      if (choices[0].finish_reason === 'stop') return messages;
      for (const { id, function: called } of calls)
        messages.push({ role: 'tool', tool_call_id: id, content: runTool(called.name, JSON.parse(called.arguments)).output });
    }
  },
};

for (const [name, loop] of Object.entries(loops)) {
  test(`${name}: a loop of 45 steps is accepted, streamed or not, and comes out the same`, async () => {
    const run = (stream) =>
      withProvider(longAgent({ thinking: true }), {}, async (provider, clients) => {
        const messages = await loop(clients, { stream });
        const sum = provider.sum();
        assert.equal(sum.requests, 45);
        assert.equal(sum.refused, 0);
        assert.ok(provider.requests.at(-1).tokens > 60_000);
        return messages;
      });
    assert.deepEqual(await run(true), await run(false));
  });
}

test('a broken request is refused with the error of the client', async () => {
  await withProvider([{ text: 'Hello.' }], {}, async (provider, { anthropic, openai }) => {
    const tool_use = { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} };
    const orphan = [
      { role: 'user', content: 'Read it.' },
      { role: 'assistant', content: [tool_use] },
      { role: 'user', content: 'And?' },
    ];
    await assert.rejects(
      anthropic.messages.create({ model: 'claude-test', max_tokens: 10, messages: orphan }),
      (error) => error instanceof Anthropic.BadRequestError && /without `tool_result` blocks/.test(error.message),
    );
    await assert.rejects(
      openai.chat.completions.create({ model: 'gpt-test', messages: [{ role: 'tool', tool_call_id: 'x', content: '' }] }),
      (error) => error instanceof OpenAI.BadRequestError && /preceeding message with 'tool_calls'/.test(error.message),
    );
    assert.deepEqual(
      provider.requests.map(({ status, step }) => [status, step]),
      [
        [400, 0],
        [400, 0],
      ],
    );
  });
});
