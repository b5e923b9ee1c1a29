// The format that is found never changes within a conversation: what stands beside the messages tells it where they can't.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { SystemMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import fc from 'fast-check';

import { countTokens, createSession, fit, prune } from '../../unbundled/index.js';
import { CORPORA } from '../support/corpus.mjs';
import { cases } from '../support/seed.mjs';
import { FORMATS, transcript } from '../support/transcripts.mjs';

const { hintsOf } = createRequire(import.meta.url)('../../unbundled/providers/hints.js');
const { formatOf } = createRequire(import.meta.url)('../../unbundled/providers/index.js');

const parameters = { type: 'object', properties: { command: { type: 'string' } } };
const [name, description] = ['Bash', 'Runs a command'];
/** The tools of a request, as each provider and SDK takes them. */
const TOOLS = {
  'openai-chat': [[{ type: 'function', function: { name, description, parameters } }], [{ type: 'custom', custom: { name, description } }]],
  'openai-responses': [
    [{ type: 'function', name, description, parameters, strict: true }],
    [{ type: 'web_search' }],
    [{ type: 'custom', name, description }],
  ],
  'openai-agents': [
    [{ type: 'function', name, description, parameters, strict: true, invoke: () => '' }],
    [{ type: 'hosted_tool', name: 'web_search', providerData: { type: 'web_search' } }],
  ],
  anthropic: [
    [{ name, description, input_schema: parameters }],
    [{ type: 'bash_20250124', name: 'bash' }],
    [{ type: 'mcp_toolset', mcp_server_name: 'x' }],
  ],
  gemini: [[{ functionDeclarations: [{ name, description, parameters }] }], [{ googleSearch: {} }]],
  'ai-sdk-model': [{ Bash: { description, inputSchema: {} } }, [{ type: 'function', name, description, inputSchema: parameters }]],
  'ai-sdk-ui': [{ Bash: { description, inputSchema: {} } }],
  langchain: [[tool(() => '', { name, description, schema: parameters })]],
};
/** Instructions beside the messages, where their shape tells whose they are. */
const SYSTEM = {
  'openai-responses': [[{ type: 'input_text', text: 'Be kind.' }]],
  anthropic: [[{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }]],
  gemini: [{ parts: [{ text: 'Be kind.' }] }, { text: 'Be kind.' }],
  'ai-sdk-model': [{ role: 'system', content: 'Be kind.' }, [{ role: 'system', content: 'Be kind.' }]],
  langchain: [new SystemMessage('Be kind.')],
};
const beside = (format) => [
  ...(TOOLS[format] ?? []).flatMap((tools) => [{ tools }, { tools, system: 'Be kind.' }]),
  ...(SYSTEM[format] ?? []).map((system) => ({ system })),
];

/** Asserts that every prefix has the format, whatever stands beside it. */
function assertStable(format, messages) {
  for (const request of beside(format)) {
    const hints = hintsOf(request);
    for (let length = messages.length; length > 0; length--) {
      const found = formatOf(messages.slice(0, length), 'auto', hints).name;
      assert.equal(found, format, `${length} of ${messages.length}, ${JSON.stringify(request)}`);
    }
  }
}

for (const format of FORMATS) {
  test(`${format}: every prefix of a conversation has its format`, () => {
    fc.assert(
      fc.property(transcript(format), (messages) => assertStable(format, messages)),
      { numRuns: cases(150) },
    );
  });
}

for (const { corpus, native, skip } of CORPORA)
  test(corpus, { skip }, () => {
    for (const { format, messages } of native()) assertStable(format, messages.slice(0, 40));
  });

test('texts alone: the tools decide, the system prompt, and otherwise OpenAI', () => {
  const messages = [{ role: 'user', content: 'Hello' }];
  for (const format of ['openai-chat', 'openai-responses', 'openai-agents', 'anthropic', 'ai-sdk-model']) {
    for (const request of beside(format)) assert.equal(formatOf(messages, 'auto', hintsOf(request)).name, format, JSON.stringify(request));
  }
  for (const request of [{}, { tools: [] }, { tools: [null, 1, 'x', {}] }, { tools: 'x', system: [null, 'x', {}] }, { system: 'x' }]) {
    assert.equal(formatOf(messages, 'auto', hintsOf(request)).name, 'openai-chat');
  }
});

test("what doesn't fit the messages is not taken", () => {
  const messages = [{ role: 'user', parts: [{ text: 'Hello' }] }];
  assert.equal(formatOf(messages, 'auto', hintsOf({ tools: TOOLS.anthropic[0] })).name, 'gemini');
});

test('a first turn is counted as all of its conversation, and results say the format', () => {
  const [first] = [{ role: 'user', content: 'Hello' }];
  const request = { tools: TOOLS.anthropic[0], system: [{ type: 'text', text: 'Be kind.' }] };
  assert.equal(countTokens([first], request), countTokens([first], { ...request, format: 'anthropic' }));
  assert.equal(fit([first], { ...request, limit: 1000 }).format, 'anthropic');
  assert.equal(fit([first], { ...request, limit: 1 }).format, 'anthropic');
  assert.equal(createSession({ ...request, limit: 1000 }).next([first]).report.format, 'anthropic');
  assert.equal(fit([first], { limit: 1000 }).format, 'openai-chat');
  assert.equal(prune([first]).format, 'openai-chat');
  assert.equal(prune([first], { format: 'anthropic' }).format, 'anthropic');
});
