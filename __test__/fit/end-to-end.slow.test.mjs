// `fit` over generated conversations in every format and real ones: within its budget, valid, restored, deterministic.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CORPORA } from '../support/corpus.mjs';
import { countTokens, fit, restore, validate } from 'palimpsest';
import { objectionTo } from '../support/providers/formats.mjs';
import { withProviders } from '../support/providers/server.mjs';
import { cases, IS_WHOLE, someOf } from '../support/seed.mjs';
import { FORMATS, sayIn } from '../support/transcripts.mjs';
import { working } from '../prune/working.mjs';

const viaJson = (value) => JSON.parse(JSON.stringify(value));
/** LangChain's instances are no JSON. */
const stored = (format) => (format === 'langchain' ? (value) => value : viaJson);
const rulesOf = (messages, format) => new Set(validate(messages, { format }).map(({ rule }) => rule));

const options = fc.record({
  margin: fc.constant(0),
  share: fc.constantFrom(0, 0.1, 0.3, 0.5, 0.8, 0.99, 1, 2),
  tokenizer: fc.constantFrom('o200k_base', 'cl100k_base', 'estimate'),
  thinking: fc.constantFrom('keep', 'strip', 'leave'),
  prune: fc.constantFrom(true, false),
  keep: fc.record({ recent: fc.constantFrom(0, 1, 3), user: fc.boolean() }),
});

/** Asserts all properties of a result, for any conversation and budget. */
function assertFits(messages, store, { format, share, ...how }) {
  const frozen = JSON.stringify(messages);
  const { tokenizer } = how;
  const total = countTokens(messages, { format, tokenizer });
  const budget = Math.floor(total * share);
  const before = rulesOf(messages, format);
  const fitted = fit(messages, { format, limit: budget, ...how });
  const after = countTokens(fitted.messages, { format, tokenizer });
  assert.equal(JSON.stringify(messages), frozen, 'the input is as it was');
  assert.deepEqual(fitted.tokens, { before: total, after, limit: budget, ...(after > budget ? { minimum: after } : {}) });
  assert.equal(fitted.fits, after <= budget);
  if (budget >= total) fitted.messages.forEach((message, index) => assert.equal(message, messages[index]));
  assert.ok(after <= total, `${total} → ${after}`);
  for (const rule of rulesOf(fitted.messages, format)) assert.ok(before.has(rule), `${rule} is new`);
  for (const [out, kept] of [
    [fitted.messages, fitted.originals],
    [store(fitted.messages), store(fitted.originals)],
  ]) {
    const back = restore(out, kept);
    assert.deepEqual(back.messages, out === fitted.messages ? messages : store(messages));
    assert.equal(JSON.stringify(back.messages), frozen, 'key order too');
  }
  assert.equal(JSON.stringify(fit(messages, { format, limit: budget, ...how })), JSON.stringify(fitted), 'deterministic');
  return { ...fitted, isValid: before.size === 0, isCut: fitted.messages.some((message, index) => message !== messages[index]) };
}

for (const format of someOf(FORMATS)) {
  describe(format, () => {
    test('within the budget or the smallest, valid and accepted stays so, restored exactly, deterministic, input untouched', async () => {
      const seen = { valid: 0, accepted: 0, cut: 0, fitting: 0, runs: 0 };
      await fc.assert(
        fc.asyncProperty(working, options, async (spoken, how) => {
          const given = sayIn(format, spoken);
          const { messages, isValid, isCut, fits } = assertFits(given, stored(format), { format, ...how });
          seen.runs++;
          if (isCut && (await objectionTo(format, given)) === null) {
            seen.accepted++;
            assert.equal(await objectionTo(format, messages), null);
          }
          seen.valid += isValid;
          seen.cut += isCut;
          seen.fitting += fits && isCut;
        }),
        { numRuns: cases(format === 'gemini' ? 600 : 200), includeErrorInReport: true },
      );
      if (IS_WHOLE) assert.ok(seen.accepted > 5, JSON.stringify(seen));
      assert.ok(seen.cut > seen.runs / 4 && seen.fitting > seen.runs / 20 && seen.valid > seen.runs / 20, JSON.stringify(seen));
    });
  });
}

// ---- Real sessions ------------------------------------------------------------------------------------------------

/** Messages without signed thinking, which goes before anything else is cut, and as one from some message on. */
const withoutThinking = (messages) =>
  messages.map(({ content, ...message }) => ({
    ...message,
    content: Array.isArray(content) ? content.filter(({ type }) => !/thinking$/.test(type)) : content,
  }));

for (const { corpus, native, skip } of CORPORA)
  test(corpus, { skip }, () =>
    withProviders(async (providers) => {
      for (const { id, format, messages } of someOf(native())) {
        for (const share of [0.5, 0.25, 0.1]) {
          const how = { format, share, margin: 0, thinking: 'strip' };
          const { messages: fitted, isValid, fits, tokens } = assertFits(messages, viaJson, how);
          if (isValid) assert.equal(await providers[format](fitted), null, id);
          const isCut = tokens.limit < countTokens(withoutThinking(messages), { format });
          if (fits && isCut && tokens.before > 20_000)
            assert.ok(tokens.after >= 0.97 * tokens.limit, `${id} ${share}: ${JSON.stringify(tokens)}`);
        }
      }
    }),
  );
