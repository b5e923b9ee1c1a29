// Properties of what `recall` gives, for any conversation, cut in any way, in every format.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import fc from 'fast-check';
import { character } from '../support/characters.mjs';
import { countTokens, fit, prune, recall } from '../../unbundled/index.js';
import { cases } from '../support/seed.mjs';
import { FORMATS, transcript } from '../support/transcripts.mjs';

const { formatNamed } = createRequire(import.meta.url)('../../unbundled/providers/index.js');

const query = fc.oneof(
  fc.constantFrom('src/a.ts', 'npm test', 'path', 'lorem ipsum dolor', '灯台', 'a.ts "path"', '"lorem"', '', '"', '""'),
  fc.lorem({ maxCount: 5 }),
  fc.string({ unit: character }),
);
const cutting = fc.oneof(
  fc.double({ min: 0, max: 0.9, noNaN: true }).map((share) => (messages, format) => {
    const budget = Math.floor(countTokens(messages, { format }) * share);
    return fit(messages, { limit: budget, format }).messages;
  }),
  fc.constant((messages, format) => prune(messages, { format, keep: { recent: 0 } }).messages),
  fc.constant(() => []),
  fc.constant((messages) => messages),
);

/** The texts of messages that a model reads. */
const textsOf = (messages, format) => formatNamed(format).read(messages);

for (const format of FORMATS) {
  test(`passages stand where they say, word for word, and not in what was sent: ${format}`, () => {
    fc.assert(
      fc.property(transcript(format), cutting, query, fc.integer({ min: 1, max: 300 }), (messages, cut, asked, tokens) => {
        const sent = cut(messages, format);
        const options = { format, limit: tokens };
        const found = recall(messages, sent, asked, options);
        assert.deepEqual(recall(messages, sent, asked, options), found, 'deterministic');
        // Parts of the history are told by their order, others are read.
        assert.deepEqual(recall(messages, sent.toReversed(), asked, options), found, 'in any order');
        assert.ok(countTokens(found.text) <= tokens);
        assert.ok(found.tokens <= tokens);
        const history = textsOf(messages, format);
        const kept = textsOf(sent, format).map(({ text }) => text);
        const scores = found.passages.map(({ score }) => score);
        assert.deepEqual(
          scores,
          scores.toSorted((a, b) => b - a),
          'best first',
        );
        const quoted = [...asked.matchAll(/"([^"]+)"/g)].map(([, text]) => text);
        for (const { text, message, role, lines, score, tokens: own } of found.passages) {
          assert.ok(text.length > 0 && score >= 0 && score <= 1);
          assert.equal(own, countTokens(text));
          const parts = history.filter((part) => part.message === message && part.role === role && part.text.includes(text));
          assert.ok(parts.length > 0, 'a passage stands in its message');
          if (lines) {
            const [first, last] = lines;
            assert.equal(last - first, text.split('\n').length - 1);
            const isThere = (part) =>
              part.text
                .split('\n')
                .slice(first - 1, last)
                .join('\n')
                .includes(text);
            assert.ok(parts.some(isThere), 'its lines are those');
          } else assert.ok(!text.includes('\n'));
          assert.ok(!kept.some((one) => one.includes(text)), 'a passage is not in what was sent');
          for (const exact of quoted) assert.ok(text.includes(exact), 'quoted strings stand in it');
          assert.ok(found.text.includes(text));
        }
      }),
      { numRuns: cases(60) },
    );
  });
}

test('half of a surrogate pair is no passage if it was sent, in whatever form', () => {
  const piece = fc.constantFrom('\ud83d', '\ude00', '😀', '\ufffd', 'lock ', '\n');
  const text = fc.array(piece, { minLength: 1, maxLength: 3 }).map((list) => list.join(''));
  const message = fc.record({ role: fc.constantFrom('user', 'assistant'), content: text });
  let found = 0;
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 6 }), fc.nat(), piece, (history, some, asked) => {
      const sent = history.filter((_, index) => (some >> index) % 2 === 1);
      const [first, reversed, within] = [
        sent,
        sent.toReversed(),
        [{ role: 'user', content: sent.map(({ content }) => content).join('b') }],
      ].map((given) => recall(history, given, `"${asked}"`, { format: 'openai-chat' }).passages);
      assert.deepEqual(reversed, first);
      for (const { text } of [...first, ...within]) assert.ok(!sent.some(({ content }) => content.includes(text)));
      found += first.length;
    }),
    { numRuns: cases(500) },
  );
  assert.ok(found > cases(20), `${found} passages`);
});
