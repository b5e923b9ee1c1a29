// Packages that others publish, each with its own messages.
import { trimMessages } from '@langchain/core/messages';
import { pruneMessages } from 'ai';
import { ClearToolUsesEdit } from 'langchain';
import { fromLangChain, fromModel, toLangChain, toModel } from './messages.mjs';

/** Counts LangChain's messages as the board counts all; each once. */
function counterOf(given, tokensOf) {
  const known = new WeakMap();
  const count = (message) => {
    if (!known.has(message)) known.set(message, tokensOf(fromLangChain([message], given)[0]));
    return known.get(message);
  };
  return (list) => list.reduce((sum, message) => sum + count(message), 0);
}

export const PACKAGES = [
  {
    name: "AI SDK's `pruneMessages`",
    package: 'ai',
    most: (messages) => messages.length,
    cut(messages, { setting }) {
      const toolCalls = setting === 0 ? 'all' : `before-last-${setting}-messages`;
      return fromModel(pruneMessages({ messages: toModel(messages), reasoning: 'none', toolCalls }), messages);
    },
  },
  {
    name: "LangChain's `trimMessages`",
    package: '@langchain/core',
    async cut(messages, { limit, tokensOf }) {
      const options = { maxTokens: limit, tokenCounter: counterOf(messages, tokensOf), strategy: 'last', includeSystem: true };
      // The documented `startOn: 'human'` would leave the system prompt alone where a run has one request. Without 'system' it returns `[undefined]` where
      // nothing else fits.
      const startOn = ['human', 'ai', 'system'];
      return fromLangChain(await trimMessages(toLangChain(messages), { ...options, startOn }), messages);
    },
  },
  {
    name: "LangChain's `ClearToolUsesEdit`",
    package: 'langchain',
    most: (messages) => messages.filter(({ role }) => role === 'tool').length,
    async cut(messages, { setting, limit, tokensOf }) {
      const list = toLangChain(messages);
      const edit = new ClearToolUsesEdit({ trigger: { tokens: limit }, keep: { messages: setting } });
      // It counts everything again after each result that it clears; whether it is triggered is all that the count decides.
      const count = counterOf(messages, tokensOf)(list);
      await edit.apply({ messages: list, model: undefined, countTokens: () => count });
      return fromLangChain(list, messages);
    },
  },
];
