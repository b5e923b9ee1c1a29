// An agent of Google's ADK whose requests stay within a limit: node examples/google-adk.mjs
//
// The provider is a loopback server, which keeps a prompt cache as Gemini does.
import { FunctionTool, InMemoryRunner, LlmAgent, LogLevel, setLogLevel } from '@google/adk';
import { palimpsestPlugin } from 'palimpsest/google-adk';
import { agentTools, longAgent, startProvider } from '../__test__/support/agents/index.mjs';

const provider = await startProvider(longAgent());
process.env.GOOGLE_GEMINI_BASE_URL = provider.url;
process.env.GOOGLE_GENAI_API_KEY = 'test';
setLogLevel(LogLevel.ERROR);

const agent = new LlmAgent({
  name: 'mechanic',
  model: 'gemini-3.5-flash',
  instruction: 'You mend programs.',
  tools: agentTools.map(({ run, ...tool }) => new FunctionTool({ ...tool, execute: (input) => run(input) })),
});
const plugin = palimpsestPlugin({ limit: 16_000, onStep: ({ epoch, report }) => epoch && console.log(String(report)) });
const runner = new InMemoryRunner({ agent, plugins: [plugin] });
const ids = { appName: runner.appName, userId: 'user', sessionId: 'chat-1' };
await runner.sessionService.createSession(ids);
const newMessage = { role: 'user', parts: [{ text: 'Find out why the export is slow.' }] };
for await (const { content } of runner.runAsync({ ...ids, newMessage })) {
  if (content?.parts[0].text) console.log(content.parts[0].text);
}

const { sent, cachedShare } = provider.sum();
const { events } = await runner.sessionService.getSession(ids);
console.log(`${events.length} events, all of them whole · ${sent} tokens sent, ${Math.round(100 * cachedShare)}% of them from the cache`);
await provider.close();
