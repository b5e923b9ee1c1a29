// A long life over the providers' own clients: how each opens, sends a history, and what it gets back.
import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { living, turnsOf } from './life.mjs';

export const parameters = { type: 'object', properties: { query: { type: 'string' } } };
export const system = 'You look after the export.';
export const NAMES = ['look', 'read', 'find_tools', 'query', 'patch'];
const hasAll = () => true;

/** By the format of the requests: which kinds come up, at most how many in a turn, the client, and a function that sends a history. */
export const CLIENTS = {
  anthropic: {
    has: (_, name) => !/^(compaction|tool_addition|tool_removal|mcp_tool_listing|fallback|container_upload)/.test(name),
    open: ({ url }) => new Anthropic({ apiKey: 'test', baseURL: url, maxRetries: 0 }),
    async send(client, messages) {
      const tools = NAMES.map((name) => ({ name, input_schema: parameters }));
      const { content } = await client.messages.create({ model: 'a', max_tokens: 100, system, tools, messages });
      return [{ role: 'assistant', content }];
    },
  },
  'openai-responses': {
    has: (_, name) => !/^(compaction|item_reference|configuration_update|additional_tools)/.test(name),
    open: ({ url }) => new OpenAI({ apiKey: 'test', baseURL: `${url}/v1`, maxRetries: 0 }),
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
    open: ({ url }) => new OpenAI({ apiKey: 'test', baseURL: `${url}/v1`, maxRetries: 0 }),
    async send(client, messages) {
      const tools = NAMES.map((name) => ({ type: 'function', function: { name, parameters } }));
      const { choices } = await client.chat.completions.create({ model: 'a', messages, tools });
      return [choices[0].message];
    },
  },
  gemini: {
    has: hasAll,
    open: ({ url }) => new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: url } }),
    async send(client, contents) {
      const tools = [{ functionDeclarations: NAMES.map((name) => ({ name, parametersJsonSchema: parameters })) }];
      const { candidates } = await client.models.generateContent({ model: 'a', contents, config: { systemInstruction: system, tools } });
      return [candidates[0].content];
    },
  },
};

/**
 * Lives through the turns of a client, which keeps its whole history.
 *
 * @param {object} t the test's context
 * @param {string} format
 * @param {(provider: object) => Promise<object>} open opens the client
 */
export async function livingClient(t, format, open) {
  const { has, most, send } = CLIENTS[format];
  const turns = turnsOf(format, has, most);
  const history = [];
  await living(t, format, turns, async (provider) => {
    const client = await open(provider);
    for (const { sends } of turns.flatMap(({ steps }) => steps)) {
      history.push(...sends);
      const before = JSON.stringify(history);
      const answer = await send(client, history);
      assert.equal(JSON.stringify(history), before);
      history.push(...answer);
    }
  });
}
