import { GoogleGenAI } from '@google/genai';
import { withPalimpsest } from 'palimpsest/gemini';
import { contentOf, GEMINI, PARAMETERS, PROMPT, READ, systemOf, TURNS } from './common.mjs';

const wrapped = (url, options) => withPalimpsest(new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: url } }), options);
const parameters = { type: 'OBJECT', properties: { path: { type: 'STRING' } }, required: PARAMETERS.required };
const functionDeclarations = [{ name: 'read', description: READ, parameters }];
const configOf = (name) => ({ systemInstruction: systemOf(name), tools: [{ functionDeclarations }] });
const callsIn = (parts) => parts.filter(({ functionCall }) => functionCall).map(({ functionCall }) => functionCall);
const responseOf = ({ id, name, args }) => ({ functionResponse: { id, name, response: { output: contentOf(args.path) } } });

async function chatted(chat, ask) {
  for (let message = PROMPT; ; ) {
    const calls = callsIn(await ask(message));
    if (calls.length === 0) return chat.getHistory();
    message = calls.map(responseOf);
  }
}

export const ways = {
  generateContent: async ({ url, name, options }) => {
    const client = wrapped(url, options);
    const contents = [{ role: 'user', parts: [{ text: PROMPT }] }];
    for (;;) {
      const { candidates } = await client.models.generateContent({ model: GEMINI, contents, config: configOf(name) });
      contents.push(candidates[0].content);
      const calls = callsIn(candidates[0].content.parts);
      if (calls.length === 0) return contents;
      contents.push({ role: 'user', parts: calls.map(responseOf) });
    }
  },
  'automatic function calling': async ({ url, name, options }) => {
    const client = wrapped(url, options);
    const read = {
      tool: async () => ({ functionDeclarations }),
      callTool: async (calls) => calls.filter((call) => call.name === 'read').map(responseOf),
    };
    const config = { ...configOf(name), tools: [read, client.recallTool()], automaticFunctionCalling: { maximumRemoteCalls: TURNS } };
    const { automaticFunctionCallingHistory } = await client.models.generateContent({ model: GEMINI, contents: PROMPT, config });
    return automaticFunctionCallingHistory;
  },
  'chats, streamed': ({ url, name, options }) => {
    const chat = wrapped(url, options).chats.create({ model: GEMINI, config: configOf(name) });
    return chatted(chat, async (message) => {
      const parts = [];
      for await (const { candidates } of await chat.sendMessageStream({ message })) parts.push(...(candidates?.[0]?.content?.parts ?? []));
      return parts;
    });
  },
};
