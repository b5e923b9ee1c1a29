// What the command line takes of the library beside its public functions. It is no part of the interface, and may change in any version: the command
// line depends on the very version that it is published with.
import * as providers from './providers/index.js';
import * as requests from './providers/request.js';

/** Where a request has what is read of it. A path is a key, or several with dots between them. */
export interface RequestPaths {
  messages: 'messages' | 'input' | 'contents';
  /** maximum tokens of the answer */
  output: string[];
  /** what stands for content that the provider keeps */
  stored: string[];
}

/** The requests of providers' APIs, by the format of their messages. */
export const REQUESTS: Record<'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini', RequestPaths> = requests.SHAPES;

/** Returns the first value that a request has at one of some paths. */
export const valueAt = (request: object, paths: string[]): unknown => requests.firstOf(request, paths)?.value;

/** Returns whether a message is the model's, in any format. */
export const isAnswer: (message: object) => boolean = providers.isAnswer;
