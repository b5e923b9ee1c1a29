// @ts-check
'use strict';

/** @import { Foreign } from '../types.d.ts' */

const { isObject } = require('../checks.js');
const { checkNested } = require('../formats/json.js');
const { whatIs } = require('../given.js');
const { formatOf } = require('../formats/index.js');
const { named } = require('../places.js');
const { checkOptions } = require('../options/index.js');
const { Problems } = require('./problems.js');

/**
 * Validators by the name of the format.
 *
 * @type {Record<string, (messages: readonly Foreign[], problems: import('../types.d.ts').Problems) => void>}
 */
const checks = {
  'openai-chat': require('./openai-chat.js').check,
  'openai-responses': require('./openai-responses.js').check,
  'openai-agents': require('./openai-agents.js').check,
  anthropic: require('./anthropic.js').check,
  'ai-sdk-model': require('./ai-sdk-model.js').check,
  'ai-sdk-ui': require('./ai-sdk-ui.js').check,
  gemini: require('./gemini.js').check,
  langchain: require('./langchain.js').check,
  mastra: require('./mastra.js').check,
  message: require('./message.js').check,
};

/**
 * Lists the problems for which the provider would refuse these messages, by position; see `index.d.ts`.
 *
 * @param {readonly Foreign[]} messages
 * @param {unknown} [options]
 */
function validate(messages, options) {
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

module.exports = { validate: named('validate', validate) };
