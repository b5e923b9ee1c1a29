// The strict judge of each format: what its provider, or the SDK before it, answers with an error.
import { asResponses } from '../agents-items.mjs';
import { answerAgUi } from './ag-ui.mjs';
import { answerModelMessages } from './ai-sdk.mjs';
import { answerMessages } from './anthropic.mjs';
import { geminiRefusal } from './gemini.mjs';
import { answerLangchain } from './langchain.mjs';
import { answerChat } from './openai-chat.mjs';
import { answerResponses } from './openai-responses.mjs';
import { Refusal, refuse } from './refusal.mjs';
import { answerMastra, answerUiMessages } from './ui-messages.mjs';

/** Chat completions refuse nothing of legacy functions; without its call, a result says nothing to the model. */
function answerFunctions({ messages }) {
  messages.forEach(({ role, name }, i) => {
    if (role === 'function' && messages[i - 1]?.function_call?.name !== name) refuse(`messages[${i}]: a result without its call`);
    if (messages[i].function_call && messages[i + 1]?.role !== 'function') refuse(`messages[${i}]: a call without its result`);
  });
}

const chat = (body) => {
  answerChat(body);
  answerFunctions(body);
};

/** Audio of the user and pictures of the model are for the SDK's other models: that for the Responses API throws. */
const withoutMedia = (item) =>
  Array.isArray(item.content)
    ? {
        ...item,
        content: item.content.map((part) =>
          part.type === 'audio'
            ? { type: 'input_text', text: 'audio' }
            : part.type === 'image'
              ? { type: 'output_text', text: 'picture' }
              : part,
        ),
      }
    : item;

const JUDGES = {
  'openai-chat': chat,
  message: chat,
  'openai-responses': ({ messages }) => answerResponses({ input: messages }),
  'openai-agents': ({ messages }) => answerResponses({ input: asResponses(messages.map(withoutMedia)) }),
  anthropic: answerMessages,
  gemini({ messages }) {
    const objection = geminiRefusal(messages);
    if (objection !== null) refuse(objection);
  },
  'ai-sdk-model': answerModelMessages,
  'ai-sdk-ui': answerUiMessages,
  langchain: answerLangchain,
  mastra: answerMastra,
  'ag-ui': answerAgUi,
};

/** Returns the objection to messages, or null. */
export async function objectionTo(format, messages) {
  try {
    await JUDGES[format]({ messages });
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
