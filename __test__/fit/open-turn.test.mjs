// With `thinking: 'leave'`, an open turn still begins with its thinking, as models with a fixed budget require: whatever is cut, in every format with
// signed thinking.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createSession, fit, fitRequest, prune } from '../../unbundled/index.js';
import { cases } from '../support/seed.mjs';
import { sayIn } from '../support/transcripts.mjs';

/** Where a format has thinking that is signed. */
const SIGNED = /"signature":"c2ln"/;
const FORMATS = ['openai-chat', 'anthropic', 'ai-sdk-model', 'ai-sdk-ui', 'langchain', 'mastra'];

const words = (count, from) => Array.from({ length: count }, (_, at) => `word${(from * 31 + at * 7) % 97}`).join(' ');

/**
 * Conversations whose last turn is open: it begins with thinking, and later steps think or don't.
 */
const someTurns = fc
  .record({
    earlier: fc.array(fc.array(fc.boolean(), { maxLength: 3 }), { maxLength: 2 }),
    open: fc.array(fc.record({ thinks: fc.boolean(), length: fc.nat({ max: 200 }), says: fc.boolean() }), { minLength: 1, maxLength: 12 }),
  })
  .map(({ earlier, open }) => {
    let count = 0;
    const step = (thinks, length = 40, says = false) => {
      const id = `call_${++count}`;
      const result = { blocks: words(length + 1, count), failed: false };
      return {
        who: 'assistant',
        reasoning: thinks ? { text: words(20, count), signed: true } : null,
        text: says ? words(30, count) : null,
        calls: [{ id, name: 'get_weather', args: { at: count }, result, answered: true }],
        odd: true,
      };
    };
    const user = () => ({ who: 'user', text: words(12, ++count), more: [] });
    const turns = earlier.flatMap((steps) => [
      user(),
      ...steps.map((thinks) => step(thinks)),
      { who: 'assistant', reasoning: null, text: words(20, count), calls: [], odd: false },
    ]);
    turns.push(user(), ...open.map(({ thinks, length, says }, index) => step(index === 0 || thinks, length, says)));
    return { system: null, turns };
  });

/** The JSON of the model's first message, or step of one, behind the user's last words. */
function openingOf(messages, format) {
  const json = messages.map((message) => JSON.stringify(message));
  const isUser = ({ role, content, getType }, index) =>
    (role === 'user' || getType?.call(messages[index]) === 'human') && ![content].flat().some((block) => block?.type === 'tool_result');
  const start = messages.findLastIndex(isUser) + 1;
  const [first] = json.slice(start);
  if (!format.endsWith('-ui') && format !== 'mastra') return first;
  return first.split('"step-start"').find((one) => one.includes('call_'));
}

describe('the step that begins an open turn', () => {
  for (const format of FORMATS) {
    test(`${format}: stays with its thinking`, () => {
      fc.assert(
        fc.property(someTurns, fc.double({ min: 0.05, max: 0.9, noNaN: true }), (spoken, share) => {
          const messages = sayIn(format, spoken);
          assert.match(openingOf(messages, format), SIGNED);
          const { before } = fit(messages, { format, limit: 1e6 }).tokens;
          const options = { format, limit: Math.max(1, Math.round(share * before)), thinking: 'leave' };
          for (const made of [
            fit(messages, options).messages,
            createSession({ ...options, warn: false }).next(messages).messages,
            prune(messages, { format, thinking: 'leave', mode: 'remove', keep: { recent: 0 } }).messages,
          ])
            assert.match(openingOf(made, format), SIGNED);
        }),
        { numRuns: cases(60) },
      );
    });
  }

  test('is left to `fitRequest` by the request, unless an option says something else', () => {
    fc.assert(
      fc.property(someTurns, fc.double({ min: 0.05, max: 0.9, noNaN: true }), (spoken, share) => {
        const messages = sayIn('anthropic', spoken);
        const request = { model: 'claude-haiku-4-5', max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1024 }, messages };
        const { before } = fitRequest(request, { limit: 1e6 }).tokens;
        const limit = Math.max(1, Math.round(share * before));
        const made = fitRequest(request, { limit });
        assert.match(openingOf(made.request.messages, 'anthropic'), SIGNED);
        assert.deepEqual(
          made.messages,
          fit(messages, { format: 'anthropic', limit, model: 'claude-haiku-4-5', thinking: 'leave' }).messages,
        );
        for (const [other, thinking] of [
          [{ ...request, thinking: { type: 'adaptive' } }, undefined],
          [{ ...request, model: 'claude-opus-5-5' }, undefined],
          [request, 'strip'],
        ])
          assert.deepEqual(
            fitRequest(other, { limit, thinking, model: 'claude-haiku-4-5' }).messages,
            fit(messages, { format: 'anthropic', limit, model: 'claude-haiku-4-5' }).messages,
          );
      }),
      { numRuns: cases(30) },
    );
  });
});
