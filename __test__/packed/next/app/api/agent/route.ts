import { createOpenAI } from '@ai-sdk/openai';
import { convertToModelMessages, streamText, wrapLanguageModel } from 'ai';
import { palimpsestMiddleware } from 'palimpsest/ai-sdk';

// What `useChat` asks. The model is on this machine.
const openai = createOpenAI({ baseURL: process.env.MODEL_URL, apiKey: 'none' });
const model = wrapLanguageModel({ model: openai.chat('gpt-5.4'), middleware: palimpsestMiddleware({ limit: 3000 }) });

export async function POST(request: Request) {
  const { messages } = await request.json();
  const result = streamText({ model, messages: await convertToModelMessages(messages) });
  return result.toUIMessageStreamResponse();
}
