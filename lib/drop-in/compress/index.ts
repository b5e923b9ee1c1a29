import { isObject } from '../../checks.js';

/** See `index.d.ts`. */
export function compress(messages: any, options: any = undefined) {
  // A format needs far more files, which nothing else should have to load.
  if (options?.format != null) return (require('./provider.js') as typeof import('./provider.js')).compressProvider(messages, options);
  try {
    return (require('./plain.js') as typeof import('./plain.js')).compressPlain(messages, options);
  } catch (error) {
    throw located(error, messages);
  }
}

/** An error with the place of the getter that threw it, if one did. */
function located(error: unknown, messages: any) {
  if (!Array.isArray(messages)) return error;
  const { checkNested } = require('../../providers/shared/json.js') as typeof import('../../providers/shared/json.js');
  for (const [index, message] of messages.entries()) {
    try {
      if (isObject(message)) checkNested(message, () => `compress(): messages[${index}]`);
    } catch (found: any) {
      // A getter may make its error anew.
      if (error instanceof Error && found.cause?.message === error.message) return found;
    }
  }
  return error;
}
