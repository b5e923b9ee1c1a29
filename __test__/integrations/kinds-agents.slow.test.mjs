// Forty turns in the agents of LangChain, OpenAI's Agents SDK and Google's ADK, with the content that they read and send: each request is accepted
// and within the window.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FunctionTool, Gemini, InMemoryRunner, LlmAgent, LogLevel, setLogLevel } from '@google/adk';
import { HumanMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import {
  Agent,
  codeInterpreterTool,
  computerTool,
  fileSearchTool,
  hostedMcpTool,
  imageGenerationTool,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
  tool as agentTool,
  webSearchTool,
} from '@openai/agents';
import { createAgent, tool } from 'langchain';
import OpenAI from 'openai';
import { palimpsestPlugin } from 'palimpsest/google-adk';
import { palimpsestMiddleware } from 'palimpsest/langchain';
import { palimpsestModel } from 'palimpsest/openai-agents';
import { CHATS } from '../support/langchain.mjs';
import { living, partsOf, recording, TURNS, turnsOf } from '../support/life.mjs';

setTracingDisabled(true);
setLogLevel(LogLevel.ERROR);
const SYSTEM = 'You look after the export.';
const schema = { type: 'object', properties: {} };

/** What the client sends in a turn: the user's parts, and the results by the calls' ids. */
function sentIn(format, { steps: [first, ...more] }) {
  const results = partsOf(
    format,
    more.flatMap(({ sends }) => sends),
  );
  return { user: partsOf(format, first.sends), results: new Map(results.map((result) => [result.id, result])), list: results };
}

/** What LangChain sends back of Claude's answers. */
const CLAUDE =
  /^(text$|image|document|thinking|redacted_thinking|tool_use|web_search_|bash|text_editor|tool_search_|failed|signed|search beside)/;

const langchainBlock = ({ text, mediaType, base64 }) =>
  text !== undefined
    ? { type: 'text', text }
    : mediaType.startsWith('image/')
      ? { type: 'image', mimeType: mediaType, data: base64 }
      : { type: 'file', mimeType: mediaType, data: base64 };

test(`LangChain with Claude: ${TURNS} turns`, async (t) => {
  const turns = turnsOf('anthropic', (list, name) => (list === 'anthropicInResult' ? /^(text|image)$/.test(name) : CLAUDE.test(name)));
  const { options, steps } = recording();
  await living(t, 'anthropic', turns, async ({ url }) => {
    let results;
    const tools = ['look', 'read', 'find_tools', 'query'].map((name) =>
      tool(
        async (_, { toolCall }) => {
          const { isError, parts } = results.get(toolCall.id);
          if (isError) throw new Error(parts[0].text);
          return parts.map(langchainBlock);
        },
        { name, description: name, schema },
      ),
    );
    const middleware = [palimpsestMiddleware(options)];
    const agent = createAgent({
      model: CHATS.anthropic(url),
      tools,
      systemPrompt: SYSTEM,
      middleware,
      checkpointer: new MemorySaver(),
    });
    for (const turn of turns) {
      const { user, ...rest } = sentIn('anthropic', turn);
      ({ results } = rest);
      const messages = [new HumanMessage({ content: user.map(langchainBlock) })];
      await agent.invoke({ messages }, { configurable: { thread_id: '1' }, recursionLimit: 100 });
    }
  });
  assert.equal(steps.length, turns.flatMap(({ steps }) => steps).length);
});

const agentPart = ({ text, mediaType, base64 }) => {
  if (text !== undefined) return { type: 'input_text', text };
  const url = `data:${mediaType};base64,${base64}`;
  return mediaType.startsWith('image/') ? { type: 'input_image', image: url } : { type: 'input_file', file: url, filename: 'a.pdf' };
};

test(`OpenAI's Agents SDK: ${TURNS} turns`, async (t) => {
  const turns = turnsOf('openai-responses', (list, name) =>
    list === 'responses'
      ? /^(message|function_call|computer_call|web_search_call|file_search_call|code_interpreter_call|image_gen|reasoning|mcp_call|mcp_approval_request)$/.test(
          name,
        )
      : // The SDK throws for a refusal.
        name !== 'refusal' && (!/program|tools by|failed|input_(image|file)/.test(name) || list === 'responsesInMessage'),
  );
  const { options, sessions } = recording();
  await living(t, 'openai-responses', turns, async ({ url }) => {
    let results;
    let screenshots;
    const screen = {
      environment: 'browser',
      dimensions: [800, 600],
      screenshot: async () => screenshots.shift(),
      ...Object.fromEntries(
        ['click', 'doubleClick', 'scroll', 'type', 'wait', 'move', 'keypress', 'drag'].map((name) => [name, async () => {}]),
      ),
    };
    const read = (_, __, { toolCall }) =>
      results
        .get(toolCall.callId)
        .parts.map(({ text }) => text)
        .join('\n');
    const client = new OpenAI({ apiKey: 'test', baseURL: `${url}/v1`, maxRetries: 0 });
    const agent = new Agent({
      name: 'Keeper',
      instructions: SYSTEM,
      model: palimpsestModel(new OpenAIResponsesModel(client, 'gpt-5.5'), options),
      modelSettings: { store: false, providerData: { include: ['reasoning.encrypted_content'] } },
      tools: [
        agentTool({ name: 'read', description: 'reads', parameters: schema, strict: false, execute: read }),
        computerTool({ computer: screen }),
        webSearchTool(),
        fileSearchTool(['v']),
        codeInterpreterTool(),
        imageGenerationTool(),
        hostedMcpTool({ serverLabel: 'crm', serverUrl: 'https://example.org', requireApproval: 'always' }),
      ],
    });
    const runner = new Runner();
    let history = [];
    for (const turn of turns) {
      const { user, list, ...rest } = sentIn('openai-responses', turn);
      ({ results } = rest);
      screenshots = list.flatMap(({ output, parts }) =>
        output?.type === 'computer_screenshot' || parts[0]?.base64 ? [parts[0].base64] : [],
      );
      let result = await runner.run(agent, [...history, { role: 'user', content: user.map(agentPart) }], { maxTurns: 20 });
      while (result.interruptions.length > 0) {
        for (const interruption of result.interruptions) {
          const { approve } = results.get(interruption.rawItem.providerData.id);
          result.state[approve ? 'approve' : 'reject'](interruption);
        }
        result = await runner.run(agent, result.state);
      }
      history = result.history;
    }
  });
  assert.equal(sessions.size, 1);
});

test(`Google's ADK: ${TURNS} turns`, async (t) => {
  const turns = turnsOf('gemini', (_, name) => !/toolCall|toolResponse|two calls|picture in|audioTranscription/.test(name));
  const { options, sessions } = recording();
  const before = process.env.GOOGLE_GEMINI_BASE_URL;
  t.after(() => {
    if (before === undefined) delete process.env.GOOGLE_GEMINI_BASE_URL;
    else process.env.GOOGLE_GEMINI_BASE_URL = before;
  });
  await living(t, 'gemini', turns, async ({ url }) => {
    process.env.GOOGLE_GEMINI_BASE_URL = url;
    let responses;
    const tools = [new FunctionTool({ name: 'look', description: 'looks', parameters: schema, execute: () => responses.shift() })];
    const agent = new LlmAgent({
      name: 'keeper',
      model: new Gemini({ model: 'gemini-3.5-flash', apiKey: 'test' }),
      instruction: SYSTEM,
      tools,
    });
    const runner = new InMemoryRunner({ agent, plugins: [palimpsestPlugin(options)] });
    await runner.sessionService.createSession({ appName: runner.appName, userId: 'u', sessionId: 's' });
    for (const { steps } of turns) {
      const [{ sends }, ...more] = steps;
      responses = partsOf(
        'gemini',
        more.flatMap((step) => step.sends),
      ).map(({ response }) => response);
      for await (const { errorMessage } of runner.runAsync({ userId: 'u', sessionId: 's', newMessage: sends[0] }))
        assert.equal(errorMessage, undefined);
    }
  });
  assert.equal(sessions.size, 1);
});
