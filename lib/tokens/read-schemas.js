// @ts-check
'use strict';

const { checkArray, checkObject, checkString, mismatch, stepOf } = require('../checks.js');
const { jsonText } = require('../formats/json.js');
const { jsonSchemaOf } = require('./json-schema.js');

/**
 * Reads tool schemas of any provider or SDK under the same names: OpenAI's (with `function` around them or not), Anthropic's (`input_schema`),
 * Gemini's (`functionDeclarations`), MCP's (`inputSchema`), LangChain's (`schema`) and the AI SDK's, by name. Built-in tools have no schema.
 *
 * @param {NonNullable<unknown>} tools an array, or an object of tools by name
 * @param {string} at what errors call them
 * @returns {import('../types.d.ts').Tool[]}
 * @throws {TypeError} one is no object, or something in it is not what a schema has
 */
function readSchemas(tools, at) {
  if (!Array.isArray(tools)) return Object.entries(tools).map(([name, tool]) => readNamed(name, tool, `${at}${stepOf(name)}`));
  return listed(tools, at, declaredBy).flat();
}

/** @param {(tool: any, at: string) => any} readTool */
function listed(tools, at, readTool) {
  checkArray(at, tools);
  // `from` sees holes too.
  return Array.from(tools, (tool, index) => readTool(tool, `${at}[${index}]`));
}

/** A tool of the AI SDK, whose description may be a function of what only the SDK knows. */
function readNamed(name, tool, at) {
  checkObject(at, tool);
  if (Array.isArray(tool)) throw mismatch(at, 'a tool', tool);
  const { description, inputSchema, parameters } = tool;
  return read({ name, description: typeof description === 'function' ? undefined : description, inputSchema, parameters }, at);
}

function declaredBy(tool, at) {
  checkObject(at, tool);
  if (tool.functionDeclarations != null) return listed(tool.functionDeclarations, `${at}.functionDeclarations`, read);
  // A group of OpenAI's.
  if (tool.type === 'namespace') return [read(tool, at), ...listed(tool.tools, `${at}.tools`, readWrapped)];
  return [readWrapped(tool, at)];
}

/** A tool that may have `function` or `custom` around it. */
function readWrapped(tool, at) {
  checkObject(at, tool);
  const key = ['function', 'custom'].find((name) => tool[name] != null);
  return key === undefined ? read(tool, at) : read(tool[key], `${at}.${key}`);
}

const PARAMETERS = ['parameters', 'parametersJsonSchema', 'input_schema', 'inputSchema', 'format', 'schema'];

function read(schema, at) {
  checkObject(at, schema);
  const { name, type, description } = schema;
  if (name != null) checkString(`${at}.name`, name);
  else if (type != null) checkString(`${at}.type`, type);
  if (description != null) checkString(`${at}.description`, description);
  const key = PARAMETERS.find((one) => schema[one] != null);
  if (key === undefined) return { name: name ?? type ?? '', description };
  const parameters = jsonSchemaOf(schema[key]);
  // JSON Schema also has `true` for whatever there is.
  if (parameters !== true) checkObject(`${at}.${key}`, parameters);
  jsonText(parameters, () => `${at}.${key}`);
  return { name: name ?? type ?? '', description, parameters };
}

module.exports = { readSchemas };
