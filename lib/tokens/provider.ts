import type { Format, Provider } from '../types.js';

/** The provider by whose rules messages are counted: that of the format or of the model, and OpenAI where neither says one. */
export const providerOf = ({ vendor, rules }: Format): Provider => vendor ?? rules ?? 'openai';
