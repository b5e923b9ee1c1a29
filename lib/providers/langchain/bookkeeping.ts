// What the converters of LangChain's models don't read of a message. In its JSON the members stand in `kwargs`.
import { recognises } from './recognise.js';
import type { Unsent } from '../provider.js';

const isOwn: Unsent = (_: unknown, message: object) => recognises(message) === 'yes' || 'additional_kwargs' in message;

/** `ChatOpenAI` sends the ids of items of the Responses API. */
export const id: Unsent = (value: unknown, message: object) =>
  isOwn(value, message) && !(typeof value === 'string' && /^(?:msg|fc)_/.test(value));

/** What the constructor was given: the models read the members themselves. */
export const lc_kwargs = isOwn;

/** The items of an answer go back to the Responses API as they came, and the version of the output says how its content is read. */
export const response_metadata: Unsent = (value: { output?: unknown; output_version?: unknown } | null | undefined, message: object) =>
  isOwn(value, message) && value?.output === undefined && value?.output_version === undefined;

export const usage_metadata = isOwn;
