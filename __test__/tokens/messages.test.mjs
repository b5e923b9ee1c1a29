// countTokens over messages of every format.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import test, { describe } from 'node:test';

import { compress, countTokens } from '../../unbundled/index.js';
import { CORPORA } from '../support/corpus.mjs';
import { expectedCount } from './support.mjs';

const skip = existsSync(new URL('../../unbundled/providers/index.js', import.meta.url)) ? false : 'lib/formats is not here yet';

const sum = (...texts) => texts.reduce((tokens, text) => tokens + expectedCount(text, 'o200k_base'), 0);
const [question, path, file, answer] = [
  'What does src/app.ts do?',
  '{"path":"src/app.ts"}',
  'export const app = 1; // 灯台',
  'It exports one constant.',
];
/** The same exchange: a question, a call, its result, an answer. */
const exchange = {
  'openai-chat': [
    { role: 'user', content: question },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read_file', arguments: path } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: file },
    { role: 'assistant', content: [{ type: 'text', text: answer }] },
  ],
  'openai-responses': [
    { role: 'user', content: [{ type: 'input_text', text: question }] },
    { type: 'function_call', call_id: 'call_1', name: 'read_file', arguments: path },
    { type: 'function_call_output', call_id: 'call_1', output: file },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] },
  ],
  'openai-agents': [
    { role: 'user', content: [{ type: 'input_text', text: question }] },
    { type: 'function_call', callId: 'call_1', name: 'read_file', arguments: path, status: 'completed' },
    { type: 'function_call_result', callId: 'call_1', name: 'read_file', status: 'completed', output: { type: 'text', text: file } },
    { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: answer }], providerData: {} },
  ],
  anthropic: [
    { role: 'user', content: question },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'read_file', input: JSON.parse(path) }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: file }] }] },
    { role: 'assistant', content: [{ type: 'text', text: answer }] },
  ],
  'ai-sdk-model': [
    { role: 'user', content: [{ type: 'text', text: question }] },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'read_file', input: JSON.parse(path) }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'call_1', toolName: 'read_file', output: { type: 'text', value: file } }],
    },
    { role: 'assistant', content: [{ type: 'text', text: answer }] },
  ],
  gemini: [
    { role: 'user', parts: [{ text: question }] },
    { role: 'model', parts: [{ functionCall: { id: 'call_1', name: 'read_file', args: JSON.parse(path) } }] },
    { role: 'user', parts: [{ functionResponse: { id: 'call_1', name: 'read_file', response: { output: file } } }] },
    { role: 'model', parts: [{ text: answer }] },
  ],
};
exchange.message = exchange['openai-chat'].map((message, index) => ({ id: `m${index}`, index, ...message }));
const texts = sum(question, path, 'read_file', 'call_1', file, 'call_1', answer);
const ofOpenai = texts + 3 + 4 * 3 + 3 + sum('user', 'assistant', 'tool', 'assistant');
const expected = {
  'openai-chat': ofOpenai,
  'openai-responses': ofOpenai,
  'openai-agents': ofOpenai,
  message: ofOpenai,
  'ai-sdk-model': ofOpenai,
  anthropic: texts + 1 + 4 * 3 + 3,
  gemini: texts + 0 + 4 * 1 + 3,
};

for (const [format, messages] of Object.entries(exchange)) {
  test(format, { skip }, () => {
    assert.equal(countTokens(messages, { format }), expected[format]);
    assert.equal(countTokens(messages), expected[format], 'found out');
    assert.notEqual(countTokens(messages, { tokenizer: 'estimate' }), expected[format]);
  });
}

