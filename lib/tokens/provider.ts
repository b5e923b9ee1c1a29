import type { Format, Provider } from '../types.js';

/** The provider by whose rules messages are counted: that of the format or of the model, and OpenAI where neither says one. */
export const providerOf = ({ name, rules }: Format): Provider => (name === 'anthropic' || name === 'gemini' ? name : (rules ?? 'openai'));
