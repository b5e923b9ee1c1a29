// Compiled, never run: a chat endpoint with Express, without a cast.
import express from 'express';
import type OpenAI from 'openai';
import { createSession } from 'palimpsest';
import { chatParser, type EndpointOptions, type FittedRequest } from 'palimpsest/express';

declare const openai: OpenAI;
type ChatParams = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;

const sessions = new Map([['a', createSession({ limit: 100_000 })]]);
const options: EndpointOptions<express.Request> = {
  model: 'gpt-5.5',
  maxBytes: 1_000_000,
  session: (request) => sessions.get(request.get('x-conversation') ?? ''),
  onError: (error, { params }) => console.error(params.path, error),
};

const app = express();
app.post('/chat', express.json(), chatParser(options), async (request: FittedRequest<ChatParams>, response) => {
  const { request: params, messages, step, observe } = request.palimpsest;
  const roles: ChatParams['messages'][number]['role'][] = messages.map(({ role }) => role);
  const answer = await openai.chat.completions.create({ ...params, messages });
  observe(answer.usage);
  response.json({ answer, roles, fits: step?.fits === true });
});
// Without its type, the request is like a parsed body.
app.post('/any', chatParser({ limit: 1000, conversations: 10 }), async (request, response) => {
  const answer = await openai.chat.completions.create({ model: 'gpt-5.5', messages: request.palimpsest.messages });
  response.json([answer, request.palimpsest.format, request.palimpsest.step?.report.summary]);
});

// @ts-expect-error there is no such option
chatParser({ maxByte: 5 });
// @ts-expect-error a number
chatParser({ maxBytes: '5' });
