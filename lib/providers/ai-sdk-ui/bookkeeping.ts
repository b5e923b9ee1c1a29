import type { Unsent } from '../provider.js';
import type { Fields } from '../shared/shapes.js';

/** The id of a message with parts: neither Gemini nor another provider takes one. */
export const hasParts: Unsent = (_, message: Fields) => Array.isArray(message.parts);

/** The state of a text or of reasoning says whether it streams. That of a call is another matter: what is sent depends on it. */
export const isSaid: Unsent = (_, { type }: Fields) => type === 'text' || type === 'reasoning';
