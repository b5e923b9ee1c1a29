// Compiled, never run: route handlers of Next.js and Hono, without a cast.
import { Hono } from 'hono';
import type Anthropic from '@anthropic-ai/sdk';
import { createChatParser, type FittedChat } from 'palimpsest/web';

declare const anthropic: Anthropic;
const parseChat = createChatParser<Anthropic.MessageCreateParamsNonStreaming>({ model: 'claude-opus-5', conversations: 50 });

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
// Without a type, it is like a parsed body.
export const parseAny = createChatParser();
