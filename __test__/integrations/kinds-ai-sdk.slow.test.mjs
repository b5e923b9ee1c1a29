// Forty turns in the AI SDK and in Mastra, with what its providers read and send of each API: each request is accepted and within the window.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { Agent } from '@mastra/core/agent';
import { MockMemory } from '@mastra/core/memory';
import { createTool } from '@mastra/core/tools';
import { generateText, isStepCount, jsonSchema, tool, wrapLanguageModel } from 'ai';
import { z } from 'zod';
import { palimpsestMiddleware } from 'palimpsest/ai-sdk';
import { palimpsestProcessor } from 'palimpsest/mastra';
import { living, partsOf, recording, TURNS, turnsOf } from '../support/life.mjs';
import { someOf } from '../support/seed.mjs';

globalThis.AI_SDK_LOG_WARNINGS = false;
const inputSchema = jsonSchema({ type: 'object', properties: {} });
const file = ({ text, mediaType, base64 }) =>
  text === undefined ? { type: 'file', mediaType, data: { type: 'data', data: base64 } } : { type: 'text', text };
const mastraFile = ({ text, mediaType, base64 }) =>
  text === undefined ? { type: 'file', mediaType, data: base64 } : { type: 'text', text };

/** What a tool of a turn says, by the id of the call. */
function outputOf(results, id) {
  const { isError, parts } = results.get(id);
  if (isError) throw new Error(parts.map(({ text }) => text).join('\n'));
  return parts;
}

/** A tool that finds what the turn says. */
const toolOf = (results, name, more) =>
  tool({
    description: `${name} it`,
    inputSchema,
    execute: (_, { toolCallId }) => outputOf(results, toolCallId),
    toModelOutput: ({ output }) => ({ type: 'content', value: output.map(file) }),
    ...more,
  });

/** The same of Mastra. */
const mastraToolOf = (results, name, more) =>
  createTool({
    id: name,
    description: `${name} it`,
    inputSchema: z.object({}),
    execute: async (_, { agent }) => outputOf(results, agent.toolCallId),
    toModelOutput: (output) => ({ type: 'content', value: output.map(mastraFile) }),
    ...more,
  });

const toolsOf = (make, results, names, more = {}) => Object.fromEntries(names.map((name) => [name, make(results, name, more[name])]));

const openai = {
  format: 'openai-responses',
  has: (list, name) =>
    list === 'responses'
      ? /^(message|function_call|custom_tool_call|computer_call|web_search_call|file_search_call|code_interpreter_call|image_gen|reasoning|mcp_call|mcp_approval_request)$/.test(
          name,
        )
      : !/program|tools by|failed/.test(name),
  model: (url) => createOpenAI({ apiKey: 'test', baseURL: `${url}/v1` }).responses('gpt-5.5'),
  tools(results, make) {
    const { tools } = createOpenAI({ apiKey: 'test' });
    const imageUrl = (id) => `data:image/png;base64,${results.get(id).parts[0].base64}`;
    return {
      ...toolsOf(make, results, ['read']),
      patch: tools.customTool(toolsOf(make, results, ['patch']).patch),
      computer: {
        ...tools.computer(),
        execute: (_, { toolCallId }) => ({ output: { type: 'computer_screenshot', imageUrl: imageUrl(toolCallId) } }),
      },
      web_search: tools.webSearch(),
      file_search: tools.fileSearch({ vectorStoreIds: ['v'] }),
      code_interpreter: tools.codeInterpreter(),
      image_generation: tools.imageGeneration(),
      mcp: tools.mcp({ serverLabel: 'crm', serverUrl: 'https://example.org', requireApproval: 'always' }),
    };
  },
};

