import { isObject } from '../checks.js';
import { checkNested } from '../formats/json.js';
import { whatIs } from '../given.js';
import { formatOf } from '../formats/index.js';
import { named } from '../places.js';
import { checkOptions } from '../options/index.js';
import { Problems } from './problems.js';
import type { Foreign } from '../types.js';

/** Validators by the name of the format. */
const checks: Record<string, (messages: readonly Foreign[], problems: import('../types.js').Problems) => void> = {
  'openai-chat': (require('./openai-chat.js') as typeof import('./openai-chat.js')).check,
  'openai-responses': (require('./openai-responses.js') as typeof import('./openai-responses.js')).check,
  'openai-agents': (require('./openai-agents.js') as typeof import('./openai-agents.js')).check,
  anthropic: (require('./anthropic.js') as typeof import('./anthropic.js')).check,
  'ai-sdk-model': (require('./ai-sdk-model.js') as typeof import('./ai-sdk-model.js')).check,
  'ai-sdk-ui': (require('./ai-sdk-ui.js') as typeof import('./ai-sdk-ui.js')).check,
  gemini: (require('./gemini.js') as typeof import('./gemini.js')).check,
  langchain: (require('./langchain.js') as typeof import('./langchain.js')).check,
  mastra: (require('./mastra.js') as typeof import('./mastra.js')).check,
  message: (require('./message.js') as typeof import('./message.js')).check,
};

/** Lists the problems for which the provider would refuse these messages, by position; see `index.d.ts`. */
function validate(messages: readonly Foreign[], options?: unknown) {
  if (!Array.isArray(messages)) throw new TypeError(`validate(): messages must be an array, got ${whatIs(messages, 'messages')}`);
  const { format: name } = checkOptions('validate', options);
  const format = formatOf(messages, name ?? 'auto').name;
  const problems = new Problems();
  if (messages.length > 0) check(format, messages, problems);
  else if (format !== 'message') problems.add('no-messages', [], 'there is no message');
  return problems.sorted();
}

/** Runs the validator of a format, and names the place of a getter that throws. */
function check(format, messages, problems) {
  try {
    checks[format](messages, problems);
  } catch (error) {
    for (const [index, message] of messages.entries()) if (isObject(message)) checkNested(message, () => `messages[${index}]`);
    throw error;
  }
}

const validateNamed = named('validate', validate);
export { validateNamed as validate };
