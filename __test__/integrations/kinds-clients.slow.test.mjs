// Forty turns over the providers' own clients, with every kind of content that the API has: each request is accepted and within the window.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import * as anthropic from 'palimpsest/anthropic';
import * as gemini from 'palimpsest/gemini';
import * as openai from 'palimpsest/openai';
import { living, recording, TURNS, turnsOf } from '../support/life.mjs';

const copied = (value) => JSON.parse(JSON.stringify(value));
const parameters = { type: 'object', properties: { query: { type: 'string' } } };
const system = 'You look after the export.';
const NAMES = ['look', 'read', 'find_tools', 'query', 'patch'];
const hasAll = () => true;

const APIS = {
  anthropic: {
    has: (_, name) => !/^(compaction|tool_addition|tool_removal|mcp_tool_listing|fallback|container_upload)/.test(name),
    open: ({ url }, options) => anthropic.withPalimpsest(new Anthropic({ apiKey: 'test', baseURL: url, maxRetries: 0 }), options),
    async send(client, messages) {
      const tools = NAMES.map((name) => ({ name, input_schema: parameters }));
      const { content } = await client.messages.create({ model: 'a', max_tokens: 100, system, tools, messages });
      return [{ role: 'assistant', content }];
    },
  },
  'openai-responses': {
    has: (_, name) => !/^(compaction|item_reference|configuration_update|additional_tools)/.test(name),
    open: ({ url }, options) => openai.withPalimpsest(new OpenAI({ apiKey: 'test', baseURL: `${url}/v1`, maxRetries: 0 }), options),
    async send(client, input) {
      const tools = NAMES.map((name) => ({ type: 'function', name, parameters, strict: false }));
      const request = { model: 'a', instructions: system, input, tools, store: false, include: ['reasoning.encrypted_content'] };
      const { output } = await client.responses.create(request);
      return output.map(({ parsed_arguments: _, ...item }) => item);
    },
  },
  'openai-chat': {
    has: hasAll,
    most: 1,
    open: ({ url }, options) => openai.withPalimpsest(new OpenAI({ apiKey: 'test', baseURL: `${url}/v1`, maxRetries: 0 }), options),
    async send(client, messages) {
      const tools = NAMES.map((name) => ({ type: 'function', function: { name, parameters } }));
      const { choices } = await client.chat.completions.create({ model: 'a', messages, tools });
      return [choices[0].message];
    },
  },
  gemini: {
    has: hasAll,
    open: ({ url }, options) => gemini.withPalimpsest(new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: url } }), options),
    async send(client, contents) {
      const tools = [{ functionDeclarations: NAMES.map((name) => ({ name, parametersJsonSchema: parameters })) }];
      const { candidates } = await client.models.generateContent({ model: 'a', contents, config: { systemInstruction: system, tools } });
      return [candidates[0].content];
    },
  },
};

for (const [format, { has, most, open, send }] of Object.entries(APIS)) {
  test(`${format}: ${TURNS} turns with every kind of content`, async (t) => {
    const turns = turnsOf(format, has, most);
    const { options, sessions } = recording();
    const history = [];
    await living(t, format, turns, async (provider) => {
      const client = open(provider, options);
      for (const { steps } of turns) {
        for (const { sends } of steps) {
          history.push(...sends);
          const before = JSON.stringify(history);
          const answer = await send(client, history);
          assert.equal(JSON.stringify(history), before);
          history.push(...answer);
        }
      }
    });
    assert.equal(sessions.size, 1);
  });
}

test(`a chat of Gemini: ${TURNS} turns with every kind of content`, async (t) => {
  const { has, open } = APIS.gemini;
  const turns = turnsOf('gemini', has);
  const { options, sessions } = recording();
  await living(t, 'gemini', turns, async (provider) => {
    const functionDeclarations = NAMES.map((name) => ({ name, parametersJsonSchema: parameters }));
    const config = { systemInstruction: system, tools: [{ functionDeclarations }] };
    const chat = open(provider, options).chats.create({ model: 'a', config });
    for (const { sends } of turns.flatMap(({ steps }) => steps)) await chat.sendMessage({ message: sends.flatMap(({ parts }) => parts) });
    const said = turns.flatMap(({ steps }) => steps.flatMap(({ sends, content }) => [...sends, { role: 'model', parts: content }]));
    assert.deepEqual(
      copied(chat.getHistory()),
      said.map(({ parts, role }) => ({ role, parts })),
    );
  });
  assert.equal(sessions.size, 1);
});
