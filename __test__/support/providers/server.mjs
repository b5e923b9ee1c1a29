// Providers on loopback that refuse what the real ones refuse, and the official clients that talk to them.
//
// They are the oracle for `validate` and for the messages that the package returns: they know nothing of the
// package, and share no code with it. Like an API, they read a request from the front and name the first fault only.
import { createServer } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { asResponses } from '../agents-items.mjs';
import { listen } from '../listen.mjs';
import { answerMessages } from './anthropic.mjs';
import { geminiRefusal } from './gemini.mjs';
import { answerChat } from './openai-chat.mjs';
import { answerResponses } from './openai-responses.mjs';
import { PRESERVED, PreservedThinking } from './preserved-thinking.mjs';
import { Refusal } from './refusal.mjs';

const routes = new Map([
  ['/v1/chat/completions', { answer: answerChat, refuse: openaiError }],
  ['/v1/responses', { answer: answerResponses, refuse: openaiError }],
  ['/v1/messages', { answer: answerMessages, refuse: anthropicError }],
]);

function openaiError({ message, param }) {
  return { error: { message, type: 'invalid_request_error', param: param ?? null, code: null } };
}

function anthropicError({ message }) {
  return { type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_strict' };
}

async function handle(request, response, thinking) {
  let json = '';
  for await (const chunk of request.setEncoding('utf8')) json += chunk;
  const { answer, refuse } = routes.get(request.url);
  let status = 200;
  let body;
  try {
    const sent = JSON.parse(json);
    body = answer(sent);
    if (sent.model === PRESERVED) thinking.check(sent);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    status = 400;
    body = refuse(error);
  }
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_strict' }).end(JSON.stringify(body));
}

/** Sends a conversation through the official client. Returns the provider's objection, or null. */
async function send(create, BadRequest) {
  try {
    await create();
    return null;
  } catch (error) {
    if (error instanceof BadRequest) return error.message;
    throw error;
  }
}

/** Sends items of OpenAI's Agents SDK; what the SDK itself throws is a refusal too. */
function sendItems(openai, items) {
  let input;
  try {
    input = asResponses(items);
  } catch (error) {
    return error.message;
  }
  return send(() => openai.responses.create({ model: 'test', input }), OpenAI.BadRequestError);
}

/**
 * Runs `work` against the providers. `work` gets a function per format that sends messages, through the official client if there
 * is one here, and returns the provider's objection, or null. It also gets `preserved`: `issue` turns
 * Anthropic messages into those of a model with preserved thinking, `send` sends them to that model. And `whole`: a function per format
 * that sends a request as it is.
 */
export async function withProviders(work) {
  const thinking = new PreservedThinking();
  const server = createServer((request, response) => {
    handle(request, response, thinking).catch((error) => response.writeHead(500).end(String(error.stack)));
  });
  const origin = await listen(server);
  const openai = new OpenAI({ apiKey: 'test', baseURL: `${origin}/v1`, maxRetries: 0 });
  const anthropic = new Anthropic({ apiKey: 'test', baseURL: origin, maxRetries: 0 });
  const parameters = { type: 'object', properties: {} };
  const sendToClaude = (model) => (messages) => {
    const body = { model, max_tokens: 16, messages, tools: [{ name: 'read', input_schema: parameters }] };
    // `messages.create` reads the blocks itself, and fails on null; `post` leaves them to the server.
    const readable = messages.every((message) => message && [message.content].flat().every((block) => block !== null));
    return send(() => (readable ? anthropic.messages.create(body) : anthropic.post('/v1/messages', { body })), Anthropic.BadRequestError);
  };
  const preserved = { issue: (messages) => thinking.issue(messages), send: sendToClaude(PRESERVED) };
  try {
    return await work(
      {
        gemini: async (contents) => geminiRefusal(contents),
        'openai-chat': (messages) =>
          send(
            () =>
              openai.chat.completions.create({
                model: 'test',
                messages,
                tools: [{ type: 'function', function: { name: 'read', parameters } }],
              }),
            OpenAI.BadRequestError,
          ),
        'openai-responses': (input) =>
          send(
            () => openai.responses.create({ model: 'test', input, tools: [{ type: 'function', name: 'read', parameters, strict: false }] }),
            OpenAI.BadRequestError,
          ),
        'openai-agents': (items) => sendItems(openai, items),
        anthropic: sendToClaude('test'),
      },
      preserved,
      {
        gemini: async (request) => geminiRefusal(request.contents),
        'openai-chat': (request) => send(() => openai.chat.completions.create(request), OpenAI.BadRequestError),
        'openai-responses': (request) => send(() => openai.responses.create(request), OpenAI.BadRequestError),
        anthropic: (request) => send(() => anthropic.messages.create(request), Anthropic.BadRequestError),
      },
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