test('tools and images are added', { skip }, () => {
  const messages = exchange['openai-chat'];
  const tools = [{ type: 'function', function: { name: 'f', description: 'Does nothing.', parameters: {} } }];
  assert.equal(countTokens(messages, { tools }), ofOpenai + 7 + sum('f:Does nothing') + 12);
  assert.equal(countTokens(messages, { tools: [] }), ofOpenai);
  const image = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.org/a.png', detail: 'low' } }] };
  assert.equal(countTokens([...messages, image]), ofOpenai + 3 + sum('user') + 85);
  const anthropic = { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } }] };
  assert.equal(countTokens([...exchange.anthropic, anthropic]), expected.anthropic + 3 + 1600);
});

test('a name counts once, and one more for OpenAI', { skip }, () => {
  const [first, ...rest] = exchange['openai-chat'];
  assert.equal(countTokens([{ ...first, name: 'dana' }, ...rest]), ofOpenai + 1 + sum('dana'));
});

test('nothing', { skip }, () => assert.equal(countTokens([]), 3));

test('the count of what compress returns is the count it reports', { skip }, () => {
  const messages = Array.from({ length: 12 }, (_, index) => ({
    id: `m${index}`,
    index,
    role: index % 2 ? 'assistant' : 'user',
    name: 'dana',
    content: `Point ${index}. ${'Nothing on the list was urgent, and most of it had been done. '.repeat(6)}`,
  }));
  for (const tokenizer of ['o200k_base', 'cl100k_base', 'estimate']) {
    const result = compress(messages, { tokenizer, tokenBudget: 600 });
    assert.equal(countTokens(result.messages, { tokenizer }), result.tokenCount);
  }
});

for (const { corpus, native, skip: without } of CORPORA)
  describe(corpus, { skip: skip || without }, () => {
    test('OpenAI', () => {
      for (const { messages } of native()
        // Reasoning counts too, by a rule of its own.
        .filter(({ format, messages }) => format === 'openai-chat' && messages.every((message) => !('reasoning_details' in message)))
        .slice(0, 12)) {
        const counted = messages.map(({ role, content, name, tool_call_id: id, tool_calls: calls }) => {
          const ofCalls = (calls ?? []).map((call) => 3 + sum(call.id, call.function.name, call.function.arguments));
          return ofCalls.reduce((a, b) => a + b, 3 + sum(role, content ?? '', id ?? '') + (name === undefined ? 0 : 1 + sum(name)));
        });
        assert.equal(
          countTokens(messages, { format: 'openai-chat' }),
          counted.reduce((a, b) => a + b, 3),
        );
      }
    });
    test('Anthropic: no fewer than its texts, and tokens of each message that add up', () => {
      const empty = countTokens([], { format: 'anthropic' });
      for (const { messages } of native()
        .filter(({ format }) => format === 'anthropic')
        .slice(0, 9)) {
        const total = countTokens(messages, { format: 'anthropic' });
        const each = messages.map((message) => countTokens([structuredClone(message)], { format: 'anthropic' }) - empty);
        assert.equal(
          each.reduce((a, b) => a + b, empty),
          total,
        );
        assert.ok(total > countTokens(messages.slice(0, -1), { format: 'anthropic' }));
      }
    });
  });

test('a long conversation has the tokens of its texts, wherever it is split between threads', () => {
  const lines = ['plain words and (code); ', '灯台守は ', 'a → b ', '\ud800 half ', '== 12 ==\n'];
  const contents = Array.from({ length: 400 }, (_, index) => lines[index % lines.length].repeat(1 + ((index * 37) % 500)));
  contents.push(lines.join('').repeat(9000), '');
  const messages = contents.map((content) => ({ role: 'user', content }));
  for (const tokenizer of ['o200k_base', 'cl100k_base', 'estimate']) {
    const ofText = (content) => countTokens(content, { tokenizer });
    const ofMessage = countTokens([{ role: 'user', content: '' }], { tokenizer }) - countTokens([], { tokenizer });
    const expected = countTokens([], { tokenizer }) + contents.reduce((tokens, content) => tokens + ofMessage + ofText(content), 0);
    assert.equal(countTokens(messages, { tokenizer }), expected, tokenizer);
  }
});
