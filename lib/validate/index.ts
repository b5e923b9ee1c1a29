import { isObject } from '../checks.js';
import { checkNested } from '../providers/shared/json.js';
import { whatIs } from '../given.js';
import { hintsOf } from '../providers/hints.js';
import { addressed, formatNamed, formatOf, providerNamed } from '../providers/index.js';
import { figuresOf } from '../limits/figures.js';
import { modelOf } from '../model-of.js';
import { named } from '../places.js';
import { checkOptions } from '../options/index.js';
import { checkLimits } from './limits.js';
import { Problems } from '../providers/shared/problems.js';
import type { Problem, ValidateOptions } from '../../index.js';

/** Lists the problems for which the provider would refuse these messages, by position; see `index.d.ts`. */
function validate(messages: readonly object[], options?: unknown): Problem[] {
  if (!Array.isArray(messages)) throw new TypeError(`validate(): messages must be an array, got ${whatIs(messages, 'messages')}`);
  const given: ValidateOptions = checkOptions('validate', options);
  const model = modelOf(given, 'validate(): options');
  const named = given.format ?? 'auto';
  if (typeof named !== 'string')
    throw new TypeError("validate(): options.format must be a provider's: what is refused of messages of your own is not known");
  // What is wrong with messages of another format is said problem by problem.
  const format = named === 'auto' ? formatOf(messages, named, hintsOf({ provider: model?.provider })) : formatNamed(named);
  const problems = new Problems();
  if (messages.length > 0) check(format.name, messages, problems, given.model);
  else if (format.name !== 'message') problems.add('no-messages', [], 'there is no message');
  const figures = figuresOf(format, { requestLimits: given.requestLimits }, model);
  if (figures !== undefined) checkLimits(messages, addressed(format, model), figures, problems);
  return problems.sorted();
}

/** Runs the validator of a format, and names the place of a getter that throws. */
function check(format: string, messages: readonly object[], problems: Problems, model: ValidateOptions['model']) {
  try {
    providerNamed(format).rules().check(messages, problems, model);
  } catch (error) {
    for (const [index, message] of messages.entries()) if (isObject(message)) checkNested(message, () => `messages[${index}]`);
    throw error;
  }
}

const validateNamed = named('validate', validate);
export { validateNamed as validate };
