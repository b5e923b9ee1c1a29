// Types of palimpsest/web. `Request` and `Response` are those of the platform.
import type { EndpointOptions, FittedChat } from './endpoint.js';

export type { ChatMessage, ChatRefusal, EndpointOptions, FittedChat } from './endpoint.js';

/**
 * Creates a function that reads a chat endpoint's request, for Next.js route handlers, Hono and other servers with web-standard requests. It
 * gives the fitted conversation, or the response to a wrong request: see `palimpsestMiddleware` of `palimpsest/express`, which does the same.
 *
 * Create it once, where the server starts. Its promise rejects if the body can't be read because it was read before, or the client is gone.
 *
 * @typeParam R type of the body, if you know it
 * @throws {TypeError} an option is wrong
 * @throws {RangeError} a numeric option is out of range
 */
export function createChatParser<R = any>(
  options?: EndpointOptions<Request> | null,
): (request: Request) => Promise<FittedChat<R> | Response>;
