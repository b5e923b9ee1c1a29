import { checkFunction } from '../../checks.js';
import { checkOptions } from '../../options/index.js';

/**
 * Checks the arguments of a helper's factory, so that errors are thrown there and not during a later compression.
 *
 * @param factory its name
 */
export function checkArguments(factory: string, callLlm: unknown, options: unknown) {
  checkFunction(`${factory}(): callLlm`, callLlm);
  return checkOptions(factory, options);
}
