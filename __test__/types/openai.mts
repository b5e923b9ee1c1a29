// Compiled, never run: clients of OpenAI's SDK go in and come out as they are.
import OpenAI, { AzureOpenAI } from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { createSession } from 'palimpsest';
import { withPalimpsest } from 'palimpsest/openai';
import type { ChatTool, ResponsesTool } from 'palimpsest/openai';
import { z } from 'zod';

const client: OpenAI = withPalimpsest(new OpenAI(), {
  limit: 50_000,
  explainMarks: false,
  shadow: { share: 1, maxTokens: 1000 },
  session: (request) => (request.metadata?.chat === 'a' ? createSession({ limit: 1000 }) : undefined),
  onStep: ({ tokens, report }, { session, params }) => console.log(tokens.after, report.summary, session.report, params.model),
  onError: (error, { params }) => console.error(error, params.model),
});
const marking: OpenAI = withPalimpsest(new OpenAI(), { model: 'gpt-5.6', cacheControl: true });
const chat = createSession<OpenAI.ChatCompletionMessageParam>({ model: 'gpt-5.6', format: 'openai-chat', cacheControl: true });
const items = createSession<OpenAI.Responses.ResponseInputItem>({ model: 'gpt-5.6', format: 'openai-responses', cacheControl: true });
await marking.chat.completions.create({ model: 'gpt-5.6', messages: chat.next([]).messages });
await marking.responses.create({ model: 'gpt-5.6', input: items.next([]).messages });
// @ts-expect-error -- messages of this format go to any provider
createSession({ model: 'gpt-5.6', format: 'langchain', cacheControl: true });
const azure: AzureOpenAI = withPalimpsest(new AzureOpenAI(), createSession({ window: 128_000 }));
const asynchronous: OpenAI = withPalimpsest(new OpenAI(), createSession({ limit: 1000, summarizer: async (text) => text }));
const found: OpenAI = withPalimpsest(new OpenAI());

const wrapped = withPalimpsest(client);
const tool: ChatTool = wrapped.recallTool();
const { recallTool } = wrapped;
const item: ResponsesTool = recallTool({ api: 'responses' });
console.log(tool.function.name, item.execute('{}', 'call'));
client.chat.completions.runTools({ model: 'gpt-5.5', messages: [], tools: [tool] });
await client.responses.create({ model: 'gpt-5.5', input: 'Hello.', tools: [item] });

const { data, response } = await client.chat.completions.create({ model: 'gpt-5.5', messages: [] }).withResponse();
const text: string | null | undefined = data.choices[0]?.message.content;
const status: number = response.status;
for await (const chunk of await client.chat.completions.create({ model: 'gpt-5.5', messages: [], stream: true }))
  console.log(chunk.choices[0]?.delta.content);
const format = zodResponseFormat(z.object({ cause: z.string() }), 'verdict');
const parsed = await client.chat.completions.parse({ model: 'gpt-5.5', messages: [], response_format: format });
const cause: string | undefined = parsed.choices[0]?.message.parsed?.cause;
const output: string = (await azure.responses.create({ model: 'gpt-5.5', input: 'Hello.' })).output_text;
console.log(text, status, cause, output, asynchronous, found);

// @ts-expect-error -- another SDK's client
withPalimpsest(fetch, { limit: 1000 });
// @ts-expect-error -- no such option
withPalimpsest(new OpenAI(), { limits: 1000 });
