// @ts-check
// What the commands over one conversation share.
import { Misuse, Problem } from '../errors.mjs';

/** @typedef {import('./index.mjs').Option} Option */
/** @typedef {import('../input.mjs').Input} Input */

/** Formats of messages, as the library names them. */
const FORMATS = [
  'openai-chat',
  'openai-responses',
  'openai-agents',
  'anthropic',
  'ai-sdk-model',
  'ai-sdk-ui',
  'gemini',
  'langchain',
  'mastra',
  'message',
];

/** @type {Option} */
export const FORMAT = {
  type: 'string',
  value: 'NAME',
  choices: FORMATS,
  text: `format of the messages: ${FORMATS.join(', ')}. Default: detected`,
};
/** @type {Option} */
export const MODEL = { type: 'string', value: 'NAME', text: 'model, such as gpt-5.5 or claude-opus-5, which gives the tokenizer' };
/** @type {Option} */
export const SESSION = { type: 'string', value: 'ID', text: 'session of a file with several' };

/** The library, loaded when a command runs: the help needs none. @returns {Promise<typeof import('palimpsest')>} */
export const library = () => import('palimpsest');

/** Where errors of the library name an option, the command line has another name. */
const OPTION_NAMES = /** @type {const} */ ([
  [/options\.budget\b/g, '--budget'],
  [/options\.tokenBudget\b/g, '--budget'],
  [/options\.format\b/g, '--format'],
  [/options\.model\b/g, '--model'],
]);

/**
 * Runs a function of the library. Its errors about the messages are problems with the data, those about options a wrong use.
 *
 * @template T
 * @param {Pick<Input, 'name'>} input
 * @param {() => T} work
 * @returns {T}
 */
export function checked(input, work) {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    let message = error.message.split('\n', 1)[0].replace(/^\w+\(\): /, '');
    const isOption = /\boptions\b/.test(message) && !/^messages\b/.test(message);
    for (const [pattern, name] of OPTION_NAMES) message = message.replace(pattern, name);
    throw isOption ? new Misuse(message) : new Problem(`${input.name}: ${message}`);
  }
}

/** Where a request has instructions, by the key of its messages. */
const INSTRUCTIONS = { messages: ['system'], input: ['instructions'], contents: ['systemInstruction', 'system_instruction'] };

/**
 * Returns the messages of an input, and what counts beside them.
 *
 * @param {Input} input
 * @param {string} [given] format of the command line
 */
export function requestParts({ messages, object, key, transcript, format }, given) {
  const system = object && key ? INSTRUCTIONS[key].map((name) => object[name]).find((value) => value !== undefined) : transcript?.system;
  return {
    messages,
    format: /** @type {any} */ (given ?? format ?? 'auto'),
    options: /** @type {any} */ ({ ...(system !== undefined && { system }), ...(object?.tools && { tools: object.tools }) }),
  };
}
