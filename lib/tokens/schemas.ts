import { checkArray, checkObject, checkString, mismatch, stepOf } from '../checks.js';
import { jsonText } from '../providers/shared/json.js';
import { jsonSchemaOf } from './json-schema.js';
import type { Tool } from '../types.js';

/**
 * Reads tool schemas of any provider or SDK under the same names: OpenAI's (with `function` around them or not), Anthropic's (`input_schema`),
 * Gemini's (`functionDeclarations`), MCP's (`inputSchema`), LangChain's (`schema`) and the AI SDK's, by name. Built-in tools have no schema.
 *
 * @param tools an array, or an object of tools by name
 * @param at what errors call them
 * @returns none where no tools are given
 * @throws {TypeError} one is no object, or something in it is not what a schema has
 */
export function toolSchemas(tools: unknown, at: string): Tool[] {
  if (tools === undefined || tools === null) return [];
  if (!Array.isArray(tools)) return Object.entries(tools).map(([name, tool]) => readNamed(name, tool, `${at}${stepOf(name)}`));
  return listed(tools, at, declaredBy).flat();
}

function listed<T>(tools: unknown, at: string, readTool: (tool: unknown, at: string) => T) {
  checkArray(at, tools);
  // `from` sees holes too.
  return Array.from(tools, (tool, index) => readTool(tool, `${at}[${index}]`));
}

/** A tool of the AI SDK, whose description may be a function of what only the SDK knows. */
function readNamed(name: string, tool: unknown, at: string) {
  checkObject(at, tool);
  if (Array.isArray(tool)) throw mismatch(at, 'a tool', tool);
  const { description, inputSchema, parameters, providerOptions } = tool;
  const told = typeof description === 'function' ? undefined : description;
  return read({ name, description: told, inputSchema, parameters, providerOptions }, at);
}

function declaredBy(tool: unknown, at: string) {
  checkObject(at, tool);
  const key = ['functionDeclarations', 'function_declarations'].find((name) => tool[name] != null);
  if (key !== undefined) return listed(tool[key], `${at}.${key}`, read);
  // A group of OpenAI's.
  if (tool.type === 'namespace') {
    // Of its deferred tools the model sees nothing until a search gave them; they stand in its output then.
    const own = listed(tool.tools, `${at}.tools`, readWrapped);
    return [read(tool, at), ...own.filter((_, index) => !isDeferred((tool.tools as Declared[])[index]))];
  }
  return [readWrapped(tool, at)];
}

/** A tool that may have `function` or `custom` around it. */
function readWrapped(tool: unknown, at: string) {
  checkObject(at, tool);
  const key = ['function', 'custom'].find((name) => tool[name] != null);
  if (key === undefined) return read(tool, at);
  return read(isDeferred(tool) ? { ...(tool[key] as object), type: key, defer_loading: true } : tool[key], `${at}.${key}`);
}

/** Where a tool says that it is deferred: as a provider has it, as the AI SDK does, or as LangChain does. */
interface Declared {
  defer_loading?: unknown;
  extras?: { defer_loading?: unknown };
  providerOptions?: { anthropic?: { deferLoading?: unknown }; openai?: { deferLoading?: unknown } };
}

/** Whether a tool is sent for a search to find. */
const isDeferred = (tool: Declared | null | undefined) =>
  tool?.defer_loading === true ||
  tool?.extras?.defer_loading === true ||
  tool?.providerOptions?.anthropic?.deferLoading === true ||
  tool?.providerOptions?.openai?.deferLoading === true;

/** Whether a deferred tool is OpenAI's, of which the model sees name and description from the start; of a server its own. */
const LISTED = new Set<unknown>(['function', 'custom', 'mcp']);
const isListed = (tool: { type?: unknown; providerOptions?: { openai?: { deferLoading?: unknown } } }) =>
  LISTED.has(tool.type) || tool.providerOptions?.openai?.deferLoading === true;

/** Whether any of some tools counts nothing before a search found it. */
export const someDeferred = (tools: unknown) =>
  typeof tools === 'object' && tools !== null && Object.values(tools).some((tool) => isDeferred(tool) && !isListed(tool));

/** Types of tools that the caller defines. */
const OWN = new Set(['function', 'custom', 'namespace']);
const PARAMETERS = ['parameters', 'parametersJsonSchema', 'parameters_json_schema', 'input_schema', 'inputSchema', 'format', 'schema'];

function read(schema: unknown, at: string): Tool {
  checkObject(at, schema);
  const type = schema.type as string | null | undefined;
  const name = schema.name ?? schema.server_label;
  const description = schema.description ?? schema.server_description;
  if (name != null) checkString(`${at}.name`, name);
  else if (type != null) checkString(`${at}.type`, type);
  if (description != null) checkString(`${at}.description`, description);
  const key = PARAMETERS.find((one) => schema[one] != null);
  const told: Tool = {
    name: name ?? type ?? '',
    description: description as string,
    ...(isDeferred(schema) && !isListed(schema) ? { isDeferred: true } : {}),
  };
  if (key === undefined) return type == null || OWN.has(type) ? told : { ...told, isHosted: true };
  const parameters: unknown = jsonSchemaOf(schema[key]);
  // JSON Schema also has `true` for whatever there is.
  if (parameters !== true) checkObject(`${at}.${key}`, parameters);
  jsonText(parameters, () => `${at}.${key}`);
  return isDeferred(schema) && isListed(schema) ? told : { ...told, parameters };
}
