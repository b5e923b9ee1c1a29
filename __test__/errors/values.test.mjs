// Values that JSON can't contain, and arguments that are no JSON: an error names their place, or they are fitted like any other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTokens, fit, prune, restore, validate } from 'palimpsest';
import { conversations } from './exports.mjs';

const withInput = (input) => {
  const messages = conversations.anthropic();
  messages[1].content[1].input = input;
  return messages;
};
const nested = (levels) => {
  let value = {};
  for (let level = 1; level < levels; level++) value = { a: value };
  return value;
};
const uses = {
  fit: (messages, format) => fit(messages, { format, limit: 120 }),
  prune: (messages, format) => prune(messages, { format, keep: { recent: 0 } }),
  countTokens: (messages, format) => countTokens(messages, { format }),
};

test('values that JSON cannot represent are named with their place', () => {
  const input = {};
  input.self = input;
  const message = { role: 'user', content: 'Hello' };
  message.more = [{ of: message }];
  const shared = { list: [1, 2] };
  for (const [name, use] of Object.entries(uses)) {
    const refuses = (messages, format, what) =>
      assert.throws(() => use(messages, format), { name: 'TypeError', message: `${name}(): ${what}` });
    refuses(withInput(input), 'anthropic', 'messages[1].content[1].input is circular');
    refuses(
      withInput({ list: [{ n: 12n }] }),
      'anthropic',
      'messages[1].content[1].input.list[0].n must be a value that JSON has, got bigint',
    );
    refuses(withInput(nested(10_000)), 'anthropic', 'messages[1] is nested more than 1000 levels deep');
    refuses([{ role: 'user', content: 'x' }, message], 'openai-chat', 'messages[1] is circular');
    assert.doesNotThrow(() => use(withInput(nested(900)), 'anthropic'));
    assert.doesNotThrow(() => use(withInput({ a: shared, b: shared, c: { d: shared } }), 'anthropic'));
    const own = new Error('mine');
    const throwing = {
      toJSON() {
        throw own;
      },
    };
    assert.throws(
      () => use(withInput(throwing), 'anthropic'),
      (error) => error === own,
    );
  }
});

test('shared references take time linear in the number of values', () => {
  let value = { end: true };
  for (let level = 0; level < 60; level++) value = { a: value, b: value };
  const messages = [{ role: 'user', content: 'Hello', metadata: value }];
  assert.ok(countTokens(messages, { format: 'openai-chat' }) > 0);
});

test('arguments that are not a JSON object are removed as a whole or stay', () => {
  const long = 'The lantern was moved to the shelf.\n'.repeat(60);
  const wrong = [long, JSON.stringify(long), JSON.stringify([long]), `{"a":"${long}`, '-1.5', '[]', 'null'];
  const places = {
    'openai-chat': (messages, value) => (messages[1].tool_calls[0].function.arguments = value),
    'openai-responses': (messages, value) => (messages[2].arguments = value),
    'openai-agents': (messages, value) => (messages[2].arguments = value),
    'ai-sdk-ui': (messages, value) => (messages[1].parts[2].input = value),
    'ai-sdk-model': (messages, value) => (messages[1].content[1].input = value),
    mastra: (messages, value) => (messages[1].content.parts[1].toolInvocation.args = value),
  };
  for (const [format, put] of Object.entries(places)) {
    for (const value of format.startsWith('openai') ? wrong : [...wrong, -1.5, [long], true]) {
      const messages = conversations[format]();
      put(messages, value);
      const before = JSON.stringify(messages);
      const broken = new Set(validate(messages, { format }).map(({ rule }) => rule));
      for (let budget = 40; budget < countTokens(messages, { format }); budget += 60) {
        const { messages: fitted, originals, tokens } = fit(messages, { format, limit: budget });
        assert.equal(tokens.after, countTokens(fitted, { format }));
        assert.equal(JSON.stringify(restore(fitted, originals).messages), before);
        assert.deepEqual(
          validate(fitted, { format })
            .map(({ rule }) => rule)
            .filter((rule) => !broken.has(rule)),
          [],
        );
      }
      uses.prune(messages, format);
    }
  }
});
