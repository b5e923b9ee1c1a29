// @ts-check
'use strict';

// Tool schemas as the rows and texts that the engine counts: `src/tokens/measure` knows what each row takes.

const TOOL = 0;
const PROPERTIES = 1;
const PROPERTY = 2;
const ENUM = 3;
const ENUM_VALUE = 4;

/**
 * Adds the rows of tool schemas. Anthropic and Gemini count them as the JSON that they are sent as; see {@link addFunction} for OpenAI.
 *
 * @param {readonly import('../types.d.ts').Tool[]} schemas
 * @param {'openai' | 'anthropic' | 'gemini'} provider
 * @param {(row: number, text?: string) => void} add
 */
function addTools(schemas, provider, add) {
  for (const { name, description, parameters } of schemas) {
    if (provider === 'openai') addFunction(name, description, parameters, add);
    else if (provider === 'anthropic') add(TOOL, JSON.stringify({ name, description, input_schema: parameters }));
    else add(TOOL, JSON.stringify({ name, description, parameters }));
  }
}

/** Adds a function as OpenAI's Cookbook counts it. Its functions are flat; properties of properties count as further properties. */
function addFunction(name, description, parameters, add) {
  add(TOOL, `${name}:${withoutFullStop(description)}`);
  addProperties(parameters, add);
}

function addProperties(schema, add) {
  const properties = Object.entries(schema?.properties ?? {});
  if (properties.length > 0) add(PROPERTIES);
  for (const [name, property] of properties) {
    add(PROPERTY, `${name}:${typeOf(property)}:${withoutFullStop(property?.description)}`);
    if (Array.isArray(property?.enum)) {
      add(ENUM);
      for (const value of property.enum) add(ENUM_VALUE, typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
    }
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

module.exports = { addTools };
