import { mismatch } from '../checks.js';
import { BadRequest } from './bad-request.js';
import { belonging, checkCall, checkOptionsGiven } from './belonging.js';
import { checkHeaders, readWeb } from './body.js';
import { Endpoint } from './endpoint.js';
import type { Format } from '../../index.js';
import type { EndpointOptions, FittedChat } from './endpoint-options.js';

export type { ChatMessage, ChatRefusal, EndpointOptions, FittedChat } from './endpoint-options.js';

const OWN = ['createChatParser()', 'web'] as const;

/** Reads a request: gives the conversation to send, or the response to a wrong request. */
export type ParseChat<R> = (request: Request) => Promise<FittedChat<R> | Response>;

/** Names of the formats that the messages of a body may have, by its type. */
export type FormatOf<R> = 0 extends 1 & R
  ? Format
  : R extends { contents: unknown }
    ? 'gemini'
    : R extends { messages: readonly (infer M)[] }
      ? M extends { id: string; parts: readonly unknown[] }
        ? 'ai-sdk-ui'
        : Exclude<Format, 'ai-sdk-ui' | 'gemini' | 'openai-responses'>
      : 'openai-responses';

/**
 * Creates a function that reads a chat endpoint's request, for Next.js route handlers, Hono and other servers with web-standard requests. It
 * gives the fitted conversation, or the response to a wrong request: see `chatParser` of `palimpsest/express`, which does the same.
 *
 * With the type of the body, name its `format`: messages of any other format are answered with 400, so that the type holds. Without it, any
 * format is read, and messages are objects of which no SDK takes any.
 *
 * Create it once, where the server starts. Its promise rejects if the body can't be read because it was read before, or the client is gone.
 *
 * @example
 * import { createChatParser } from 'palimpsest/web';
 * import type OpenAI from 'openai';
 *
 * type Body = { messages: OpenAI.Chat.ChatCompletionMessageParam[] };
 * const parseChat = createChatParser<Body>({ format: 'openai-chat', model: 'gpt-5.5' });
 *
 * export async function POST(request: Request) {
 *   const chat = await parseChat(request);
 *   if (chat instanceof Response) return chat;
 *   // Send chat.messages, then pass on what it took: chat.observe(answer.usage);
 * }
 *
 * @typeParam R type of the body: a provider's request, or `{ messages }`
 * @throws {TypeError} an option is wrong
 * @throws {RangeError} a numeric option is out of range
 */
export function createChatParser<R extends object>(options: EndpointOptions<Request> & { format: FormatOf<R> }): ParseChat<R>;
export function createChatParser(options?: EndpointOptions<Request> | null): ParseChat<object>;
export function createChatParser(options?: EndpointOptions<Request> | null): ParseChat<any> {
  checkOptionsGiven(OWN, [options]);
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
