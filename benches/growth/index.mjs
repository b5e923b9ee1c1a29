// Every input on which a careless loop takes quadratic time, by what reads it. The benchmark measures how the time grows (rows/growth.mjs);
// a test runs each once.
import { agent } from './agent.mjs';
import { compress } from './compress.mjs';
import { conversation } from './conversation.mjs';
import { fit } from './fit.mjs';
import { optIn } from './opt-in.mjs';
import { recall } from './recall.mjs';
import { tokens } from './tokens.mjs';
import { validate } from './validate.mjs';

/** @type {Record<string, import('./family.mjs').Case[]>} */
export const FAMILIES = { compress, 'opt-in options': optIn, 'flow and clusters': conversation, tokens, fit, recall, agent, validate };
