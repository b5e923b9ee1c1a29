import Anthropic from '@anthropic-ai/sdk';
import { withPalimpsest } from 'palimpsest/anthropic';
import { CLAUDE, contentOf, PARAMETERS, PROMPT, READ, systemOf, TURNS } from './common.mjs';

const wrapped = (url, options) => withPalimpsest(new Anthropic({ apiKey: 'test', baseURL: url, maxRetries: 0 }), options);
const described = { name: 'read', description: READ, input_schema: PARAMETERS };
const request = (name) => ({ model: CLAUDE, max_tokens: 2000, system: systemOf(name), messages: [{ role: 'user', content: PROMPT }] });
const asked = new Anthropic({ apiKey: 'test' });

/** The loop of an application, with the answer that `ask` gives. */
async function looped(name, ask) {
  const { messages, ...rest } = request(name);
  for (;;) {
    const { content } = await ask({ ...rest, messages, tools: [described] });
    messages.push({ role: 'assistant', content });
    const calls = content.filter(({ type }) => type === 'tool_use');
    if (calls.length === 0) return messages;
    messages.push({
      role: 'user',
      content: calls.map(({ id, input }) => ({ type: 'tool_result', tool_use_id: id, content: contentOf(input.path) })),
    });
  }
}

function toolRunner(stream) {
  return async ({ url, name, options }) => {
    const client = wrapped(url, options);
    const read = { type: 'custom', ...described, run: ({ path }) => contentOf(path), parse: (content) => content };
    const runner = client.beta.messages.toolRunner({
      ...request(name),
      tools: [read, client.recallTool()],
      thread: false,
      stream,
      max_iterations: TURNS,
    });
    for await (const turn of runner) if (stream) for await (const _ of turn);
    return runner.params.messages;
  };
}

export const ways = {
  'messages.create': ({ url, name, options }) => {
    const client = wrapped(url, options);
    return looped(name, (body) => client.messages.create(body));
  },
  'messages.stream': ({ url, name, options }) => {
    const client = wrapped(url, options);
    return looped(name, (body) => client.messages.stream(body).finalMessage());
  },
  'beta.messages.create': ({ url, name, options }) => {
    const client = wrapped(url, options);
    return looped(name, (body) => client.beta.messages.create(body));
  },
  // Older SDKs have none.
  ...(asked.beta.messages.toolRunner && { toolRunner: toolRunner(false), 'toolRunner, streamed': toolRunner(true) }),
};
