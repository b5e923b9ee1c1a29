// `tools`: those of providers and of SDKs count as the schemas that are sent.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tool as langchainTool } from '@langchain/core/tools';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { asSchema, jsonSchema, tool, zodSchema } from 'ai';
import { z } from 'zod';
import { z as zod3 } from 'zod/v3';
import { countTokens, createSession, fit } from 'palimpsest';
import { expectedCount } from './support.mjs';

const DESCRIPTION = 'Searches the files of a folder for a pattern, and returns the lines that match.';
const parameters = {
  type: 'object',
  properties: {
    pattern: { type: 'string', description: 'A regular expression, as ripgrep takes it.' },
    limit: { type: 'number', description: 'At most so many lines.' },
    where: { type: 'object', properties: { folder: { type: 'string', description: 'The folder, without a slash at its end.' } } },
  },
  required: ['pattern'],
};
const inZod = (zod) =>
  zod.object({
    pattern: zod.string().describe('A regular expression, as ripgrep takes it.'),
    limit: zod.number().describe('At most so many lines.').optional(),
    where: zod.object({ folder: zod.string().describe('The folder, without a slash at its end.') }),
  });

const talks = {
  'openai-chat': [{ role: 'user', content: 'Where is it?' }],
  anthropic: [{ role: 'user', content: 'Where is it?' }],
  gemini: [{ role: 'user', parts: [{ text: 'Where is it?' }] }],
};
/** The tokens of tools in a request, by each verb that counts them; all of them say the same. */
function tokensOf(tools, format = 'openai-chat') {
  const messages = talks[format];
  const without = countTokens(messages, { format });
  const tokens = countTokens(messages, { format, tools });
  assert.equal(fit(messages, { format, tools, limit: 100_000 }).tokens.before, tokens);
  assert.equal(createSession({ format, tools, limit: 100_000 }).next(messages).tokens.after, tokens);
  assert.equal(fit(messages, { format, tools, limit: tokens - 1 }).tokens.before, tokens);
  const counted = (options) => fit(messages, { format, limit: 100_000, tokenCounter: () => 10, ...options }).tokens.before;
  assert.equal(counted({ tools }) - counted({}) >= tokens - without - 3, true, 'beside a counter of the caller too');
  return tokens - without;
}

describe('one tool in every shape takes the same', () => {
  const shapes = {
    "OpenAI's chat": [{ type: 'function', function: { name: 'search', description: DESCRIPTION, parameters } }],
    "OpenAI's Responses": [{ type: 'function', name: 'search', description: DESCRIPTION, parameters, strict: false }],
    "Anthropic's": [{ name: 'search', description: DESCRIPTION, input_schema: parameters, cache_control: { type: 'ephemeral' } }],
    "Gemini's": [{ functionDeclarations: [{ name: 'search', description: DESCRIPTION, parametersJsonSchema: parameters }] }],
    "MCP's": [{ name: 'search', title: 'Search', description: DESCRIPTION, inputSchema: parameters }],
    "the AI SDK's, by name": { search: { description: DESCRIPTION, inputSchema: jsonSchema(parameters), execute: () => '' } },
    "the AI SDK's tool()": { search: tool({ description: DESCRIPTION, inputSchema: jsonSchema(parameters) }) },
    "the AI SDK's, a schema made when it is needed": { search: { description: DESCRIPTION, inputSchema: () => jsonSchema(parameters) } },
    "the AI SDK's, as version 4 had them": { search: { description: DESCRIPTION, parameters: jsonSchema(parameters) } },
    "LangChain's, by JSON schema": [langchainTool(() => '', { name: 'search', description: DESCRIPTION, schema: parameters })],
  };
  for (const format of Object.keys(talks)) {
    const expected = tokensOf(shapes["OpenAI's chat"], format);
    for (const [name, tools] of Object.entries(shapes))
      test(`${name}, in ${format}`, () => assert.equal(tokensOf(tools, format), expected));
  }
  test('and what it takes is no less than its texts', () => {
    const texts = ['search', DESCRIPTION, ...Object.values(parameters.properties).flatMap(({ description }) => description ?? [])];
    const least = texts.reduce((sum, text) => sum + expectedCount(text, 'o200k_base'), 0);
    for (const format of Object.keys(talks)) assert.ok(tokensOf(shapes["Anthropic's"], format) >= least, format);
  });
});

test('what stands in alternatives, in elements and in definitions counts', () => {
  const said = (text) => ({ type: 'string', description: `${text} as the ledger of the export has it` });
  const inner = { type: 'object', properties: { inner: said('A member') } };
  const schemas = {
    anyOf: { type: 'object', properties: { one: { anyOf: [said('A text'), inner, { type: 'null' }] } } },
    oneOf: { type: 'object', oneOf: [inner, { type: 'object', properties: { other: said('Another') } }] },
    allOf: { type: 'object', properties: { one: { allOf: [said('All')] } } },
    items: {
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'string', enum: ['claimed', 'released'], description: 'A state' } } },
    },
    $defs: {
      type: 'object',
      properties: { row: { $ref: '#/$defs/Row' } },
      $defs: { Row: { ...inner, description: 'A row of the table' } },
    },
    definitions: { type: 'object', properties: { row: { $ref: '#/definitions/Row' } }, definitions: { Row: inner } },
  };
  const textsIn = (value, key) =>
    typeof value === 'string' && (key === 'description' || /^\d+$/.test(key))
      ? [value]
      : Object.entries(Object(value)).flatMap(([name, one]) => (typeof value === 'string' ? [] : textsIn(one, name)));
  for (const [name, schema] of Object.entries(schemas)) {
    const least = textsIn(schema).reduce((sum, text) => sum + expectedCount(text, 'o200k_base'), 0);
    const bare = tokensOf([{ type: 'function', function: { name: 'search', description: DESCRIPTION } }]);
    const told = tokensOf([{ type: 'function', function: { name: 'search', description: DESCRIPTION, parameters: schema } }]);
    assert.ok(told - bare >= least && least > 0, `${name}: ${told - bare} of ${least}`);
  }
});

