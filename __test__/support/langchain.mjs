// Agents of LangChain with the loopback providers, for the tests of palimpsest/langchain.
import { after } from 'node:test';
import { ChatAnthropic } from '@langchain/anthropic';
import { ChatOpenAI } from '@langchain/openai';
import { anthropicPromptCachingMiddleware, createAgent, tool } from 'langchain';
import { palimpsestMiddleware } from 'palimpsest/langchain';
import { agentTools, longAgent, startProvider } from './agents/index.mjs';

export const tools = agentTools.map(({ name, description, parameters, run }) => {
  return tool(async (input) => run(input), { name, description, schema: parameters });
});

/** Tokens that Anthropic keeps free for the answer. */
export const ANSWER = 1000;

const openai = (url, useResponsesApi, own) =>
  new ChatOpenAI({ model: 'gpt-5.5', apiKey: 'test', configuration: { baseURL: `${url}/v1` }, maxRetries: 0, useResponsesApi, ...own });

/** A chat model by the API that it uses. */
export const CHATS = {
  'openai-chat': (url, own) => openai(url, false, own),
  'openai-responses': (url, own) => openai(url, true, own),
  anthropic: (url, own) =>
    new ChatAnthropic({ model: 'claude-opus-5', apiKey: 'test', anthropicApiUrl: url, maxRetries: 0, maxTokens: ANSWER, ...own }),
};

export const SYSTEM = 'You repair programs. [conversation main]';
/** No run here takes as many steps as LangChain counts by default. */
const recursionLimit = 300;

export const threadOf = (id, more) => ({ configurable: { thread_id: id }, recursionLimit, ...more });
export const user = (content) => ({ role: 'user', content });

/** An agent whose Anthropic requests are cached as LangChain does it. */
export function agentOf(chat, url, { model = {}, middleware = [], ...options } = {}) {
  const caching = chat === 'anthropic' ? [anthropicPromptCachingMiddleware({ minMessagesToCache: 0 })] : [];
  const defaults = { model: CHATS[chat](url, model), tools, systemPrompt: SYSTEM };
  return createAgent({ ...defaults, ...options, middleware: [...caching, ...middleware] });
}

/** What a message says, without ids that LangChain draws at random and without the usage of its request. */
export const said = (message) => {
  const { content, name, status, tool_calls: calls, tool_call_id: answers } = message;
  const id = /_/.test(message.id) ? message.id : undefined;
  return { type: message.getType(), class: message.constructor.name, id, content, name, status, calls, answers };
};

export const LIMIT = 16_000;
/** A conversation of several turns, each of which ends with a text. */
export const TURNS = ['Repair it.', 'And now the export.', 'What is left?'];
export const turns = (turn) => (turn.step % 9 === 8 ? { text: `Turn ${turn.step} is done.` } : longAgent({ steps: 1000 })(turn));
/** A limit at which a few steps make an epoch. */
export const SMALL = 6_000;

/** Providers are ended even if a test fails. */
const providers = [];
export async function providerOf(script, options) {
  const provider = await startProvider(script, options);
  providers.push(provider);
  return provider;
}
after(() => Promise.all(providers.map((provider) => provider.close())));

/** The middleware with a record of its steps; a failure of ours fails the test. */
export function recorded(options) {
  const steps = [];
  const sessions = [];
  const middleware = palimpsestMiddleware({
    limit: LIMIT,
    onError: (error) => {
      throw error;
    },
    onStep: (step, { session }) => {
      steps.push(step);
      sessions.push(session);
    },
    ...options,
  });
  return { middleware, steps, sessions };
}

export const stateOf = async (agent, thread) => (await agent.graph.getState(threadOf(thread))).values;

/** The messages of a request as it was sent, whatever the provider. */
export const sentIn = ({ body }) => body.messages ?? body.input;
