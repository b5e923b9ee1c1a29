// Compiled, never run: the middleware and the edit in agents of LangChain, as they are.
import { MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import {
  type AgentMiddleware,
  type BaseMessage,
  ClearToolUsesEdit,
  type ContextEdit,
  contextEditingMiddleware,
  createAgent,
  tool,
} from 'langchain';
import { createSession, type Originals, type Session } from 'palimpsest';
import { palimpsestEdit, type PalimpsestEditOptions, palimpsestMiddleware, type PalimpsestMiddlewareOptions } from 'palimpsest/langchain';
import { z } from 'zod';

const read = tool(async ({ path }) => path, { name: 'read', description: 'Reads a file.', schema: z.object({ path: z.string() }) });
const sessions = new Map<string, Session>();

const options: PalimpsestMiddlewareOptions = {
  limit: 50_000,
  explainMarks: true,
  keep: { tools: ['read'] },
  session: async ({ runtime }) => sessions.get(runtime.configurable?.thread_id ?? ''),
  onStep: ({ messages, tokens, report }, { session, params }) => {
    const last: BaseMessage | undefined = messages.at(-1);
    console.log(last?.text, tokens.after, report.summary, session.report.tokens.sent, params.systemMessage.text);
  },
  onError: (error, { params }) => console.error(error, params.messages.length),
};
const middleware: AgentMiddleware = palimpsestMiddleware(options);
const agent = createAgent({
  model: new ChatOpenAI({ model: 'gpt-5.5' }),
  tools: [read],
  responseFormat: z.object({ cause: z.string() }),
  checkpointer: new MemorySaver(),
  middleware: [palimpsestMiddleware(), contextEditingMiddleware()],
});
const { messages, structuredResponse } = await agent.invoke({ messages: 'Why do exports fail?' }, { configurable: { thread_id: 'a' } });
const text: string | undefined = messages.at(-1)?.text;
const cause: string = structuredResponse.cause;
for await (const [message] of await agent.stream({ messages: 'And imports?' }, { streamMode: 'messages' })) console.log(message.text);

const originals: Originals = {};
const editing: PalimpsestEditOptions = {
  limit: 100_000,
  low: 0.4,
  originals,
  onFit: ({ messages: fitted, report }) => console.log(fitted.at(0)?.text, report.summary),
  onError: (error, { params }) => console.error(error, params.messages.length),
};
const edit: ContextEdit = palimpsestEdit(editing);
const other = createAgent({
  model: 'openai:gpt-5.5',
  tools: [read],
  middleware: [contextEditingMiddleware({ edits: [new ClearToolUsesEdit(), edit, palimpsestEdit()] })],
});
console.log(text, cause, middleware, other, createSession({ limit: 1000 }));

// @ts-expect-error -- no such option
palimpsestMiddleware({ limits: 1000 });
// @ts-expect-error -- one limit
palimpsestEdit({ limit: 1000, window: 2000 });
// @ts-expect-error -- LangChain's edits get the messages of a running agent, which have one format
palimpsestEdit({ format: 'openai-chat' });