describe('zod', () => {
  for (const format of Object.keys(talks)) {
    test(`the AI SDK counts as what it sends, in ${format}`, async () => {
      for (const inputSchema of [inZod(z), zodSchema(inZod(z)), zodSchema(inZod(zod3))]) {
        const sent = await asSchema(inputSchema).jsonSchema;
        const told = tokensOf({ search: { description: DESCRIPTION, inputSchema } }, format);
        assert.equal(told, tokensOf([{ name: 'search', description: DESCRIPTION, input_schema: sent }], format));
      }
    });
  }

  test("LangChain's tools count as what it sends to OpenAI", () => {
    const made = langchainTool(() => '', { name: 'search', description: DESCRIPTION, schema: inZod(z) });
    assert.equal(tokensOf([made]), tokensOf([convertToOpenAITool(made)]));
  });

  test('zod 3 is estimated by names and descriptions, within a fifth of what is sent', async () => {
    const inputSchema = inZod(zod3);
    const sent = await asSchema(inputSchema).jsonSchema;
    for (const format of Object.keys(talks)) {
      const [estimate, exact] = [
        { search: { description: DESCRIPTION, inputSchema } },
        { search: { description: DESCRIPTION, inputSchema: sent } },
      ].map((tools) => tokensOf(tools, format) - tokensOf([], format));
      assert.ok(estimate > 0.7 * exact && estimate < 1.2 * exact, `${format}: ${estimate} of ${exact}`);
    }
  });

  test('a schema that has no JSON schema is no fault', () => {
    for (const inputSchema of [
      z.object({ at: z.date() }),
      z.custom(() => true),
      zod3.any(),
      () => Promise.resolve({}),
      () => assert.fail('broken'),
    ])
      assert.ok(tokensOf({ search: { description: DESCRIPTION, inputSchema } }) > 0);
  });
});

describe('other tools', () => {
  test("a group of OpenAI's counts with its tools", () => {
    const inner = [
      { type: 'function', name: 'search', description: DESCRIPTION, parameters },
      { type: 'custom', name: 'patch', description: 'Applies a patch.' },
    ];
    const group = { type: 'namespace', name: 'files', description: 'Tools for files.', tools: inner };
    assert.equal(tokensOf([group]), tokensOf([{ name: 'files', description: 'Tools for files.' }, ...inner]));
  });

  test('built-in tools count by their names', () => {
    for (const builtIn of [{ type: 'bash_20250124', name: 'bash' }, { type: 'web_search' }, { googleSearch: {} }])
      assert.ok(tokensOf([builtIn]) > 0);
    assert.ok(tokensOf({ bash: { type: 'provider', id: 'anthropic.bash_20250124', args: {} } }) > 0);
  });

  test('no tools are nothing', () => {
    for (const none of [[], {}, null, undefined]) assert.equal(tokensOf(none), 0);
  });

  test('a description that only the SDK can make is left out', () => {
    const inputSchema = jsonSchema(parameters);
    assert.equal(tokensOf({ search: { description: () => DESCRIPTION, inputSchema } }), tokensOf({ search: { inputSchema } }));
  });
});

describe('what is no tool is named', () => {
  const at = 'options.tools';
  const circular = { type: 'object' };
  circular.properties = { self: circular };
  const wrong = [
    ['bash', ' must be an array, or an object of tools by name, got string'],
    [5, ' must be an array, or an object of tools by name, got number'],
    [() => [], ' must be an array, or an object of tools by name, got function'],
    [[5], '[0] must be an object, got number'],
    [new Array(1), '[0] must be an object, got undefined'],
    [{ bash: null }, '.bash must be an object, got null'],
    [{ type: 'function', function: { name: 'bash' } }, '.type must be an object, got string'],
    [{ tools: [{ name: 'bash', inputSchema: {} }] }, '.tools must be a tool, got array'],
    [{ bash: { inputSchema: 'x' } }, '.bash.inputSchema must be an object, got string'],
    [{ bash: { description: 5 } }, '.bash.description must be a string, got number'],
    [[{ type: 'namespace', name: 'files', tools: {} }], '[0].tools must be an array, got object'],
    [[{ type: 'namespace', name: 'files', tools: [5] }], '[0].tools[0] must be an object, got number'],
    [[{ name: 'bash', input_schema: circular }], /options\.tools\[0\]\.input_schema\S* is circular$/],
    [{ bash: { inputSchema: jsonSchema(circular) } }, /options\.tools\.bash\.inputSchema is circular$/],
  ];
  for (const [tools, message] of wrong) {
    test(String(message), () => {
      const expected = {
        name: 'TypeError',
        message: typeof message === 'string' ? new RegExp(`${at}${message.replace(/[[\]().]/g, '\\$&')}$`) : message,
      };
      assert.throws(() => countTokens(talks.anthropic, { tools }), expected);
      assert.throws(() => fit(talks.anthropic, { tools, limit: 100 }), expected);
      assert.throws(() => createSession({ tools, limit: 100, format: 'anthropic' }), expected);
    });
  }
});
