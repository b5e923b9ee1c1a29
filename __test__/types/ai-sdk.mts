// Compiled, never run: the middleware and `prepareStep` go where the AI SDK takes them, without a cast.
import { createAnthropic } from '@ai-sdk/anthropic';
import { generateText, isStepCount, streamText, tool, ToolLoopAgent, wrapLanguageModel } from 'ai';
import { createSession } from 'palimpsest';
import type { SessionStep } from 'palimpsest';
import { palimpsestMiddleware, prepareStep } from 'palimpsest/ai-sdk';
import type { MiddlewareOptions, PrepareStepOptions } from 'palimpsest/ai-sdk';
import { palimpsestMiddleware as forAgents } from 'palimpsest/langchain';
import { z } from 'zod';

const inner = createAnthropic({ apiKey: 'test' })('claude-opus-5');
const tools = { weather: tool({ inputSchema: z.object({ city: z.string() }), execute: ({ city }) => `${city}: rain` }) };
const sessions = new Map([['a', createSession({ limit: 100_000 })]]);

const options: MiddlewareOptions = {
  conversations: 10,
  session: (params) => sessions.get(String(params.providerOptions?.app?.chat)),
  onStep: (step: SessionStep<object>, { session, params }) =>
    console.log(String(step.report), String(session.report), params.prompt.length),
  onError: (error, { params }) => console.error(error, params.headers),
};
// @ts-expect-error -- it sends no requests
palimpsestMiddleware({ shadow: { share: 1, maxTokens: 1000 } });
const middleware = palimpsestMiddleware(options);
const model = wrapLanguageModel({ model: inner, middleware });
wrapLanguageModel({ model: inner, middleware: [palimpsestMiddleware(), palimpsestMiddleware({ window: 200_000, thinking: 'leave' })] });

const stepOptions: PrepareStepOptions = { limit: 100_000, tools, onStep: ({ messages }) => console.log(messages[0]?.role) };
const choose = prepareStep(stepOptions);
const recalling = { ...tools, recall: choose.recallTool() };
const { text } = await generateText({ model, tools: recalling, prompt: 'Hi.', prepareStep: choose });
await generateText({ model, tools: { recall: middleware.recallTool() }, prompt: 'Hi.' });
const city: string | undefined = (await generateText({ model, tools, prompt: 'Hi.' })).toolCalls.find((call) => !call.dynamic)?.input.city;
streamText({ model, tools, prompt: text, prepareStep: prepareStep(createSession({ model: 'claude-opus-5', tools })) });
new ToolLoopAgent({
  model,
  tools,
  stopWhen: isStepCount(50),
  runtimeContext: { chat: 'a' },
  prepareStep: prepareStep({ model: 'gpt-5.5', tools }),
});
new ToolLoopAgent({
  model,
  tools,
  // With one's own settings for a step.
  prepareStep: async (params) => ({ ...(await prepareStep(stepOptions)(params)), activeTools: params.stepNumber > 10 ? [] : ['weather'] }),
});
console.log(city);

// @ts-expect-error: there is no such option
palimpsestMiddleware({ limits: 1000 });
// @ts-expect-error: it needs options or a session
prepareStep();
// @ts-expect-error: LangChain's
wrapLanguageModel({ model: inner, middleware: forAgents() });
