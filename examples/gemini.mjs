// An agent of Google's SDK whose history stays within a limit: node examples/gemini.mjs
//
// The provider is a loopback server, which keeps a prompt cache as Gemini does.
import { GoogleGenAI } from '@google/genai';
import { agentTools, longAgent, startProvider } from '../__test__/support/agents/index.mjs';
import { withPalimpsest } from 'palimpsest/gemini';

const provider = await startProvider(longAgent());
const client = withPalimpsest(new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: provider.url } }), {
  limit: 16_000,
  onStep: ({ epoch, report }) => epoch && console.log(String(report)),
});

const functionDeclarations = agentTools.map(({ name, description, parameters }) => ({
  name,
  description,
  parametersJsonSchema: parameters,
}));
const chat = client.chats.create({
  model: 'gemini-3.5-flash',
  config: { systemInstruction: 'You mend programs.', tools: [{ functionDeclarations }] },
});
let answer = await chat.sendMessage({ message: 'Find out why the export is slow.' });
while (answer.functionCalls) {
  answer = await chat.sendMessage({ message: answer.functionCalls.map(resultOf) });
}
console.log(answer.text);

const { sent, cachedShare } = provider.sum();
const count = chat.getHistory().length;
console.log(`${count} messages, all of them whole · ${sent} tokens sent, ${Math.round(100 * cachedShare)}% of them from the cache`);
await provider.close();

function resultOf({ id, name, args }) {
  try {
    return { functionResponse: { id, name, response: { output: agentTools.find((tool) => tool.name === name).run(args) } } };
  } catch (error) {
    return { functionResponse: { id, name, response: { error: error.message } } };
  }
}
