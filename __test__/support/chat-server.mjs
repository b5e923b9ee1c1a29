// A chat-completions server on loopback with answers that a test chooses, and the official client that talks to it.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI from 'openai';
import { listen } from './listen.mjs';

/** An answer of the model. */
export const say = (content) => ({
  body: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: 'test',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  },
});

/** Replies other than an answer to the question. */
export const failures = {
  serverError: () => ({ status: 500, body: { error: { message: 'internal', type: 'server_error' } } }),
  rateLimit: () => ({
    status: 429,
    headers: { 'retry-after-ms': '1' },
    body: { error: { message: 'slow down', type: 'rate_limit_error' } },
  }),
  notJson: () => ({ raw: '<html>Bad Gateway</html>' }),
  cutOff: () => ({ raw: '{"choices":[{"message":{"content":"half an ans', headers: { 'content-type': 'application/json' } }),
  emptyChoices: () => ({ body: { id: 'chatcmpl-1', object: 'chat.completion', choices: [] } }),
  noContent: () => say(null),
  emptyContent: () => say(''),
  hangUp: () => ({ hangUp: true }),
};

/**
 * Runs `work` against a server. `respond(prompt, n)` returns the answer to the n-th request (from 0); `delay` (ms)
 * in its result holds it back, and `never` for ever. `work` gets the prompts so far, and `callLlm` as an application would write it, which
 * takes options of the SDK for its request.
 */
export async function withChatServer(respond, work, { maxRetries = 0, timeout } = {}) {
  const seen = { prompts: [] };
  const server = createServer(async (request, response) => {
    let json = '';
    for await (const chunk of request.setEncoding('utf8')) json += chunk;
    const prompt = JSON.parse(json).messages.at(-1).content;
    seen.prompts.push(prompt);
    const { status = 200, headers, body, raw, delay = 0, never, hangUp } = respond(prompt, seen.prompts.length - 1);
    if (never) return;
    await sleep(delay);
    if (hangUp) return void response.destroy();
    if (raw !== undefined) return void response.writeHead(status, headers).end(raw);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  const origin = await listen(server);
  const client = new OpenAI({
    apiKey: 'test',
    baseURL: `${origin}/v1`,
    maxRetries,
    timeout,
    logLevel: 'off',
  });
  const callLlm = async (prompt, more) => {
    const completion = await client.chat.completions.create({ model: 'test', messages: [{ role: 'user', content: prompt }] }, more);
    return completion.choices[0].message.content;
  };
  try {
    return await work({ seen, client, callLlm });
  } finally {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
}

/** Returns the message in one of our prompts: its end. */
export const messageIn = (prompt) => prompt.slice(prompt.lastIndexOf('MESSAGE\n') + 'MESSAGE\n'.length);
