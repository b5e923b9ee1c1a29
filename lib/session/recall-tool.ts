import { isObject, mismatch } from '../checks.js';
import { isNamed, neutralTool } from './tool.js';
import type { AsyncSession, Session } from '../../index.d.ts';
import type { Foreign } from '../types.js';

/** Name of the tool for the model. */
export const NAME = 'recall' as const;
export const DESCRIPTION =
  'Looks up what was cut from this conversation. Give `query`: specific words, names or paths; what stands in double quotes has to occur as it ' +
  'is. Or give `from` and `to`: numbers of messages that a mark such as [… messages 12–17] names.';

/** JSON schema of the tool's arguments. */
const PARAMETERS = Object.freeze({
  type: 'object',
  properties: {
    query: { type: 'string', description: 'Words to look for' },
    from: { type: 'integer', description: 'Number of the first message' },
    to: { type: 'integer', description: 'Number of the last message; default: from' },
  },
  additionalProperties: false,
} as const);

/** Maximum number of tokens of messages that are asked for by their numbers. */
const MESSAGE_TOKENS = 1000;
/** Result where nothing was found. */
export const NOTHING = 'Nothing that was cut matches.';
/** Result where the conversation of a call is not known. */
export const UNKNOWN = 'Nothing can be looked up here.';

const TOOL = {
  name: NAME,
  description: DESCRIPTION,
  parameters: PARAMETERS,
  unknown: UNKNOWN,
  // Messages that changed since they were sent, or arguments that can't be read.
  failed: UNKNOWN,
};

/** Returns whether a tool is the recall tool. */
export const isRecall = (name?: string) => isNamed(NAME, name);

/**
 * Returns the tool in a neutral shape.
 *
 * @param sessionOf returns the session of a call, from what the SDK passes beside the arguments
 */
export const toolFor = (sessionOf: (call: Foreign) => Session | undefined) => neutralTool(TOOL, sessionOf, answer);

const isInteger = (value: unknown): value is number => Number.isInteger(value);

/** Answers a call of the model. What is wrong with its arguments is told to the model. */
function answer(session: Session, input: unknown) {
  if (!isObject(input)) return 'Arguments must be an object with `query`, or with `from` and `to`.';
  const { query, from, to } = input;
  // Some providers' models give all parameters, the absent ones as null.
  const [first, last] = [from ?? to ?? undefined, to ?? from ?? undefined];
  if (first !== undefined && !(isInteger(first) && isInteger(last) && first >= 0 && last >= first))
    return 'Give `from` and `to` as numbers of messages, from 0.';
  const text = typeof query === 'string' && query.trim() !== '' ? query : undefined;
  if (text === undefined && first === undefined) return 'Give a `query`, or `from` and `to`.';
  const range = first === undefined ? {} : { from: first as number, to: last as number, limit: MESSAGE_TOKENS };
  return session.recall(text ?? '', range).text || NOTHING;
}

/**
 * Checks that a value is a session of this package.
 *
 * @throws {TypeError}
 */
export function checkSession(caller: string, given: unknown) {
  const session = given as Partial<Session & AsyncSession> | null | undefined;
  if (typeof session?.recall === 'function' && typeof session.nextAsync === 'function') return;
  throw mismatch(caller, 'a session', session);
}
