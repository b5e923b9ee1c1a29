// Counts are remembered by message, and never stale: whatever was changed in place, the count is that of a copy nobody has seen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HumanMessage } from '@langchain/core/messages';
import fc from 'fast-check';

import { countTokens, fit } from 'palimpsest';
import { cases, IS_WHOLE, someOf } from '../support/seed.mjs';
import { dialogue, FORMATS, sayIn } from '../support/transcripts.mjs';

/** A copy of a value whose objects are all new; instances keep their classes. */
function copyOf(value) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(copyOf);
  if (ArrayBuffer.isView(value)) return value.slice();
  const copy = Object.create(Object.getPrototypeOf(value));
  for (const key of Reflect.ownKeys(value)) {
    // Assigning to `__proto__` would change the prototype.
    Object.defineProperty(copy, key, { value: copyOf(value[key]), enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

/** All objects and arrays in messages, each once. */
function containersIn(messages) {
  const found = new Set();
  const visit = (value) => {
    if (value === null || typeof value !== 'object' || found.has(value)) return;
    found.add(value);
    for (const key of Object.keys(value)) visit(value[key]);
  };
  messages.forEach(visit);
  return [...found];
}

/** Returns another text of the same length, which mostly counts differently. */
const rewritten = (text) =>
  Array.from(text, (_, index) => 'q7 Ω'[index % 4])
    .join('')
    .slice(0, text.length);

/** Sets a member, and returns that it did. */
const set = (holder, key, value) => Reflect.set(holder, key, value);

/** Kinds of changes in place; each returns whether it found something to change. */
const CHANGES = {
  'another text': (holder, key) => typeof holder[key] === 'string' && set(holder, key, `${holder[key]} and more of it`),
  'another text of the same length': (holder, key) => {
    const text = holder[key];
    return typeof text === 'string' && text !== rewritten(text) && set(holder, key, rewritten(text));
  },
  'a text for a value': (holder, key) => set(holder, key, 'replaced by a text'),
  'an element more': (holder, key) => Array.isArray(holder[key]) && holder[key].push(...copyOf(holder[key])) > 0,
  'an element less': (holder, key) => Array.isArray(holder[key]) && holder[key].pop() !== undefined,
  'a key more': (holder) => !Array.isArray(holder) && set(holder, 'extra', { nested: 'a text that was not there' }),
  'a key less': (holder, key) => !Array.isArray(holder) && delete holder[key],
  'keys in another order': (holder, key) => {
    if (Array.isArray(holder)) return false;
    const value = holder[key];
    delete holder[key];
    return set(holder, key, value);
  },
  'a number': (holder, key) => typeof holder[key] === 'number' && set(holder, key, holder[key] + 12345.678),
};

/** What counting gives, or the error. */
function outcomeOf(count) {
  try {
    return count();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

for (const format of someOf(FORMATS)) {
  test(`${format}: no change in place gives a stale count`, () => {
    const seen = Object.fromEntries(Object.keys(CHANGES).map((name) => [name, 0]));
    fc.assert(
      fc.property(
        dialogue,
        fc.constantFrom(...Object.keys(CHANGES)),
        fc.nat(),
        fc.nat(),
        fc.constantFrom('o200k_base', 'estimate'),
        (spoken, change, at, place, tokenizer) => {
          const messages = sayIn(format, spoken);
          const options = { format, tokenizer };
          assert.equal(countTokens(messages, options), countTokens(copyOf(messages), options));
          const places = containersIn(messages).flatMap((holder) => Object.keys(holder).map((key) => ({ holder, key })));
          // Most strings of a message are names and ids, so every other change is one of prose.
          const prose =
            place % 2 === 0 ? places.filter(({ holder, key }) => typeof holder[key] === 'string' && holder[key].includes(' ')) : [];
          const { holder, key } = prose.length > 0 ? prose[at % prose.length] : places[at % places.length];
          const before = outcomeOf(() => countTokens(copyOf(messages), options));
          if (!CHANGES[change](holder, key)) return;
          const expected = outcomeOf(() => countTokens(copyOf(messages), options));
          if (expected !== before) seen[change]++;
          assert.equal(
            outcomeOf(() => countTokens(messages, options)),
            expected,
          );
          const fitting = { ...options, limit: 1e6, margin: 0, thinking: 'strip' };
          assert.equal(
            outcomeOf(() => fit(messages, fitting).tokens.after),
            outcomeOf(() => fit(copyOf(messages), fitting).tokens.after),
          );
        },
      ),
      { numRuns: cases(400) },
    );
    if (IS_WHOLE)
      for (const change of ['another text', 'another text of the same length', 'a text for a value'])
        assert.ok(seen[change] > cases(3), JSON.stringify(seen));
  });

  test(`${format}: a history that grows is counted as a whole, whatever was counted before`, () => {
    fc.assert(
      fc.property(dialogue, fc.array(fc.nat(), { maxLength: 4 }), (spoken, lengths) => {
        const messages = sayIn(format, spoken);
        for (const length of [...lengths.map((at) => at % (messages.length + 1)), messages.length]) {
          const history = messages.slice(0, length);
          const expected = countTokens(copyOf(history), { format });
          assert.equal(countTokens(history, { format }), expected);
          assert.equal(countTokens(history.toReversed(), { format }), countTokens(copyOf(history).toReversed(), { format }));
          assert.equal(fit(history, { format, margin: 0, limit: expected, thinking: 'leave' }).tokens.before, expected);
        }
      }),
      { numRuns: cases(100) },
    );
  });
}

test('one object is counted by each format and tokenizer, and in two places', () => {
  const message = { role: 'user', content: 'One text for all of them, and 灯台守 too.' };
  for (let round = 0; round < 2; round++) {
    for (const format of ['openai-chat', 'anthropic', 'openai-responses', 'ai-sdk-model']) {
      for (const tokenizer of ['o200k_base', 'cl100k_base', 'estimate']) {
        const options = { format, tokenizer };
        assert.equal(countTokens([message], options), countTokens([{ ...message }], options));
        assert.equal(countTokens([message, message], options), countTokens([{ ...message }, { ...message }], options));
      }
    }
  }
});

test('bytes, getters, proxies and classes: a change that no snapshot shows is seen as well', () => {
  const size = (edge) =>
    Object.assign(new Uint8Array(24), [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, edge, 0, 0, 0, edge, 0]);
  const image = { role: 'user', content: [{ type: 'image', image: size(1) }] };
  const small = countTokens([image], { format: 'ai-sdk-model' });
  image.content[0].image.set(size(4));
  assert.ok(countTokens([image], { format: 'ai-sdk-model' }) > small);

  let text = 'short';
  const changing = {
    role: 'user',
    get content() {
      return text;
    },
  };
  const viaClass = new (class Sent {
    role = 'user';
    get content() {
      return text;
    }
  })();
  const hidden = Object.defineProperty({ role: 'user' }, 'content', { get: () => text });
  const proxied = new Proxy({ role: 'user', content: '' }, { get: (target, key) => (key === 'content' ? text : target[key]) });
  const chat = {
    _getType: () => 'human',
    get content() {
      return text;
    },
  };
  const duck = new (class Said {
    getType() {
      return 'human';
    }
    get content() {
      return text;
    }
  })();
  for (const [message, format] of [
    [changing, 'openai-chat'],
    [viaClass, 'openai-chat'],
    [hidden, 'openai-chat'],
    [proxied, 'openai-chat'],
    [chat, 'langchain'],
    [duck, 'langchain'],
  ]) {
    text = 'short';
    const before = countTokens([message], { format });
    text = 'a text that is a good deal longer than the one before';
    assert.equal(countTokens([message], { format }), before - countTokens('short') + countTokens(text));
  }
  const human = new HumanMessage('short');
  const before = countTokens([human]);
  human.content = text;
  assert.equal(countTokens([human]), before - countTokens('short') + countTokens(text));
});

test('a message that becomes circular or too deep is an error that names its place in the whole history', () => {
  const messages = Array.from({ length: 3 }, (_, index) => ({
    role: 'user',
    parts: [{ functionCall: { name: `f${index}`, args: { a: {} } } }],
  }));
  countTokens(messages, { format: 'gemini' });
  messages[2].parts[0].functionCall.args.a.self = messages[2];
  for (const act of [countTokens, (list, options) => fit(list, { ...options, limit: 1e5, thinking: 'strip' })]) {
    assert.throws(() => act(messages, { format: 'gemini' }), {
      name: 'TypeError',
      message: /^(?:countTokens|fit)\(\): messages\[2\].* is circular$/,
    });
  }
  const wide = { role: 'user', content: 'x', metadata: {} };
  // Few objects, but as many paths to them as there are grains on a chessboard.
  for (let level = 0, at = wide.metadata; level < 40; level++) at = at.left = at.right = {};
  assert.ok(countTokens([wide], { format: 'openai-chat' }) > 0);
});

test('marks that are put into a message that was seen are named all the same', () => {
  const [plain, cut] = ['nothing is missing here', 'line 0 says 0\n[… 19 more like this]\n[… 14 messages]'];
  const messages = [{ role: 'user', content: plain }];
  for (const [content, missing] of [
    [plain, []],
    [plain, []],
    [cut, ['messages[0]']],
    [cut, ['messages[0]']],
    [plain, []],
  ]) {
    messages[0].content = content;
    assert.deepEqual(fit(messages, { limit: 1e5, format: 'openai-chat' }).missing, missing);
  }
});
