'use strict';

const { describe } = require('../arguments.js');
const { Problems } = require('./problems.js');
const { show } = require('./shapes.js');

const checks = new Map([
  ['openai-chat', require('./openai-chat.js').check],
  ['openai-responses', require('./openai-responses.js').check],
  ['anthropic', require('./anthropic.js').check],
  ['ai-sdk-model', require('./ai-sdk-model.js').check],
  ['ai-sdk-ui', require('./ai-sdk-ui.js').check],
  ['gemini', require('./gemini.js').check],
  ['langchain', require('./langchain.js').check],
  ['message', require('./message.js').check],
]);

function formatOf(messages, options) {
  const format = options?.format ?? 'auto';
  // Required only here: whoever names the format needs no detection.
  if (format === 'auto') return require('../formats/index.js').detect(messages);
  if (checks.has(format)) return format;
  const known = [...checks.keys(), 'auto'].map((name) => `'${name}'`).join(', ');
  throw new TypeError(`validate(): options.format must be one of ${known}, got ${show(format)}`);
}

/** What the provider would refuse in these messages, by position; see `index.d.ts`. */
function validate(messages, options) {
  if (!Array.isArray(messages)) throw new TypeError(`validate(): messages must be an array, got ${describe(messages)}`);
  if (options != null && (typeof options !== 'object' || Array.isArray(options))) {
    throw new TypeError(`validate(): options must be an object, got ${describe(options)}`);
  }
  const format = formatOf(messages, options);
  const problems = new Problems();
  if (messages.length > 0) checks.get(format)(messages, problems);
  else if (format !== 'message') problems.add('no-messages', [], 'there is no message');
  return problems.sorted();
}

module.exports = { validate };
