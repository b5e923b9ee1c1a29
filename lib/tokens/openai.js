'use strict';

/**
 * What OpenAI adds to the texts of a request.
 *
 * Messages, names and tools: OpenAI Cookbook, "How to count tokens with tiktoken" (`num_tokens_from_messages` and
 * `num_tokens_for_tools`), https://developers.openai.com/cookbook/examples/how_to_count_tokens_with_tiktoken
 * Images: https://developers.openai.com/api/docs/guides/images-vision, "Calculating costs", for the gpt-4o family.
 * Calls in the history are not documented: they are counted as the Cookbook counts a message, which all of them are to the
 * model, plus name, arguments and id.
 */
const openai = {
  /** Every reply is primed with `<|start|>assistant<|message|>`. */
  request: 3,
  /** `<|start|>{role}\n{content}<|end|>\n`, without what role and content are themselves. */
  message: 3,
  countsRole: true,
  /** Instructions are a message of the role `system`. */
  systemIsMessage: true,
  name: 1,
  call: 3,
  /** An image of 1024 × 1024 pixels in high detail. */
  unknownMedia: 765,
  image,
  tools,
};

/** Tokens of an image: 85 in low detail; else 170 for each tile of 512 pixels of the scaled image, and 85. */
function image(width, height, detail) {
  if (detail === 'low') return 85;
  const fitted = Math.min(1, 2048 / Math.max(width, height));
  const scale = fitted * Math.min(1, 768 / (Math.min(width, height) * fitted));
  const tiles = (length) => Math.ceil(Math.round(length * scale) / 512);
  return 85 + 170 * tiles(width) * tiles(height);
}

// Tokens before a function, before its properties, before each, before and for each value of an enum, and at the end of the
// list. `functionStart` is 7 for the models of o200k_base and 10 for those of cl100k_base.
const FUNCTION_START = { o200k_base: 7, cl100k_base: 10, estimate: 7 };
const PROPERTIES = 3;
const PROPERTY = 3;
const ENUM = -3;
const ENUM_VALUE = 3;
const TOOLS_END = 12;

/** Counts tool schemas. The Cookbook's functions are flat; properties of properties are counted as further properties. */
function tools(schemas, tokenizer, add) {
  for (const { name, description, parameters } of schemas) {
    add(FUNCTION_START[tokenizer]);
    add(`${name}:${withoutFullStop(description)}`);
    addProperties(parameters, add);
  }
  if (schemas.length > 0) add(TOOLS_END);
}

function addProperties(schema, add) {
  const properties = Object.entries(schema?.properties ?? {});
  if (properties.length > 0) add(PROPERTIES);
  for (const [name, property] of properties) {
    add(PROPERTY);
    if (Array.isArray(property?.enum)) {
      add(ENUM);
      for (const value of property.enum) {
        add(ENUM_VALUE);
        add(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
      }
    }
    add(`${name}:${typeOf(property)}:${withoutFullStop(property?.description)}`);
    addProperties(property, add);
    addProperties(property?.items, add);
  }
}

const typeOf = (property) =>
  [property?.type]
    .flat()
    .filter((type) => typeof type === 'string')
    .join('|');

const withoutFullStop = (text) => (typeof text === 'string' ? text.replace(/\.$/, '') : '');

module.exports = openai;
