import { mismatch } from '../checks.js';
import { BadRequest } from './bad-request.js';
import { belonging, checkCall } from './belonging.js';
import { checkHeaders, readWeb } from './body.js';
import { Endpoint } from './endpoint.js';
import type { EndpointOptions, FittedChat } from './endpoint-options.js';

export type { ChatMessage, ChatRefusal, EndpointOptions, FittedChat } from './endpoint-options.js';

const OWN = ['createChatParser()', 'web'] as const;

/**
 * Creates a function that reads a chat endpoint's request, for Next.js route handlers, Hono and other servers with web-standard requests. It
 * gives the fitted conversation, or the response to a wrong request: see `chatParser` of `palimpsest/express`, which does the same.
 *
 * Create it once, where the server starts. Its promise rejects if the body can't be read because it was read before, or the client is gone.
 *
 * @typeParam R type of the body, if you know it
 * @throws {TypeError} an option is wrong
 * @throws {RangeError} a numeric option is out of range
 */
export function createChatParser<R = any>(
  options?: EndpointOptions<Request> | null,
): (request: Request) => Promise<FittedChat<R> | Response> {
  const endpoint = new Endpoint('createChatParser()', options);
  const parseChat = async (request: Request) => {
    if (typeof request?.headers?.get !== 'function') throw mismatch('parseChat(): request', 'a Request', request);
    if (request.bodyUsed) throw new TypeError('parseChat(): the body of the request was read before');
    try {
      checkHeaders((name) => request.headers.get(name), endpoint.maxBytes);
      return await endpoint.fit(await readWeb(request, endpoint.maxBytes), request);
    } catch (error) {
      if (error instanceof BadRequest) return Response.json(error, { status: error.status });
      throw error;
    }
  };
  // Express 4 passes on what is thrown, and waits forever for what rejects.
  const parse = (...given: [Request]) => {
    checkCall(OWN, given);
    return parseChat(given[0]);
  };
  return belonging(parse, OWN);
}
