// Agents of LangChain with the loopback providers, for the tests of palimpsest/langchain.
import { ChatAnthropic } from '@langchain/anthropic';
import { ChatOpenAI } from '@langchain/openai';
import { anthropicPromptCachingMiddleware, createAgent, tool } from 'langchain';
import { agentTools } from './agents/index.mjs';

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
