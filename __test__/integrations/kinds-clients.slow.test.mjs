// Forty turns over the providers' own clients, with every kind of content that the API has: each request is accepted and within the window.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import * as anthropic from 'palimpsest/anthropic';
import * as gemini from 'palimpsest/gemini';
import * as openai from 'palimpsest/openai';
import { living, recording, TURNS, turnsOf } from '../support/life.mjs';
import { CLIENTS, livingClient, NAMES, parameters, system } from '../support/life-clients.mjs';
import { someOf } from '../support/seed.mjs';

const copied = (value) => JSON.parse(JSON.stringify(value));
const WRAP = { anthropic, 'openai-responses': openai, 'openai-chat': openai, gemini };

for (const [format, { withPalimpsest }] of someOf(Object.entries(WRAP))) {
  test(`${format}: ${TURNS} turns with every kind of content`, async (t) => {
    const { options, sessions } = recording();
    await livingClient(t, format, (provider) => withPalimpsest(CLIENTS[format].open(provider), options));
    assert.equal(sessions.size, 1);
  });
}

for (const [name, { stream, limit }] of Object.entries({
  "Anthropic's tool runner": { stream: false },
  "Anthropic's tool runner, streamed, with results shortened": { stream: true, limit: 200 },
})) {
  test(`${name}: ${TURNS} turns with every kind of content`, async (t) => {
    const turns = turnsOf('anthropic', CLIENTS.anthropic.has);
    const { options, sessions } = recording();
    let history = [];
    await living(t, 'anthropic', turns, async (provider) => {
      const client = anthropic.withPalimpsest(CLIENTS.anthropic.open(provider), options);
      for (const { steps } of turns) {
        const [first, ...more] = steps;
        const blocks = more.flatMap(({ sends }) => sends.flatMap(({ content }) => content));
        const results = new Map(blocks.map((block) => [block.tool_use_id, block]));
        const run = (_, { toolUse }) => {
          const { content, is_error: isError } = results.get(toolUse.id);
          if (isError) throw new ToolError(content);
          return content;
        };
        const tools = NAMES.map((tool) => ({ name: tool, input_schema: parameters, run, parse: (input) => input }));
        const messages = [...history, ...first.sends];
        const request = { model: 'a', max_tokens: 100, system, tools, messages, stream, thread: false };
        const runner = client.beta.messages.toolRunner(request);
        await (limit === undefined ? runner : anthropic.shortenResults(runner, { limit }));
        history = copied(runner.params.messages);
      }
    });
    assert.equal(sessions.size, 1);
  });
}

test(`a chat of Gemini: ${TURNS} turns with every kind of content`, async (t) => {
  const turns = turnsOf('gemini', CLIENTS.gemini.has);
  const { options, sessions } = recording();
  await living(t, 'gemini', turns, async (provider) => {
    const functionDeclarations = NAMES.map((name) => ({ name, parametersJsonSchema: parameters }));
    const config = { systemInstruction: system, tools: [{ functionDeclarations }] };
    const chat = gemini.withPalimpsest(CLIENTS.gemini.open(provider), options).chats.create({ model: 'a', config });
    for (const { sends } of turns.flatMap(({ steps }) => steps)) await chat.sendMessage({ message: sends.flatMap(({ parts }) => parts) });
    const said = turns.flatMap(({ steps }) => steps.flatMap(({ sends, content }) => [...sends, { role: 'model', parts: content }]));
    assert.deepEqual(
      copied(chat.getHistory()),
      said.map(({ parts, role }) => ({ role, parts })),
    );
  });
  assert.equal(sessions.size, 1);
});
