import { isObject } from '../../checks.js';
import type { compressProvider } from './provider.js';

/** See `index.d.ts`. */
export function compress(messages: unknown, options: Parameters<typeof compressProvider>[1] | null | undefined = undefined) {
  // A format needs far more files, which nothing else should have to load.
  if (options?.format != null) return (require('./provider.js') as typeof import('./provider.js')).compressProvider(messages, options);
  try {
    return (require('./plain.js') as typeof import('./plain.js')).compressPlain(messages, options);
  } catch (error) {
    throw located(error, messages);
  }
}

/** An error with the place of the getter that threw it, if one did. */
function located(error: unknown, messages: unknown) {
  if (!Array.isArray(messages)) return error;
  const { checkNested } = require('../../providers/shared/json.js') as typeof import('../../providers/shared/json.js');
  for (const [index, message] of (messages as unknown[]).entries()) {
    try {
      if (isObject(message)) checkNested(message, () => `compress(): messages[${index}]`);
    } catch (found) {
      // A getter may make its error anew.
      const { cause } = found as { cause?: Partial<Error> };
      if (error instanceof Error && cause?.message === error.message) return found;
    }
  }
  return error;
}
