import { compress } from 'palimpsest';

export const runtime = 'nodejs';

export async function POST(request: Request) {
  const { messages } = await request.json();
  return Response.json(compress(messages));
}
