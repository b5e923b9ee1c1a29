// Compiled, never run: clients of Google's SDK go in and come out as they are.
import { GoogleGenAI } from '@google/genai';
import { createSession } from 'palimpsest';
import { withPalimpsest } from 'palimpsest/gemini';

const client: GoogleGenAI = withPalimpsest(new GoogleGenAI({}), {
  limit: 50_000,
  shadow: { share: 1, maxTokens: 1000 },
  session: ({ config }) => (config?.labels?.chat === 'a' ? createSession({ limit: 1000 }) : undefined),
  onStep: ({ tokens }, { params }) => console.log(tokens.after, params.model),
});
const one: GoogleGenAI = withPalimpsest(new GoogleGenAI({}), createSession({ window: 200_000 }));

const tools = [withPalimpsest(client).recallTool()];
await one.models.generateContent({ model: 'gemini-3.5-flash', contents: 'Hello.', config: { tools } });
const text: string | undefined = (await client.models.generateContent({ model: 'gemini-3.5-flash', contents: 'Hello.' })).text;
for await (const chunk of await one.chats.create({ model: 'gemini-3.5-flash' }).sendMessageStream({ message: 'Hello.' }))
  console.log(chunk.text);
console.log(text);

// @ts-expect-error -- another SDK's client
withPalimpsest(fetch, { limit: 1000 });
// @ts-expect-error -- no such option
withPalimpsest(new GoogleGenAI({}), { limits: 1000 });
