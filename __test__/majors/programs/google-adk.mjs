import { FunctionTool, Gemini, InMemoryRunner, LlmAgent, LogLevel, setLogLevel, StreamingMode } from '@google/adk';
import { palimpsestPlugin } from 'palimpsest/google-adk';
import { z } from 'zod';
import { contentOf, GEMINI, PROMPT, READ, systemOf } from './common.mjs';

setLogLevel(LogLevel.ERROR);
const parameters = z.object({ path: z.string() });
const read = new FunctionTool({ name: 'read', description: READ, parameters, execute: ({ path }) => contentOf(path) });

const ran =
  (streamingMode) =>
  async ({ url, name, options }) => {
    process.env.GOOGLE_GEMINI_BASE_URL = url;
    const plugin = palimpsestPlugin(options);
    const model = new Gemini({ model: GEMINI, apiKey: 'test' });
    const agent = new LlmAgent({ name: 'clerk', model, instruction: systemOf(name), tools: [read, plugin.recallTool()] });
    const runner = new InMemoryRunner({ agent, plugins: [plugin] });
    const ids = { userId: 'user', sessionId: 'one' };
    await runner.sessionService.createSession({ appName: runner.appName, ...ids });
    const newMessage = { role: 'user', parts: [{ text: PROMPT }] };
    for await (const event of runner.runAsync({ ...ids, newMessage, runConfig: { streamingMode } }))
      if (event.errorMessage) throw new Error(event.errorMessage);
    const { events } = await runner.sessionService.getSession({ appName: runner.appName, ...ids });
    return events.map(({ content }) => content);
  };

export const ways = { runAsync: ran(StreamingMode.NONE), 'runAsync, streamed': ran(StreamingMode.SSE) };
