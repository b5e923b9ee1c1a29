import { isObject } from '../checks.js';
import { BadRequest } from './bad-request.js';
import { belonging, checkCall, checkOptionsGiven } from './belonging.js';
import { checkPeers } from './peer.js';
import { checkHeaders, readStream } from './body.js';
import { Endpoint } from './endpoint.js';
// biome-ignore lint/suspicious/noTsIgnore: here, where the types are installed, there is no error to expect
/** @ts-ignore Express has no types without `@types/express`. Then it has none here either, and nothing else is wrong. */
import type { Request, RequestHandler, Response } from 'express';
import type { EndpointOptions, FittedChat } from './endpoint-options.js';

export type { ChatMessage, ChatRefusal, EndpointOptions, FittedChat } from './endpoint-options.js';

checkPeers('express');

declare global {
  namespace Express {
    interface Request {
      /** The fitted conversation, behind `chatParser`. As `body`, it is not set in other routes. */
      palimpsest: FittedChat;
    }
  }
}

/** A request behind the middleware, with the type of its body: `(request: FittedRequest<ChatParams>, response) => …`. */
export interface FittedRequest<R> extends Request {
  palimpsest: FittedChat<R>;
}

const CALLER = 'chatParser()';
const OWN = [CALLER, 'express'] as const;

/**
 * Creates a middleware that reads the conversation of a chat endpoint, for Express 4 and 5. It takes a provider's whole request, or `{ messages }` in any format, from
 * `request.body`, or reads and parses the body itself if no parser came before. It sets `request.palimpsest`.
 *
 * A wrong request is answered with JSON ({@link ChatRefusal}): 400 with the place of what the provider would refuse or can't be read, of JSON
 * or UTF-8 that is none, and of nesting of more than 1,000 levels, and for a conversation that can't be cut to the limit of tokens or the
 * `requestLimits`; 413 if there are too many bytes or messages; 415 for a body that is not `application/json` or is compressed (parse it with
 * `express.json` before). Not refused are a conversation that ends in calls without results, and calls without Gemini's thought signatures.
 *
 * The messages are chosen off the event loop.
 *
 * @example
 * import { chatParser } from 'palimpsest/express';
 *
 * app.post('/chat', chatParser({ model: 'gpt-5.5', format: 'openai-chat', system: instructions }), async (request, response) => {
 *   const { messages, step, observe } = request.palimpsest;
 *   // Send `messages` behind the instructions, then: observe(answer.usage);
 * });
 *
 * @throws {TypeError} an option is wrong
 * @throws {RangeError} a numeric option is out of range
 */
export function chatParser(options?: EndpointOptions<Request> | null): RequestHandler;
export function chatParser(...all: (EndpointOptions<Request> | null | undefined)[]): RequestHandler {
  checkOptionsGiven(OWN, all);
  const endpoint = new Endpoint(CALLER, all[0]);
  const parse = (...given: Parameters<RequestHandler>) => {
    checkCall(OWN, given);
    const [request, response, next] = given;
    handle(endpoint, request).then(
      // If the client is gone, there is nobody to answer.
      (isThere) => isThere && next(),
      (error: unknown) => (error instanceof BadRequest ? refuse(response, error) : next(error)),
    );
  };
  return belonging(parse, OWN);
}

/** @returns whether the client is still there */
async function handle(endpoint: Endpoint, request: Request): Promise<boolean> {
  if (!isParsed(request)) {
    checkHeaders((name) => request.headers[name] as string | undefined, endpoint.maxBytes);
    const body = await readStream(request, endpoint.maxBytes);
    if (body === undefined) return false;
    request.body = body;
  }
  request.palimpsest = await endpoint.fit(request.body, request);
  return true;
}

/** Returns whether a parser put the body into `request.body`. With Express 4, a parser that takes no other types leaves an empty object. */
function isParsed({ body, readableDidRead, readableEnded }: { body?: unknown; readableDidRead: boolean; readableEnded: boolean }) {
  const isRead = readableDidRead || readableEnded;
  if (body !== undefined && (isRead || !isObject(body) || Object.keys(body).length > 0)) return true;
  if (isRead) throw new TypeError(`${CALLER}: the body was read before, and request.body is not set`);
  return false;
}

function refuse(response: Response, error: BadRequest) {
  response.statusCode = error.status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(error));
}
