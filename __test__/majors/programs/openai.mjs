import OpenAI from 'openai';
import { withPalimpsest } from 'palimpsest/openai';
import { contentOf, MODEL, PARAMETERS, PROMPT, READ, systemOf, TURNS } from './common.mjs';

const wrapped = (url, options) => withPalimpsest(new OpenAI({ apiKey: 'test', baseURL: `${url}/v1`, maxRetries: 0 }), options);
const request = (name) => ({
  model: MODEL,
  messages: [
    { role: 'system', content: systemOf(name) },
    { role: 'user', content: PROMPT },
  ],
});
const described = { name: 'read', description: READ, parameters: PARAMETERS };
const read = { ...described, parse: JSON.parse, function: ({ path }) => contentOf(path) };

/** The loop of an application, with the answer that `ask` gives. */
async function chatted(name, ask) {
  const { messages, model } = request(name);
  for (;;) {
    const { message } = (await ask({ model, messages, tools: [{ type: 'function', function: described }] })).choices[0];
    messages.push({ role: 'assistant', content: message.content, ...(message.tool_calls && { tool_calls: message.tool_calls }) });
    if (!message.tool_calls?.length) return messages;
    for (const call of message.tool_calls)
      messages.push({ role: 'tool', tool_call_id: call.id, content: contentOf(JSON.parse(call.function.arguments).path) });
  }
}

async function responded(client, name, ask) {
  const recall = client.recallTool({ api: 'responses' });
  const input = [{ role: 'user', content: PROMPT }];
  for (;;) {
    const tools = [{ type: 'function', ...described, strict: false }, recall];
    const { output } = await ask({ model: MODEL, instructions: systemOf(name), input, tools });
    const calls = output.filter(({ type }) => type === 'function_call');
    if (calls.length === 0) return input;
    for (const { call_id, name: called, arguments: text } of calls) {
      const result = called === 'read' ? contentOf(JSON.parse(text).path) : await recall.execute(text, call_id);
      input.push({ type: 'function_call', call_id, name: called, arguments: text });
      input.push({ type: 'function_call_output', call_id, output: result });
    }
  }
}

export const ways = {
  'chat.completions.create': ({ url, name, options }) => {
    const client = wrapped(url, options);
    return chatted(name, (body) => client.chat.completions.create(body));
  },
  'chat.completions.stream': ({ url, name, options }) => {
    const client = wrapped(url, options);
    const streamed = (body) => client.chat.completions.stream({ ...body, stream_options: { include_usage: true } });
    return chatted(name, (body) => streamed(body).finalChatCompletion());
  },
  runTools: async ({ url, name, options }) => {
    const client = wrapped(url, options);
    const tools = [{ type: 'function', function: read }, client.recallTool()];
    const runner = client.chat.completions.runTools({ ...request(name), tools }, { maxChatCompletions: TURNS });
    await runner.finalContent();
    return runner.messages;
  },
  'responses.create': ({ url, name, options }) => {
    const client = wrapped(url, options);
    return responded(client, name, (body) => client.responses.create(body));
  },
  'responses.stream': ({ url, name, options }) => {
    const client = wrapped(url, options);
    return responded(client, name, (body) => client.responses.stream(body).finalResponse());
  },
};
