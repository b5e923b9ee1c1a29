// What a tool gave as an object or an array stays one where programs read it: results of the AI SDK, of Mastra and of Gemini.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fit, prune, restore } from 'palimpsest';
import { IS_WHOLE } from '../support/seed.mjs';

const user = (text) => ({ role: 'user', parts: [{ type: 'text', text }] });
/** A conversation in which a search is run twice, and so are its results; and where its first result stands. */
const FORMS = {
  'ai-sdk-model': (value) => [
    [
      { role: 'user', content: 'Go.' },
      ...['a', 'b'].flatMap((toolCallId) => [
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: 'search', input: { q: 'x' } }] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: 'search', output: { type: 'json', value } }] },
      ]),
      { role: 'user', content: 'So?' },
    ],
    (messages) => messages[2].content[0].output.value,
  ],
  'ai-sdk-ui': (output) => [
    [
      { id: '1', ...user('Go.') },
      ...['a', 'b'].map((toolCallId) => ({
        id: toolCallId,
        role: 'assistant',
        parts: [{ type: 'tool-search', toolCallId, state: 'output-available', input: { q: 'x' }, output }],
      })),
      { id: '2', ...user('So?') },
    ],
    (messages) => messages[1].parts[0].output,
  ],
  mastra: (result) => [
    ['Go.', 'a', 'b', 'So?'].map((what, index) => ({
      id: what,
      createdAt: new Date(0).toISOString(),
      role: index % 3 === 0 ? 'user' : 'assistant',
      content: {
        format: 2,
        parts:
          index % 3 === 0
            ? user(what).parts
            : [
                {
                  type: 'tool-invocation',
                  toolInvocation: { state: 'result', toolCallId: what, toolName: 'search', args: { q: 'x' }, result },
                },
              ],
      },
    })),
    (messages) => messages[1].content.parts[0].toolInvocation.result,
  ],
};

const shapeOf = (value) => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);
const prose = fc.integer({ min: 1, max: 400 }).map((count) => `what worker ${count} found of it `.repeat(count));
const value = fc.oneof(
  prose,
  fc.array(prose, { minLength: 1 }),
  fc.array(fc.dictionary(fc.constantFrom('rows', 'total', 'error', 'output'), prose), { minLength: 1 }),
  fc.dictionary(fc.constantFrom('rows', 'total', 'error', 'output'), fc.oneof(prose, fc.array(prose)), { minKeys: 1 }),
  fc.array(fc.jsonValue(), { minLength: 100, maxLength: 200 }),
);

for (const [format, form] of Object.entries(FORMS)) {
  describe(format, () => {
    test('a result keeps its shape, whatever goes of it, and comes back', () => {
      let edited = 0;
      const ways = fc.constantFrom(
        (messages) => prune(messages, { format, keep: { recent: 0 } }),
        (messages) => fit(messages, { format, limit: 500, tokenizer: 'estimate' }),
        (messages) => fit(messages, { format, limit: 150, tokenizer: 'estimate' }),
      );
      fc.assert(
        fc.property(value, ways, (given, way) => {
          const [messages, resultOf] = form(given);
          const cut = way(messages);
          if (cut.messages.length === messages.length) {
            assert.equal(shapeOf(resultOf(cut.messages)), shapeOf(given));
            if (JSON.stringify(resultOf(cut.messages)) !== JSON.stringify(given)) edited++;
          }
          assert.deepEqual(restore(cut.messages, cut.originals).messages, messages);
          assert.deepEqual(prune(cut.messages, { format, keep: { recent: 0 } }).report.messages.after, cut.messages.length);
        }),
      );
      if (IS_WHOLE) assert.ok(edited > 5, `${edited} results were cut`);
    });
  });
}
