// All providers and dialects, by the name of their format.
import { agUi } from './ag-ui.mjs';
import { aiSdkModel } from './ai-sdk-model.mjs';
import { aiSdkUi } from './ai-sdk-ui.mjs';
import { anthropic } from './anthropic.mjs';
import { gemini } from './gemini.mjs';
import { langchain } from './langchain.mjs';
import { mastra } from './mastra.mjs';
import { message } from './message.mjs';
import { openaiAgents } from './openai-agents.mjs';
import { openaiChat } from './openai-chat.mjs';
import { openaiResponses } from './openai-responses.mjs';

export { Draw } from './draw.mjs';

const all = [openaiChat, openaiResponses, openaiAgents, anthropic, aiSdkModel, aiSdkUi, gemini, langchain, mastra, agUi, message];
export const PROVIDERS = Object.fromEntries(all.map((provider) => [provider.name, provider]));

/** The kinds of content of a provider, as `[list, name, make]`. */
export const kindsOf = ({ kinds }) =>
  Object.entries(kinds).flatMap(([list, makers]) => Object.entries(makers).map(([name, make]) => [list, name, make]));

/** Messages as a provider's format stores them. */
export const inFormat = (provider, messages) => provider.inFormat?.(messages) ?? messages;

export const FORMATS = Object.keys(PROVIDERS);
