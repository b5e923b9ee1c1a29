import { isObject } from '../checks.js';
import { isNamed, neutralTool } from './tool.js';
import type { PinOptions, Session } from '../../index.d.ts';
import type { Foreign } from '../types.js';

/** Name of the tool for the model. */
export const NAME = 'pin' as const;
const DESCRIPTION =
  'Keeps a text in view, word for word, however long this conversation gets: a rule, a decision, an exact value. Give `text`; `label` names it, and a ' +
  'new text with the same label takes its place, an empty one ends it; `until` is the number of your next steps after which it ends.';

/** JSON schema of the tool's arguments. */
const PARAMETERS = Object.freeze({
  type: 'object',
  properties: {
    text: { type: 'string', description: 'Text to keep' },
    label: { type: 'string', description: 'Name of it, a few words' },
    until: { type: 'integer', description: 'Number of steps; default: for good' },
  },
  required: ['text'] as ['text'],
  additionalProperties: false,
} as const);

const TOOL = {
  name: NAME,
  description: DESCRIPTION,
  parameters: PARAMETERS,
  unknown: 'Nothing can be pinned here.',
  failed: 'Give `label` as one line of at most 100 characters, and `until` as a number of steps from 1.',
};

/** Returns whether a tool is this one. */
export const isPin = (name?: string) => isNamed(NAME, name);

/** Pins a text in a session. */
export type Pinning = (session: Session, text: string, options: PinOptions) => void;

/**
 * Returns the tool in a neutral shape.
 *
 * @param sessionOf returns the session of a call, from what the SDK passes beside the arguments
 * @param pin pins a text in it
 */
export const toolFor = (sessionOf: (call: Foreign) => Session | undefined, pin: Pinning = (session, ...given) => session.pin(...given)) =>
  neutralTool(TOOL, sessionOf, (session, input) => answer(session, input, pin));

/** Answers a call of the model. What is wrong with its arguments is told to the model. */
function answer(session: Session, input: unknown, pin: Pinning) {
  if (!isObject(input) || typeof input.text !== 'string') return 'Arguments must be an object with `text`.';
  // Some providers' models give all parameters, the absent ones as null or empty.
  const { text } = input;
  const [label, until] = [input.label === '' ? undefined : input.label, input.until === 0 ? undefined : input.until];
  if (text.trim() === '') {
    if (typeof label !== 'string') return 'Give a `text`, or the `label` of what ends.';
    session.unpin(label);
    return 'Unpinned.';
  }
  pin(session, text, { label: label as string | null, until: until as number | null });
  return 'Pinned.';
}
