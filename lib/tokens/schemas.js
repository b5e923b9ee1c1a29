// @ts-check
'use strict';

const { checkArray, checkObject, checkString } = require('../checks.js');
const { jsonText } = require('../formats/json.js');

/**
 * Tool schemas of any provider under the same names: OpenAI's (with `function` around them or not), Anthropic's
 * (`input_schema`), Gemini's (`functionDeclarations`) and MCP's (`inputSchema`). Built-in tools have no schema.
 *
 * @param {unknown[] | undefined} tools
 * @throws {TypeError} one is no object, or something in it is not what a schema has
 */
function toolSchemas(tools) {
  // `from` sees holes too.
  return Array.from(tools ?? [], declaredBy).flat();
}

function declaredBy(tool, index) {
  const at = `options.tools[${index}]`;
  checkObject(at, tool);
  if (tool.functionDeclarations != null) {
    checkArray(`${at}.functionDeclarations`, tool.functionDeclarations);
    return Array.from(tool.functionDeclarations, (schema, place) => read(schema, `${at}.functionDeclarations[${place}]`));
  }
  const key = ['function', 'custom'].find((name) => tool[name] != null);
  return [key === undefined ? read(tool, at) : read(tool[key], `${at}.${key}`)];
}

const PARAMETERS = ['parameters', 'parametersJsonSchema', 'input_schema', 'inputSchema', 'format'];

function read(schema, at) {
  checkObject(at, schema);
  const { name, type, description } = schema;
  if (name != null) checkString(`${at}.name`, name);
  else if (type != null) checkString(`${at}.type`, type);
  if (description != null) checkString(`${at}.description`, description);
  const key = PARAMETERS.find((one) => schema[one] != null);
  if (key === undefined) return { name: name ?? type ?? '', description };
  // JSON Schema also has `true` for whatever there is.
  if (schema[key] !== true) checkObject(`${at}.${key}`, schema[key]);
  jsonText(schema[key], () => `${at}.${key}`);
  return { name: name ?? type ?? '', description, parameters: schema[key] };
}

module.exports = { toolSchemas };
