// @ts-check
'use strict';

// Tool schemas as the rows and texts that the engine counts: `crates/tokens/src/measure` knows what each row takes.

const { EXTRA } = require('../generated/layout.js');

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
    else if (provider === 'anthropic') add(EXTRA.tool, JSON.stringify({ name, description, input_schema: parameters }));
    else add(EXTRA.tool, JSON.stringify({ name, description, parameters }));
  }
}

/** Adds a function as OpenAI's Cookbook counts it. Its functions are flat; properties of properties count as further properties. */
function addFunction(name, description, parameters, add) {
  add(EXTRA.tool, `${name}:${withoutFullStop(description)}`);
  addProperties(parameters, add);
}

function addProperties(schema, add) {
  const properties = Object.entries(schema?.properties ?? {});
  if (properties.length > 0) add(EXTRA.properties);
  for (const [name, property] of properties) {
    add(EXTRA.property, `${name}:${typeOf(property)}:${withoutFullStop(property?.description)}`);
    if (Array.isArray(property?.enum)) {
      add(EXTRA.enum);
      for (const value of property.enum) add(EXTRA.enumValue, typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
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
