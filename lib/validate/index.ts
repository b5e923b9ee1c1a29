import { isObject } from '../checks.js';
import { checkNested } from '../formats/json.js';
import { whatIs } from '../given.js';
import { hintsOf } from '../formats/hints.js';
import { addressed, formatNamed, formatOf } from '../formats/index.js';
import { figuresOf } from '../limits/figures.js';
import { modelOf } from '../model-of.js';
import { named } from '../places.js';
import { checkOptions } from '../options/index.js';
import * as openaiChat from './openai-chat.js';
import * as openaiResponses from './openai-responses.js';
import * as openaiAgents from './openai-agents.js';
import * as anthropic from './anthropic.js';
import * as aiSdkModel from './ai-sdk-model.js';
import * as aiSdkUi from './ai-sdk-ui.js';
import * as gemini from './gemini.js';
import * as langchain from './langchain.js';
import * as mastra from './mastra.js';
import * as agUi from './ag-ui.js';
import * as message from './message.js';
import { checkLimits } from './limits.js';
import { Problems } from './problems.js';
import type { Foreign } from '../types.js';
import type { Problem, ValidateOptions } from '../../index.js';

/** Validators by the name of the format. */
const checks: Record<string, (messages: readonly Foreign[], problems: Problems) => void> = {
  'openai-chat': openaiChat.check,
  'openai-responses': openaiResponses.check,
  'openai-agents': openaiAgents.check,
  anthropic: anthropic.check,
  'ai-sdk-model': aiSdkModel.check,
  'ai-sdk-ui': aiSdkUi.check,
  gemini: gemini.check,
  langchain: langchain.check,
  mastra: mastra.check,
  'ag-ui': agUi.check,
  message: message.check,
};

/** Lists the problems for which the provider would refuse these messages, by position; see `index.d.ts`. */
function validate(messages: readonly Foreign[], options?: unknown): Problem[] {
  if (!Array.isArray(messages)) throw new TypeError(`validate(): messages must be an array, got ${whatIs(messages, 'messages')}`);
  const given: ValidateOptions = checkOptions('validate', options);
  const model = modelOf(given, 'validate(): options');
  const named = given.format ?? 'auto';
  // What is wrong with messages of another format is said problem by problem.
  const format = named === 'auto' ? formatOf(messages, named, hintsOf({ provider: model?.provider })) : formatNamed(named);
  const problems = new Problems();
  if (messages.length > 0) check(format.name, messages, problems);
  else if (format.name !== 'message') problems.add('no-messages', [], 'there is no message');
  const figures = figuresOf(format.name, { requestLimits: given.requestLimits }, model);
  if (figures !== undefined) checkLimits(messages, addressed(format, model), figures, problems);
  return problems.sorted();
}

/** Runs the validator of a format, and names the place of a getter that throws. */
function check(format: string, messages: readonly Foreign[], problems: Problems) {
  try {
    checks[format](messages, problems);
  } catch (error) {
    for (const [index, message] of messages.entries()) if (isObject(message)) checkNested(message, () => `messages[${index}]`);
    throw error;
  }
}

const validateNamed = named('validate', validate);
export { validateNamed as validate };
