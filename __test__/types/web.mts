// Compiled, never run: route handlers of Next.js and Hono, without a cast.
import { Hono } from 'hono';
import type Anthropic from '@anthropic-ai/sdk';
import type { GenerateContentParameters } from '@google/genai';
import { convertToModelMessages, streamText, type UIMessage } from 'ai';
import type OpenAI from 'openai';
import { createChatParser, type FittedChat } from 'palimpsest/web';

declare const anthropic: Anthropic;
const parseChat = createChatParser<Anthropic.MessageCreateParamsNonStreaming>({
  format: 'anthropic',
  model: 'claude-opus-5',
  conversations: 50,
});

/** As Next.js wants it. */
export async function POST(request: Request): Promise<Response> {
  const chat = await parseChat(request);
  if (chat instanceof Response) return chat;
  const answer = await anthropic.messages.create({ ...chat.request, max_tokens: 1000 });
  chat.observe(answer.usage);
  return Response.json(answer);
}

const app = new Hono();
app.post('/chat', async (context) => {
  const chat = await parseChat(context.req.raw);
  if (chat instanceof Response) return chat;
  const fitted: FittedChat<Anthropic.MessageCreateParamsNonStreaming> = chat;
  const [first] = fitted.messages;
  const role: 'user' | 'assistant' | 'system' | undefined = first?.role;
  return context.json({ role, fits: chat.step?.fits === true });
});

// @ts-expect-error -- it sends no requests
createChatParser({ shadow: { share: 1, maxTokens: 1000 } });
// Without a type, any format is read, and no SDK takes the messages.
const parseAny = createChatParser();
declare const openai: OpenAI;
declare const ui: Request;
const any = await parseAny(ui);
if (!(any instanceof Response)) {
  // @ts-expect-error -- they may be UI messages
  await openai.chat.completions.create({ model: 'gpt-5.5', messages: any.messages });
}
// With one, the format is checked.
const parseUi = createChatParser<{ id: string; messages: UIMessage[] }>({ format: 'ai-sdk-ui', model: 'gpt-5.5' });
const chat = await parseUi(ui);
if (!(chat instanceof Response)) {
  const id: string = chat.request.id;
  streamText({ model: id, messages: await convertToModelMessages(chat.messages) });
  // @ts-expect-error -- they are UI messages
  await openai.chat.completions.create({ model: 'gpt-5.5', messages: chat.messages });
}
// @ts-expect-error -- the type is only true of one format
createChatParser<OpenAI.ChatCompletionCreateParamsNonStreaming>({ model: 'gpt-5.5' });
// @ts-expect-error -- not of this one
createChatParser<OpenAI.ChatCompletionCreateParamsNonStreaming>({ model: 'gpt-5.5', format: 'ai-sdk-ui' });
createChatParser<OpenAI.ChatCompletionCreateParamsNonStreaming>({ model: 'gpt-5.5', format: 'openai-chat' });
createChatParser<OpenAI.Responses.ResponseCreateParamsNonStreaming>({ model: 'gpt-5.5', format: 'openai-responses' });
createChatParser<GenerateContentParameters>({ model: 'gemini-3.5-flash', format: 'gemini' });
