// What the command line takes of the library beside its public functions. It is no part of the interface, and may change in any version: the command
// line depends on the very version that it is published with.
import * as providers from './providers/index.js';
import * as requests from './providers/request.js';
import * as sessions from './session/index.js';
import { Reads } from './session/reads.js';
import * as effects from './shadow/effects.js';
import type { Format, Session } from '../index.js';

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

/** Why a request may not be sent again for a comparison, in words without content; undefined if it may. */
export const effectOf: (format: keyof typeof REQUESTS, request: object) => string | undefined = effects.effectOf;

/**
 * Returns a function that has sessions share what they read of messages. They get the same objects, which nobody changes, and have the same options but
 * for their limits.
 */
export function readingTogether(): <S extends Session>(session: S) => S {
  const reads = new Reads();
  return (session) => sessions.readTogether(session, reads);
}

/** A part of a message, as `Part` in types.ts. */
export interface MessagePart {
  /** index of its message */
  message: number;
  /** inside the message */
  path: (string | number)[];
  /** `tool` for what stands in a result */
  role: 'system' | 'user' | 'assistant' | 'tool';
  kind: 'text' | 'call' | 'result' | 'reasoning' | 'media' | 'opaque';
  /** empty for media and what is opaque */
  text: string;
  /** of a call: the tool */
  name?: string;
  callId?: string;
  /** of a result: the index in the list of the call that it answers; -1 if there is none */
  call?: number;
}

/**
 * Reads the parts of messages, in order.
 *
 * @throws {TypeError} they don't have the shape of the format
 */
export const readParts = (messages: object[], format: Format | 'auto'): MessagePart[] =>
  (format === 'auto' ? providers.formatOf(messages) : providers.formatNamed(format)).read(messages);
