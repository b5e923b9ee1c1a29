// What OpenAI adds to texts: the examples of its documentation, with the counts that it gives there.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import test from 'node:test';

const require = createRequire(import.meta.url);
const { measure, perMessage } = require('../../unbundled/tokens/measure.js');
const { mediaTokens } = require('../../unbundled/tokens/media.js');
const { toolSchemas } = require('../../unbundled/tokens/schemas.js');

/** Parts of messages that have nothing but a text. */
const partsOf = (messages) =>
  messages.map(({ role, content }, message) => ({ message, path: ['content'], role, kind: 'text', text: content }));

function total(messages, parts, tokenizer, tools) {
  const measured = measure(messages, parts, 'openai', tokenizer, { schemas: toolSchemas(tools, 'tools') });
  return perMessage(parts, measured).reduce((sum, count) => sum + count, measured.request);
}

// Cookbook, "How to count tokens with tiktoken", section 6. The API counts the same.
const jargon = [
  { role: 'system', content: 'You are a helpful, pattern-following assistant that translates corporate jargon into plain English.' },
  { role: 'system', name: 'example_user', content: 'New synergies will help drive top-line growth.' },
  { role: 'system', name: 'example_assistant', content: 'Things working well together will increase revenue.' },
  {
    role: 'system',
    name: 'example_user',
    content: "Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage.",
  },
  { role: 'system', name: 'example_assistant', content: "Let's talk later when we're less busy about how to do better." },
  { role: 'user', content: "This late pivot means we don't have time to boil the ocean for the client deliverable." },
];
test('messages and names: 124 tokens for gpt-4o, 129 for gpt-4', () => {
  assert.equal(total(jargon, partsOf(jargon), 'o200k_base'), 124);
  assert.equal(total(jargon, partsOf(jargon), 'cl100k_base'), 129);
});

// The same, section 7.
const weather = [
  { role: 'system', content: 'You are a helpful assistant that can answer to questions about the weather.' },
  { role: 'user', content: "What's the weather like in San Francisco?" },
];
const parameters = {
  type: 'object',
  properties: {
    location: { type: 'string', description: 'The city and state, e.g. San Francisco, CA' },
    unit: { type: 'string', description: 'The unit of temperature to return', enum: ['celsius', 'fahrenheit'] },
  },
  required: ['location'],
};
const description = 'Get the current weather in a given location';
test('tools: 101 tokens for gpt-4o, 105 for gpt-4, in whichever shape they are given', () => {
  for (const tool of [
    { type: 'function', function: { name: 'get_current_weather', description, parameters } },
    { type: 'function', name: 'get_current_weather', description, parameters },
    { name: 'get_current_weather', description, input_schema: parameters },
    { name: 'get_current_weather', description, inputSchema: parameters },
    { functionDeclarations: [{ name: 'get_current_weather', description, parameters }] },
  ]) {
    assert.equal(total(weather, partsOf(weather), 'o200k_base', [tool]), 101);
    assert.equal(total(weather, partsOf(weather), 'cl100k_base', [tool]), 105);
  }
});

test('tools: properties of properties are counted, odd schemas are none the worse', () => {
  const nested = {
    type: 'object',
    properties: {
      filter: { type: 'object', properties: { name: { type: 'string' } } },
      tags: { type: 'array', items: { properties: { key: {} } } },
    },
  };
  const flat = { type: 'object', properties: { filter: { type: 'object' }, tags: { type: 'array' } } };
  const count = (schema) => total(weather, partsOf(weather), 'o200k_base', [{ name: 'search', parameters: schema }]);
  assert.ok(count(nested) > count(flat));
  for (const odd of [
    undefined,
    null,
    true,
    {},
    { properties: null },
    { properties: { a: null, b: true, c: { type: ['string', 'null'], enum: [1, null] } } },
  ]) {
    assert.ok(count(odd) > total(weather, partsOf(weather), 'o200k_base'));
  }
  assert.throws(() => toolSchemas([null], 'tools'), new TypeError('tools[0] must be an object, got null'));
});

// "Calculating costs" of the guide to images, for gpt-4o: 85 tokens, and 170 for each tile of 512 pixels.
test('images: the three examples of the guide', () => {
  const image = (width, height, isLowDetail) => mediaTokens([{ size: [width, height], isLowDetail }], 'openai')[0];
  assert.equal(image(1024, 1024, false), 765);
  assert.equal(image(2048, 4096, false), 1105);
  assert.equal(image(4096, 8192, true), 85);
  assert.equal(image(100, 100, false), 255); // one tile; small images are not scaled up
});

test('calls and results count with name, arguments and ids', () => {
  const messages = [
    { role: 'assistant', content: null },
    { role: 'tool', content: '15 degrees' },
  ];
  const call = {
    message: 0,
    path: ['tool_calls', 0, 'function', 'arguments'],
    role: 'assistant',
    kind: 'call',
    text: '{"location":"Paris"}',
    name: 'get_current_weather',
    callId: 'call_abc123',
  };
  const result = { message: 1, path: ['content'], role: 'tool', kind: 'result', text: '15 degrees', callId: 'call_abc123', call: 0 };
  const measured = measure(messages, [call, result], 'openai', 'o200k_base');
  const { countTokens } = require('../../unbundled/index.js');
  const sum = (...texts) => texts.reduce((tokens, text) => tokens + countTokens(text), 0);
  assert.equal(measured.parts[0], 3 + sum(call.text, call.name, call.callId));
  assert.equal(measured.parts[1], sum(result.text));
  assert.deepEqual([...measured.own], [3 + sum('assistant'), 3 + sum('tool', 'call_abc123')]);
  assert.equal(measured.request, 3);
  // A result of two parts has one id.
  const two = measure(messages, [call, result, { ...result, text: 'more' }], 'openai', 'o200k_base');
  assert.deepEqual([...two.own], [...measured.own]);
});
