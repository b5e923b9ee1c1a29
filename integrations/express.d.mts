// Written by scripts/entries.mjs: express.d.ts for ES modules.
// Types of palimpsest/express.
import type { Request, RequestHandler } from 'express';
import type { EndpointOptions, FittedChat } from './endpoint.js';

export type { ChatMessage, ChatRefusal, EndpointOptions, FittedChat } from './endpoint.js';

declare global {
  namespace Express {
    interface Request {
      /** The fitted conversation, behind `palimpsestMiddleware`. As `body`, it is not set in other routes. */
      palimpsest: FittedChat;
    }
  }
}

/** A request behind the middleware, with the type of its body: `(request: FittedRequest<ChatParams>, response) => …`. */
export interface FittedRequest<R> extends Request {
  palimpsest: FittedChat<R>;
}

/**
 * Creates a middleware for a chat endpoint, for Express 4 and 5. It takes a provider's whole request, or `{ messages }` in any format, from
 * `request.body`, or reads and parses the body itself if no parser came before. It sets `request.palimpsest`.
 *
 * A wrong request is answered with JSON ({@link ChatRefusal}): 400 with the place of what the provider would refuse or can't be read, of JSON
 * or UTF-8 that is none, and of nesting of more than 1,000 levels, and for a conversation that can't be cut to the limit; 413 if there are too many
 * bytes or messages; 415 for a body that is not `application/json` or is compressed (parse it with `express.json` before). Not refused are a
 * conversation that ends in calls without results, and calls without Gemini's thought signatures.
 *
 * The messages are chosen off the event loop.
 *
 * @throws {TypeError} an option is wrong
 * @throws {RangeError} a numeric option is out of range
 */
export function palimpsestMiddleware(options?: EndpointOptions<Request> | null): RequestHandler;
