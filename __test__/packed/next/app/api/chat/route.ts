import { createChatParser } from 'palimpsest/web';

export const runtime = 'nodejs';

const parseChat = createChatParser({ limit: 1000 });

export async function POST(request: Request) {
  const chat = await parseChat(request);
  if (chat instanceof Response) return chat;
  return Response.json({ count: chat.messages.length, fits: chat.step?.fits });
}
