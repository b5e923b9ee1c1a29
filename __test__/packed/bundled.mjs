// Is bundled: an app with one SDK, whose model is a function. Prints how long the request was that the model got, and how long the history.
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, wrapLanguageModel } from 'ai';
import { palimpsestMiddleware } from 'palimpsest/ai-sdk';
import { characters, conversation } from './conversation.mjs';

let sent;
const answer = {
  id: 'answer',
  created: 0,
  model: 'gpt-5.4',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Fine.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1000, completion_tokens: 1, total_tokens: 1001 },
};
const fetch = async (_, { body }) => {
  sent = JSON.parse(body).messages;
  return Response.json(answer);
};
const openai = createOpenAI({ apiKey: 'none', fetch });
const model = wrapLanguageModel({ model: openai.chat('gpt-5.4'), middleware: palimpsestMiddleware({ limit: 3000 }) });
const messages = conversation(1, 61).map(({ role, content }) => ({ role, content }));
const { text } = await generateText({ model, messages });
console.log(JSON.stringify({ text, sent: characters(sent), history: characters(messages) }));
