import { openai } from '@ai-sdk/openai';
import { convertToModelMessages, streamText, wrapLanguageModel } from 'ai';
import { createSession } from 'palimpsest';
import { palimpsestMiddleware } from 'palimpsest/ai-sdk';
import { sqliteStore } from 'palimpsest/store/sqlite';

const store = sqliteStore('chats.db');

export async function POST(request) {
  // `useChat` sends the whole chat, and its id. Where there are several users, check that the chat is this one's.
  const { id, messages } = await request.json();
  const session = createSession({ store, id, model: 'gpt-5.5', format: 'ai-sdk-model' });
  const model = wrapLanguageModel({ model: openai('gpt-5.5'), middleware: palimpsestMiddleware({ session: () => session }) });
  const result = streamText({ model, instructions: 'You explain logs.', messages: await convertToModelMessages(messages) });
  return result.toUIMessageStreamResponse();
}