const APIS = {
  anthropic: {
    format: 'anthropic',
    has: (list, name) =>
      list === 'anthropic'
        ? /^(text|image|document|thinking|redacted_thinking|tool_use|web_search|web_fetch|code_execution|bash|text_editor|tool_search|mcp_tool_use)/.test(
            name,
          )
        : list === 'anthropicInResult'
          ? /^(text|image)$/.test(name)
          : /PDF|search|signed/.test(name),
    model: (url) => createAnthropic({ apiKey: 'test', baseURL: `${url}/v1` })('claude-opus-5'),
    tools(results, make) {
      const { tools } = createAnthropic({ apiKey: 'test' });
      return {
        ...toolsOf(make, results, ['look', 'read', 'find_tools', 'query', 'later'], {
          later: { providerOptions: { anthropic: { deferLoading: true } } },
        }),
        web_search: tools.webSearch_20250305(),
        web_fetch: tools.webFetch_20250910(),
        code_execution: tools.codeExecution_20250825(),
        tool_search_tool_regex: tools.toolSearchRegex_20251119(),
      };
    },
    options: { anthropic: { thinking: { type: 'adaptive' }, mcpServers: [{ type: 'url', name: 'crm', url: 'https://example.org' }] } },
  },
  'openai, which keeps the items': { ...openai, options: {} },
  'openai, which keeps nothing': {
    ...openai,
    // The SDK sends what it was told of an approval without the request.
    has: (list, name) => !/approval/.test(name) && openai.has(list, name),
    options: { openai: { store: false, include: ['reasoning.encrypted_content'] } },
  },
};

const without = (pattern, api) => ({ ...api, has: (list, name) => !pattern.test(name) && api.has(list, name) });
const MASTRA = {
  // What Mastra can't send back, whatever is in force: it stores a search that failed as one that succeeded, for which the AI SDK throws, and sends
  // each call of MCP twice. It asks nobody for approval of them.
  anthropic: without(/failed search/, APIS.anthropic),
  openai: without(/mcp|between|approval|custom|computer/, APIS['openai, which keeps the items']),
};

/** What the client sends in a turn: the user's parts, and the results by the calls' ids. */
function sentIn(format, [first, ...more]) {
  const results = more.flatMap(({ sends }) => partsOf(format, sends));
  return { user: partsOf(format, first.sends), results: new Map(results.map((result) => [result.id, result])) };
}

for (const [name, { format, has, model, tools, options: providerOptions }] of someOf(Object.entries(APIS))) {
  test(`${name}: ${TURNS} turns`, async (t) => {
    const turns = turnsOf(format, has);
    const { options, sessions } = recording();
    await living(t, format, turns, async ({ url }) => {
      const messages = [];
      const wrapped = wrapLanguageModel({ model: model(url), middleware: palimpsestMiddleware(options) });
      for (const { steps } of turns) {
        const { user, results } = sentIn(format, steps);
        messages.push({ role: 'user', content: user.map(file) });
        const settings = {
          model: wrapped,
          instructions: 'You look after the export.',
          messages,
          tools: tools(results, toolOf),
          stopWhen: isStepCount(20),
          maxRetries: 0,
          maxOutputTokens: 100,
          providerOptions,
        };
        for (let waiting = true; waiting; ) {
          const before = JSON.stringify(messages);
          const { responseMessages } = await generateText(settings);
          assert.equal(JSON.stringify(messages), before);
          messages.push(...responseMessages);
          const requests = responseMessages.flatMap(({ content }) => content).filter(({ type }) => type === 'tool-approval-request');
          const content = requests.map(({ approvalId }) => ({
            type: 'tool-approval-response',
            approvalId,
            approved: results.get(approvalId).approve,
            providerExecuted: true,
          }));
          waiting = content.length > 0;
          if (waiting) messages.push({ role: 'tool', content });
        }
      }
    });
    assert.equal(sessions.size, 1);
  });
}

for (const [name, { format, has, tools, model, options: providerOptions }] of someOf(Object.entries(MASTRA))) {
  test(`Mastra with ${name}: ${TURNS} turns`, async (t) => {
    const turns = turnsOf(format, has);
    const { options, sessions } = recording();
    await living(t, format, turns, async ({ url }) => {
      let results;
      const processor = palimpsestProcessor(options);
      const agent = new Agent({
        id: 'keeper',
        name: 'keeper',
        instructions: 'You look after the export.',
        model: model(url),
        tools: () => tools(results, mastraToolOf),
        memory: new MockMemory({ options: { lastMessages: 1000 } }),
        inputProcessors: [processor],
        outputProcessors: [processor],
      });
      for (const { steps } of turns) {
        const { user, ...rest } = sentIn(format, steps);
        ({ results } = rest);
        await agent.generate([{ role: 'user', content: user.map(mastraFile) }], {
          maxSteps: 20,
          memory: { thread: 't', resource: 'r' },
          modelSettings: { maxRetries: 0, maxOutputTokens: 100 },
          providerOptions,
        });
      }
    });
    assert.equal(sessions.size, 1);
  });
}
