// Mistakes of people who begin, each as a program: what tsc says of it, where it can be an error of types, and what it prints when it runs.
// `compiles`: tsc says nothing. `prints` is part of an error or a warning; where it is absent, running shows nothing that the types didn't.

const CHAT = `const chat = [
  { role: 'user' as const, content: 'Hi.' },
  { role: 'assistant' as const, content: 'Hello.' },
  { role: 'user' as const, content: 'Why?' },
];
`;
const using = (names, code, from = 'palimpsest') => `import { ${names} } from '${from}';\n${CHAT}${code}\n`;
/** Thirty rounds of a conversation that grows. */
const rounds = (step) => `const history: { role: 'user' | 'assistant'; content: string }[] = [{ role: 'user', content: 'Begin.' }];
for (let round = 0; round < 30; round++) {
  ${step}
  history.push({ role: 'assistant', content: 'We looked at the logs of the worker. '.repeat(20) + round }, { role: 'user', content: 'And ' + round + '?' });
}
`;

/** name → `{ code, compiles, tsc, prints }` */
export const MISTAKES = {
  // Options.
  'no limit': {
    code: using('fit', 'fit(chat);'),
    tsc: 'Expected 2 arguments, but got 1',
    prints: 'fit(): options must be an object with limit, window or model',
  },
  'a name of other libraries': {
    code: using('fit', 'fit(chat, { maxTokens: 1000 });'),
    tsc: "'maxTokens' does not exist in type",
    prints: 'options.maxTokens is not an option: did you mean options.maxOutputTokens for the answer, or limit for the request?',
  },
  'a limit in words': {
    code: using('fit', "fit(chat, { limit: '100k' });"),
    tsc: "Type 'string' is not assignable to type 'number'",
    prints: 'options.limit must be a number of tokens, got string',
  },
  'two limits': {
    code: using('fit', 'fit(chat, { limit: 1000, window: 2000 });'),
    tsc: "Types of property 'window' are incompatible",
    prints: 'both say what a request may take: give one of them',
  },
  'a session without options': {
    code: using('createSession', 'createSession();'),
    tsc: 'Expected 1-2 arguments, but got 0',
    prints: 'createSession(): options must be an object with limit, window or model',
  },
  'a model that is misspelt': {
    code: using('createSession', "createSession({ model: 'gpt-55' });"),
    compiles: true,
    prints: "got 'gpt-55': did you mean gpt-5.5? If not, give tokenizer and limit or window in its place",
  },
  'a provider in place of a format': {
    code: using('fit', "fit(chat, { limit: 1000, format: 'openai' });"),
    tsc: `Type '"openai"' is not assignable to type`,
    prints: "options.format must be one of 'openai-chat', ",
  },
  'a store without a name for the conversation': {
    code: `import { memoryStore } from 'palimpsest/store/memory';\n${using('createSession', 'createSession({ limit: 1000, store: memoryStore() });')}`,
    tsc: "Type 'Store' is not assignable",
    prints: 'options.store needs options.id, the name of the conversation',
  },
  'a saved session as a text': {
    code: using('createSession', 'createSession({ limit: 1000 }, JSON.stringify(createSession({ limit: 1000 })));'),
    tsc: "Argument of type 'string' is not assignable",
    prints: 'saved must be an object, got string: parse it with JSON.parse',
  },

  // Order, and what goes in.
  'no await with a store': {
    code: `import { memoryStore } from 'palimpsest/store/memory';\n${using('createSession', "const { messages } = createSession({ limit: 1000, store: memoryStore(), id: 'a' }).next(chat);")}`,
    tsc: "Property 'messages' does not exist on type 'Promise<SessionStep<",
  },
  'no await of fitAsync': {
    code: using('fitAsync', 'const { messages } = fitAsync(chat, { limit: 1000 });'),
    tsc: "Property 'messages' does not exist on type 'Promise<FitResult<",
  },
  'a result in place of messages': {
    code: using('fit', 'fit(fit(chat, { limit: 1000 }), { limit: 100 });'),
    tsc: "Type 'FitResult<",
    prints: 'messages must be an array, got a result of fit: pass its messages',
  },
  'a message in place of the history': {
    code: using('createSession', 'createSession({ limit: 1000 }).next(chat[0]!);'),
    tsc: "is not assignable to parameter of type 'readonly object[]'",
    prints: 'history must be an array of messages, got a message: put it into an array',
  },
  'the history is what was sent': {
    code: `import { createSession } from 'palimpsest';\nconst session = createSession({ limit: 1000 });\n${rounds('history.splice(0, Infinity, ...session.next(history).messages);')}`,
    compiles: true,
    prints: 'the history is what next() returned before. Keep the complete history, and pass that',
  },
  'a session for each request': {
    code: `import { createSession } from 'palimpsest';\n${rounds('createSession({ limit: 1000 }).next(history);')}`,
    compiles: true,
    prints: 'Keep one session for each conversation, or save and resume it',
  },
  'an answer in place of its usage': {
    code: using(
      'createSession',
      'const session = createSession({ limit: 1000 });\nsession.next(chat);\nsession.observe({ choices: [], usage: { prompt_tokens: 5 } });',
    ),
    compiles: true,
    prints: 'got an answer: pass its usage',
  },
  'arguments of restore in the wrong order': {
    code: using('fit, restore', 'const { messages, originals } = fit(chat, { limit: 1000 });\nrestore(originals, messages);'),
    tsc: "Type 'Originals' is missing",
    prints: 'restore(): messages must be an array',
  },
  'a limit without room': {
    code: using('createSession', "createSession({ limit: 100 }).next([{ role: 'user', content: 'Why? '.repeat(500) }]);"),
    compiles: true,
    prints: 'leaves too little room for what the user said last, and that was cut. Give a larger one',
  },

  // Formats.
  'messages without ids in compress': {
    code: using('compress', 'compress(chat);'),
    tsc: 'No overload matches this call',
    prints: "For messages of a provider, which have no ids, pass options.format: 'auto'",
  },
  'two formats in one history': {
    code: using(
      'fit',
      "fit([...chat, { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'b', input: {} }] }, { role: 'tool', tool_call_id: 'a', content: 'x' }], { limit: 1000 });",
    ),
    compiles: true,
    prints: 'messages[4] is openai-chat, but the messages before it are anthropic',
  },
  'a format that the messages are not in': {
    code: using('fit', "fit([{ role: 'user', parts: [{ text: 'Hi.' }] }], { limit: 1000, format: 'openai-chat' });"),
    compiles: true,
    prints: 'messages[0] is gemini, not openai-chat: name its format in options.format, or leave that out',
  },
  'a format of which nothing would be read': {
    code: using('fit', "fit(chat, { limit: 1000, format: 'gemini' });"),
    compiles: true,
    prints: 'messages[0].parts must be an array, got undefined; the messages look like openai-chat',
  },
  'UI messages for OpenAI': {
    code: `import OpenAI from 'openai';
import { createChatParser } from 'palimpsest/web';
const body = JSON.stringify({ messages: [{ id: 'a', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] });
const chat = await createChatParser({ limit: 1000 })(new Request('http://localhost/', { method: 'POST', headers: { 'content-type': 'application/json' }, body }));
if (!(chat instanceof Response)) await new OpenAI().chat.completions.create({ model: 'gpt-5.5', messages: chat.messages }).catch(() => {});
`,
    tsc: "Type 'object[]' is not assignable to type 'ChatCompletionMessageParam[]'",
  },
  'the type of a body without its format': {
    code: `import type OpenAI from 'openai';
import { createChatParser } from 'palimpsest/web';
createChatParser<OpenAI.ChatCompletionCreateParamsNonStreaming>({ model: 'gpt-5.5' });
`,
    tsc: "Property 'format' is missing",
  },

  // SDKs.
  'the middleware of another SDK': {
    code: `import { openai } from '@ai-sdk/openai';
import { wrapLanguageModel } from 'ai';
import { palimpsestMiddleware } from 'palimpsest/langchain';
wrapLanguageModel({ model: openai('gpt-5.5'), middleware: palimpsestMiddleware() });
`,
    tsc: "Type 'AgentMiddleware<",
    prints: 'does not belong in wrapLanguageModel() of the AI SDK: there, take palimpsestMiddleware() of palimpsest/ai-sdk',
  },
  'the middleware of another SDK, the other way round': {
    code: `import { createAgent } from 'langchain';
import { palimpsestMiddleware } from 'palimpsest/ai-sdk';
createAgent({ model: 'openai:gpt-5.5', tools: [], middleware: [palimpsestMiddleware()] });
`,
    tsc: 'No overload matches this call',
    prints: 'does not belong in createAgent() of LangChain: there, take palimpsestMiddleware() of palimpsest/langchain',
  },
  "another SDK's client": {
    code: `import Anthropic from '@anthropic-ai/sdk';\nimport { withPalimpsest } from 'palimpsest/openai';\nwithPalimpsest(new Anthropic());\n`,
    tsc: "Type 'Anthropic' is missing the following properties",
    prints: "client is a client of Anthropic's SDK: take withPalimpsest() of palimpsest/anthropic",
  },
  'the class of a client': {
    code: `import OpenAI from 'openai';\nimport { withPalimpsest } from 'palimpsest/openai';\nwithPalimpsest(OpenAI);\n`,
    tsc: "Type 'typeof OpenAI' is missing",
    prints: 'client must be a client, got the class OpenAI: create one with new',
  },
  'a middleware that is not called': {
    code: `import { openai } from '@ai-sdk/openai';
import { generateText, wrapLanguageModel } from 'ai';
import { palimpsestMiddleware } from 'palimpsest/ai-sdk';
const model = wrapLanguageModel({ model: openai('gpt-5.5'), middleware: palimpsestMiddleware });
await generateText({ model, prompt: 'Hi', maxRetries: 0 });
`,
    tsc: "is not assignable to type 'LanguageModelMid",
    prints: 'palimpsestMiddleware() of palimpsest/ai-sdk was handed over without being called: write palimpsestMiddleware(options)',
  },
  'prepareStep that is not called': {
    code: `import { openai } from '@ai-sdk/openai';
import { generateText } from 'ai';
import { prepareStep } from 'palimpsest/ai-sdk';
await generateText({ model: openai('gpt-5.5'), prompt: 'Hi', maxRetries: 0, prepareStep });
`,
    tsc: "is not assignable to type 'PrepareStepFunction<",
    prints: 'prepareStep() of palimpsest/ai-sdk was handed over without being called: write prepareStep(options)',
  },
  'a parser that is not called': {
    code: `import express from 'express';
import { chatParser } from 'palimpsest/express';
const app = express();
app.post('/chat', chatParser, (_, response) => void response.json(1));
app.use(((error, _, response, next) => response.json(console.log(error.message))) satisfies express.ErrorRequestHandler);
const server = app.listen(0, '127.0.0.1', async () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') await fetch('http://127.0.0.1:' + address.port + '/chat', { method: 'POST' });
  server.close();
  server.closeAllConnections();
});
`,
    compiles: true,
    prints: 'chatParser() of palimpsest/express was handed over without being called: write chatParser(options)',
  },
  'a route that is not called': {
    code: `import { createChatParser } from 'palimpsest/web';
export const POST = createChatParser;
try {
  // @ts-ignore -- Next.js calls it so
  POST(new Request('http://localhost/', { method: 'POST' }));
} catch (error) {
  console.log(error);
}
`,
    compiles: true,
    prints: 'createChatParser() of palimpsest/web was handed over without being called: write createChatParser(options)',
  },
  'a body that was read before': {
    code: `import { createChatParser } from 'palimpsest/web';
const request = new Request('http://localhost/', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"messages":[]}' });
await request.json();
await createChatParser({ limit: 1000 })(request);
`,
    compiles: true,
    prints: 'parseChat(): the body of the request was read before',
  },
  'a string where a model has to be': {
    code: `import { wrapLanguageModel } from 'ai';\nimport { palimpsestMiddleware } from 'palimpsest/ai-sdk';\nwrapLanguageModel({ model: 'openai/gpt-5.5', middleware: palimpsestMiddleware() });\n`,
    tsc: "Type 'string' is not assignable to type 'LanguageModelV2 | LanguageModelV3 | LanguageModelV4'",
  },
  'a model of no known window': {
    code: `import OpenAI from 'openai';
import { withPalimpsest } from 'palimpsest/openai';
const client = withPalimpsest(new OpenAI({ maxRetries: 0 }));
await client.chat.completions.create({ model: 'my-own-model', messages: [{ role: 'user', content: 'Hi' }] }).catch(() => {});
`,
    compiles: true,
    prints: 'options must give a limit or a window, because the window of model "my-own-model" is not known',
  },
  'a function of another subpath': {
    code: `import { createSession } from 'palimpsest/ai-sdk';\nconsole.log(createSession);\n`,
    tsc: `Module '"palimpsest/ai-sdk"' has no exported member 'createSession'`,
    prints: "does not provide an export named 'createSession'",
  },
  'a file inside of the package': {
    code: `import { fit } from 'palimpsest/dist/index.js';\nconsole.log(fit);\n`,
    tsc: "Cannot find module 'palimpsest/dist/index.js'",
    prints: "Package subpath './dist/index.js' is not defined",
  },
};
