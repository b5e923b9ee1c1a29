// The loopback providers of support/agents with the official clients: they accept what the real ones accept, and refuse what
// those refuse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { ApiError } from '@google/genai';
import OpenAI from 'openai';
import { longAgent, startProvider } from '../support/agents/index.mjs';
import { clientsOf, loops } from '../support/agents/loops.mjs';

async function withProvider(script, options, work) {
  const provider = await startProvider(script, options);
  try {
    return await work(provider, clientsOf(provider));
  } finally {
    await provider.close();
  }
}

const thinking = {
  anthropic: { thinking: { type: 'adaptive' } },
  'openai-chat': {},
  'openai-responses': { reasoning: { effort: 'low' }, include: ['reasoning.encrypted_content'] },
  gemini: { thinkingConfig: { includeThoughts: true } },
};
const assistants = (history) => history.filter(({ role, type }) => role === 'assistant' || role === 'model' || type === 'function_call');

for (const [name, loop] of Object.entries(loops)) {
  test(`${name}: a loop of 45 steps is accepted, streamed or not, and comes out the same`, async () => {
    const run = (stream) =>
      withProvider(longAgent({ thinking: true }), { preserved: true }, async (provider, clients) => {
        const history = await loop(clients, { stream, request: thinking[name] });
        const { requests, refused, cachedShare } = provider.sum();
        assert.deepEqual([requests, refused], [45, 0]);
        assert.ok(provider.requests.at(-1).tokens > 60_000);
        // All but the newest result was sent before: each request repeats the last one, and adds a 45th of the end.
        assert.ok(cachedShare > 0.9, `${cachedShare}`);
        assert.ok(provider.requests.every((one) => one.stream === stream && one.provider === name));
        return history;
      });
    const streamed = await run(true);
    assert.ok(assistants(streamed).length >= 45);
    assert.deepEqual(streamed, await run(false));
  });
}

/** What each provider refuses, by its own client. */
const refusals = {
  anthropic: {
    isRefusal: (error) => error instanceof Anthropic.BadRequestError,
    send: ({ anthropic }, body) =>
      anthropic.messages.create({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hi.' }], ...body }),
    cases: [
      [{ messages: [{ role: 'user', content: ' ' }] }, /non-whitespace/],
      [{ max_tokens: 0 }, /max_tokens/],
      [{ originals: {} }, /originals: Extra inputs/],
      [{ messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi.', cut: true }] }] }, /cut: Extra inputs/],
      [{ tool_choice: { type: 'tool', name: 'write' }, tools: [{ name: 'read', input_schema: { type: 'object' } }] }, /'write' not found/],
      [{ tools: [{ name: 'read', input_schema: {} }] }, /input_schema/],
      [{ thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 1000 }, /greater than/],
      [
        { cache_control: { type: 'ephemeral' }, system: Array(4).fill({ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }) },
        /maximum of 4/,
      ],
      [
        {
          system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }],
          cache_control: { type: 'ephemeral', ttl: '1h' },
        },
        /must not come after/,
      ],
      [
        {
          messages: [
            { role: 'user', content: 'Hi.' },
            {
              role: 'assistant',
              content: [
                { type: 'thinking', thinking: 'Hm.', signature: 'EqQB' },
                { type: 'text', text: 'Hi.' },
              ],
            },
            { role: 'user', content: 'And?' },
          ],
        },
        /Invalid `signature`/,
      ],
    ],
  },
  'openai-chat': {
    isRefusal: (error) => error instanceof OpenAI.BadRequestError,
    send: ({ openai }, body) => openai.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'Hi.' }], ...body }),
    cases: [
      [{ messages: [{ role: 'tool', tool_call_id: 'x', content: '' }] }, /preceeding message with 'tool_calls'/],
      [{ originals: {} }, /Unrecognized request argument supplied: originals/],
      [{ tools: [] }, /empty array/],
      [{ tool_choice: 'auto' }, /only allowed when 'tools'/],
      [{ max_completion_tokens: 0 }, /max_completion_tokens/],
    ],
  },
  'openai-responses': {
    isRefusal: (error) => error instanceof OpenAI.APIError && [400, 404].includes(error.status),
    send: ({ openai }, body) => openai.responses.create({ model: 'm', input: 'Hi.', ...body }),
    cases: [
      [{ input: [{ type: 'function_call_output', call_id: 'x', output: '' }] }, /No tool call found/],
      [{ input: [{ role: 'user', content: 'Hi.', cut: true }] }, /Unknown parameter: 'input\[0\].cut'/],
      [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, /'msg_1' not found/],
      [{ previous_response_id: 'resp_1' }, /'resp_1' not found/],
      [{ max_output_tokens: 1 }, /max_output_tokens/],
      [
        {
          input: [
            { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
            { role: 'assistant', content: 'Hi.' },
          ],
        },
        /could not be verified/,
      ],
    ],
  },
  gemini: {
    isRefusal: (error) => error instanceof ApiError && error.status === 400,
    send: ({ gemini }, { config, contents = 'Hi.' }) => gemini.models.generateContent({ model: 'm', contents, config }),
    cases: [
      [{ contents: [{ role: 'model', parts: [{ text: 'Hi.' }] }] }, /start with a user turn/],
      [{ config: { maxOutputTokens: 0 } }, /max_output_tokens/],
      [
        {
          contents: [
            { role: 'user', parts: [{ text: 'Hi.' }] },
            { role: 'model', parts: [{ functionCall: { name: 'read', args: {} }, thoughtSignature: 'AAEC' }] },
            { role: 'user', parts: [{ functionResponse: { name: 'read', response: {} } }] },
          ],
        },
        /signature is not valid/,
      ],
    ],
  },
};

const exceeding = {
  anthropic: (content) => ({ messages: [{ role: 'user', content }] }),
  'openai-chat': (content) => ({ messages: [{ role: 'user', content }] }),
  'openai-responses': (input) => ({ input }),
  gemini: (contents) => ({ contents }),
};

for (const [name, { isRefusal, send, cases }] of Object.entries(refusals)) {
  test(`${name}: a broken request is refused with the client's own error, and a sound one is not`, async () => {
    await withProvider([{ text: 'Hello.' }, { text: 'Hello again.' }], {}, async (provider, clients) => {
      for (const [body, message] of cases)
        await assert.rejects(send(clients, body), (error) => isRefusal(error) && message.test(error.message));
      await send(clients, {});
      // Refused requests are no steps.
      assert.equal(provider.requests.at(-1).step, 0);
      assert.equal(provider.sum().refused, cases.length);
    });
  });

  test(`${name}: a request that exceeds the window is refused`, async () => {
    const long = 'word '.repeat(20);
    await withProvider([{ text: 'Hello.' }], { window: 20 }, async (provider, clients) => {
      await send(clients, {});
      await assert.rejects(
        send(clients, exceeding[name](long)),
        (error) => isRefusal(error) && /20 (tokens|maximum)|\(20\)/.test(error.message),
      );
      assert.equal(provider.sum().refused, 1);
    });
  });

  test(`${name}: a script that calls a tool that the request lacks says so`, async () => {
    await withProvider([{ calls: [{ name: 'write', input: {} }] }], {}, async (_, clients) => {
      await assert.rejects(
        send(clients, {}),
        (error) => isRefusal(error) && /script: calls write, but the request declares no tools/.test(error.message),
      );
    });
  });
}
