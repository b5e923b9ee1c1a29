// Forty turns in the AI SDK, with what its providers read and send of each API: each request is accepted and within the window.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount, jsonSchema, tool, wrapLanguageModel } from 'ai';
import { palimpsestMiddleware } from 'palimpsest/ai-sdk';
import { living, partsOf, recording, TURNS, turnsOf } from '../support/life.mjs';

globalThis.AI_SDK_LOG_WARNINGS = false;
const inputSchema = jsonSchema({ type: 'object', properties: {} });
const file = ({ text, mediaType, base64 }) =>
  text === undefined ? { type: 'file', mediaType, data: { type: 'data', data: base64 } } : { type: 'text', text };

/** Tools that find what the turns say, by the ids of the calls. */
function toolsOf(results, names, more = {}) {
  const read = (_, { toolCallId }) => {
    const { isError, parts } = results.get(toolCallId);
    if (isError) throw new Error(parts.map(({ text }) => text).join('\n'));
    return parts;
  };
  const toModelOutput = ({ output }) => ({ type: 'content', value: output.map(file) });
  return Object.fromEntries(
    names.map((name) => [name, tool({ description: `${name} it`, inputSchema, execute: read, toModelOutput, ...more[name] })]),
  );
}

const openai = {
  format: 'openai-responses',
  has: (list, name) =>
    list === 'responses'
      ? /^(message|function_call|custom_tool_call|computer_call|web_search_call|file_search_call|code_interpreter_call|image_gen|reasoning|mcp_call|mcp_approval_request)$/.test(
          name,
        )
      : !/program|tools by|failed/.test(name),
  model: (url) => createOpenAI({ apiKey: 'test', baseURL: `${url}/v1` }).responses('gpt-5.5'),
  tools(results) {
    const { tools } = createOpenAI({ apiKey: 'test' });
    const imageUrl = (id) => `data:image/png;base64,${results.get(id).parts[0].base64}`;
    return {
      ...toolsOf(results, ['read']),
      patch: tools.customTool(toolsOf(results, ['patch']).patch),
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
    tools(results) {
      const { tools } = createAnthropic({ apiKey: 'test' });
      return {
        ...toolsOf(results, ['look', 'read', 'find_tools', 'query', 'later'], {
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

for (const [name, { format, has, model, tools, options: providerOptions }] of Object.entries(APIS)) {
  test(`${name}: ${TURNS} turns`, async (t) => {
    const turns = turnsOf(format, has);
    const { options, sessions } = recording();
    await living(t, format, turns, async ({ url }) => {
      const messages = [];
      const wrapped = wrapLanguageModel({ model: model(url), middleware: palimpsestMiddleware(options) });
      for (const { steps } of turns) {
        const [first, ...more] = steps;
        messages.push({ role: 'user', content: partsOf(format, first.sends).map(file) });
        const results = new Map(
          partsOf(
            format,
            more.flatMap(({ sends }) => sends),
          ).map((result) => [result.id, result]),
        );
        const settings = {
          model: wrapped,
          instructions: 'You look after the export.',
          messages,
          tools: tools(results),
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
