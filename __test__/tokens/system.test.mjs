// `system`: the instructions that stand beside the messages, in each provider's shape.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import fc from 'fast-check';
import { countTokens, createSession, fit, fitAsync, restore } from '../../unbundled/index.js';
import { cases } from '../support/seed.mjs';
import { sayIn, someText } from '../support/transcripts.mjs';
import { working } from '../prune/working.mjs';
import { expectedCount } from './support.mjs';

const require = createRequire(import.meta.url);
const { measure } = require('../../unbundled/tokens/measure.js');
const { formatNamed } = require('../../unbundled/providers/index.js');
const { providerOf } = require('../../unbundled/tokens/provider.js');
const { systemPrompts } = require('../../unbundled/tokens/system.js');

const [first, second] = [
  'You are a careful engineer. Answer in one sentence.',
  'The repository is 灯台/lighthouse, and <|endoftext|> is no token.',
];
const count = (text, tokenizer = 'o200k_base') => expectedCount(text, tokenizer);
/** [the format, the instructions, their tokens] */
const shapes = {
  'OpenAI chat, Responses and Agents, a string': ['openai-chat', first, 3 + count('system') + count(first)],
  'Agents, a string beside items': ['openai-responses', second, 3 + count('system') + count(second)],
  'Responses, a string': ['openai-responses', first, 3 + count('system') + count(first)],
  'Anthropic, a string': ['anthropic', first, count(first)],
  'Anthropic, blocks': [
    'anthropic',
    [
      { type: 'text', text: first, cache_control: { type: 'ephemeral' } },
      { type: 'text', text: second },
    ],
    count(first) + count(second),
  ],
  'Gemini, a string': ['gemini', second, count(second)],
  'Gemini, a Content': ['gemini', { role: 'system', parts: [{ text: first }, { text: second }] }, count(first) + count(second)],
  'Gemini, a Content without a role': ['gemini', { parts: [{ text: first }] }, count(first)],
  'Gemini, a part': ['gemini', { text: first }, count(first)],
  'Gemini, parts and strings': ['gemini', [{ text: first }, second], count(first) + count(second)],
  'AI SDK, a string': ['ai-sdk-model', first, 3 + count('system') + count(first)],
  'AI SDK, a message': [
    'ai-sdk-model',
    { role: 'system', content: first, providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
    3 + count('system') + count(first),
  ],
  'AI SDK, messages': [
    'ai-sdk-ui',
    [
      { role: 'system', content: first },
      { role: 'system', content: second },
    ],
    2 * (3 + count('system')) + count(first) + count(second),
  ],
  'LangChain, a string in it': ['langchain', new SystemMessage(first), 3 + count('system') + count(first)],
  'LangChain, blocks in it': [
    'langchain',
    new SystemMessage({
      content: [
        { type: 'text', text: first },
        { type: 'text', text: second },
      ],
    }),
    3 + count('system') + count(first) + count(second),
  ],
  'blocks, where a system message is one of all': [
    'openai-chat',
    [
      { type: 'text', text: first },
      { type: 'text', text: second },
    ],
    3 + count('system') + count(first) + count(second),
  ],
  'no blocks': ['anthropic', [], 0],
  'no messages': ['openai-chat', [], 0],
  nothing: ['openai-chat', null, 0],
};
const talks = {
  gemini: [{ role: 'user', parts: [{ text: 'What is it?' }] }],
  langchain: [new HumanMessage('What is it?')],
  'ai-sdk-ui': [{ id: 'a', role: 'user', parts: [{ type: 'text', text: 'What is it?' }] }],
};
const talkIn = (format) => talks[format] ?? [{ role: 'user', content: 'What is it?' }];

for (const [name, [format, system, tokens]] of Object.entries(shapes)) {
  test(`${name}: ${tokens} tokens`, () => {
    const frozen = JSON.stringify(system);
    const messages = talkIn(format);
    const without = countTokens(messages, { format });
    assert.equal(countTokens(messages, { format, system }), without + tokens);
    const prompts = systemPrompts(system, 'system');
    assert.equal(measure([], [], providerOf(formatNamed(format)), 'o200k_base', { prompts }).system, tokens);
    const fitted = fit(messages, { format, system, margin: 0, limit: without + tokens });
    assert.deepEqual(fitted.tokens, { before: without + tokens, after: without + tokens, limit: without + tokens });
    assert.equal(createSession({ format, system, limit: 100_000 }).next(messages).tokens.after, without + tokens);
    const less = fit(messages, { format, system, margin: 0, limit: without + tokens - 1 });
    assert.ok(!less.fits || less.messages[0] !== messages[0], 'a token less is too little for all of it');
    assert.equal(JSON.stringify(system), frozen);
  });
}

test('by the tokenizer that is asked for', () => {
  const messages = talkIn('openai-chat');
  const of = (tokenizer) => countTokens(messages, { tokenizer, system: second }) - countTokens(messages, { tokenizer });
  assert.equal(of('cl100k_base'), 3 + count('system', 'cl100k_base') + count(second, 'cl100k_base'));
  assert.equal(of('estimate'), 3 + Math.ceil('system'.length / 3.5) + Math.ceil(second.length / 3.5));
});

test('beside the messages it takes what it takes among them', () => {
  fc.assert(
    fc.property(fc.array(someText, { maxLength: 3 }), fc.constantFrom('openai-chat', 'ai-sdk-model', 'langchain'), (texts, format) => {
      const system = texts.map((content) => (format === 'langchain' ? new SystemMessage(content) : { role: 'system', content }));
      const messages =
        format === 'langchain'
          ? [new HumanMessage('Hi'), new AIMessage('Hello')]
          : [
              { role: 'user', content: 'Hi' },
              { role: 'assistant', content: 'Hello' },
            ];
      assert.equal(countTokens(messages, { format, system }), countTokens([...system, ...messages], { format }));
    }),
    { numRuns: cases(100) },
  );
});

describe('fit', () => {
  test('leaves it room: the result is within the budget together with it', () => {
    const seen = { fits: 0, cut: 0 };
    fc.assert(
      fc.property(
        working,
        fc.constantFrom('openai-chat', 'anthropic', 'gemini'),
        fc.constantFrom(0.2, 0.5, 0.8),
        (spoken, format, share) => {
          const messages = sayIn(format, spoken);
          const system = format === 'gemini' ? { parts: [{ text: first }] } : first;
          const budget = Math.floor(countTokens(messages, { format, system }) * share);
          const fitted = fit(messages, { format, limit: budget, margin: 0, system });
          assert.equal(fitted.tokens.after, countTokens(fitted.messages, { format, system }));
          assert.equal(fitted.fits, fitted.tokens.after <= budget);
          assert.deepEqual(restore(fitted.messages, fitted.originals).messages, messages);
          if (fitted.fits) seen.fits++;
          if (fitted.tokens.after < fitted.tokens.before) seen.cut++;
        },
      ),
      { numRuns: cases(150) },
    );
    assert.ok(seen.fits > cases(40) && seen.cut > cases(40), JSON.stringify(seen));
  });

  test('beside a counter of the caller it is counted as tools are', () => {
    const messages = [{ role: 'user', content: 'Hi' }];
    const tools = [{ type: 'function', function: { name: 'f', description: 'Does nothing.', parameters: {} } }];
    const before = (options) => fit(messages, { limit: 1000, tokenCounter: () => 50, ...options }).tokens.before;
    assert.equal(before({ system: first }), 50 + 3 + count('system') + count(first));
    assert.equal(before({ system: first, tools }) - before({ tools }), 3 + count('system') + count(first));
    assert.equal(before({ system: undefined }), 50);
  });

  test('with a summarizer too, and changed behind its back nothing changes', async () => {
    const options = { limit: 5, system: [{ type: 'text', text: first }], summarizer: () => 'x' };
    const later = fitAsync([{ role: 'user', content: 'Hi' }], options);
    options.system.push({ type: 'text', text: second });
    options.system = undefined;
    assert.equal((await later).tokens.before, countTokens([{ role: 'user', content: 'Hi' }], { system: [{ type: 'text', text: first }] }));
  });
});

describe('what is no instructions is named', () => {
  const wrong = [
    [5, ' must be a string, a block with a text or a system message, got number'],
    [true, ' must be a string, a block with a text or a system message, got boolean'],
    [() => first, ' must be a string, a block with a text or a system message, got function'],
    [{}, ' must be a string, a block with a text or a system message, got object'],
    [Promise.resolve(first), ' must be a string, a block with a text or a system message, got promise'],
    [[first, null], '[1] must be a string, a block with a text or a system message, got null'],
    [new Array(1), '[0] must be a string, a block with a text or a system message, got undefined'],
    [[[first]], '[0] must be a string, a block with a text or a system message, got array'],
    [[{ type: 'image', source: {} }], "[0].type must be 'text', got 'image'"],
    [[{ type: 'text', text: 5 }], '[0].text must be a string, got number'],
    [{ role: 'user', content: first }, ".role must be 'system' or 'developer', got 'user'"],
    [{ content: first }, ".role must be 'system' or 'developer', got undefined"],
    [{ role: 'system', content: 5 }, '.content must be an array of texts or a string, got number'],
    [{ role: 'system', content: [{ type: 'text' }] }, '.content[0].text must be a string, got undefined'],
    [{ parts: first }, '.parts must be an array, got string'],
    [{ parts: [{ inlineData: {} }] }, '.parts[0] must be a string, a block with a text or a system message, got object'],
    [new HumanMessage(first), " must be a system message, got one of type 'human'"],
    [[new SystemMessage(first), new AIMessage(first)], "[1] must be a system message, got one of type 'ai'"],
  ];
  for (const [system, message] of wrong) {
    test(message, async () => {
      const messages = [{ role: 'user', content: 'Hi' }];
      assert.throws(() => countTokens(messages, { system }), new TypeError(`countTokens(): options.system${message}`));
      assert.throws(() => fit(messages, { system, limit: 100 }), new TypeError(`fit(): options.system${message}`));
      assert.throws(() => createSession({ system, limit: 100 }), new TypeError(`createSession(): options.system${message}`));
      await assert.rejects(
        fitAsync(messages, { system, limit: 100, summarizer: () => 'x' }),
        new TypeError(`fitAsync(): options.system${message}`),
      );
    });
  }

  test('a text has none beside it', () => {
    assert.throws(() => countTokens('Hi', { system: first }), new TypeError('countTokens(): options.system needs messages, got string'));
    assert.equal(countTokens('Hi', { system: null }), count('Hi'));
  });
});
