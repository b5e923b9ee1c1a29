'use strict';

const { describe } = require('../arguments.js');

/**
 * Tool schemas of any provider under the same names: OpenAI's (with `function` around them or not), Anthropic's
 * (`input_schema`), Gemini's (`functionDeclarations`) and MCP's (`inputSchema`). Built-in tools have no schema.
 *
 * @param {unknown[] | undefined} tools
 * @throws {TypeError} one is no object
 */
function toolSchemas(tools) {
  return (tools ?? []).flatMap((tool, index) => {
    if (tool === null || typeof tool !== 'object') {
      throw new TypeError(`options.tools[${index}] must be an object, got ${describe(tool)}`);
    }
    const declared = tool.functionDeclarations ?? [tool.function ?? tool.custom ?? tool];
    return declared.map((schema) => ({
      name: schema.name ?? schema.type ?? '',
      description: schema.description,
      parameters: schema.parameters ?? schema.parametersJsonSchema ?? schema.input_schema ?? schema.inputSchema ?? schema.format,
    }));
  });
}

module.exports = { toolSchemas };
