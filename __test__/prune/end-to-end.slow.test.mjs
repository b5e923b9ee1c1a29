// `prune`, `restore`, `validate` and `countTokens` together, over generated conversations in every format and real ones.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CORPORA } from '../support/corpus.mjs';
import { countTokens, prune, restore, validate } from '../../unbundled/index.js';
import { objectionTo } from '../support/providers/formats.mjs';
import { withProviders } from '../support/providers/server.mjs';
import { cases, IS_WHOLE, someOf } from '../support/seed.mjs';
import { FORMATS, sayIn } from '../support/transcripts.mjs';
import { working } from './working.mjs';

const { formatOf } = createRequire(import.meta.url)('../../unbundled/providers/index.js');

const viaJson = (value) => JSON.parse(JSON.stringify(value));
/** LangChain's instances are no JSON. */
const stored = (format) => (format === 'langchain' ? (value) => value : viaJson);
const rulesOf = (messages, format) => new Set(validate(messages, { format }).map(({ rule }) => rule));

const options = fc.record({
  mode: fc.constantFrom('stub', 'remove'),
  edits: fc.constantFrom('safe', 'last'),
  failures: fc.constantFrom('status', 'words'),
  thinking: fc.constantFrom('keep', 'strip'),
  keep: fc.record({ recent: fc.constantFrom(0, 1, 6) }),
});

/** Asserts the properties of a result for any conversation. */
function assertKept(messages, store, { format, ...how }) {
  const frozen = JSON.stringify(messages);
  const before = rulesOf(messages, format);
  const pruned = prune(messages, { format, ...how });
  assert.equal(JSON.stringify(messages), frozen, 'the input is as it was');
  for (const rule of rulesOf(pruned.messages, format)) assert.ok(before.has(rule), `${rule} is new`);
  const [were, are] = [messages, pruned.messages].map((list) => formatOf(list, format).read(list));
  const said = (parts) => parts.filter(({ role, kind }) => role === 'user' && kind !== 'opaque').map(({ text }) => text);
  assert.deepEqual(said(are), said(were), 'all that the user said is there');
  assert.equal(are.at(-1)?.role, were.at(-1)?.role, 'it is the turn of the same');
  const { tokens } = pruned.report;
  assert.deepEqual(tokens, { before: countTokens(messages, { format }), after: countTokens(pruned.messages, { format }) });
  assert.ok(tokens.after <= tokens.before, `${tokens.before} → ${tokens.after} tokens`);
  assert.deepEqual(pruned.report.messages, { before: messages.length, after: pruned.messages.length });
  for (const [out, kept] of [
    [pruned.messages, pruned.originals],
    [store(pruned.messages), store(pruned.originals)],
  ]) {
    const back = restore(out, kept);
    assert.deepEqual(back.messages, out === pruned.messages ? messages : store(messages));
    assert.equal(JSON.stringify(back.messages), frozen, 'key order too');
    assert.ok(back.missing.every((key) => !(key in kept)));
  }
  assert.equal(JSON.stringify(prune(messages, { format, ...how })), JSON.stringify(pruned), 'deterministic');
  // Where nothing was removed, each text is where it was, and as long as the trace says.
  const { trace } = prune(messages, { format, ...how, trace: true }).report;
  for (const { message, path, charsBefore, charsAfter } of trace.some(({ action }) => action === 'remove') ? [] : trace) {
    const [from, to] = [messages, pruned.messages].map((list) => path.reduce((value, key) => value?.[key], list[message]));
    if (typeof from === 'string') assert.deepEqual([charsBefore, charsAfter], [from.length, to.length]);
  }
  const again = prune(pruned.messages, { format, ...how });
  assert.deepEqual(again.originals, {}, 'the second time there is nothing left');
  again.messages.forEach((message, index) => assert.equal(message, pruned.messages[index]));
  return { ...pruned, edits: Object.keys(pruned.originals).length, isValid: before.size === 0 };
}

for (const format of someOf(FORMATS)) {
  describe(format, () => {
    test('valid and accepted stays so, never longer, restored exactly, deterministic, idempotent, input untouched', async () => {
      const seen = { valid: 0, accepted: 0, edited: 0, runs: 0 };
      await fc.assert(
        fc.asyncProperty(working, options, async (spoken, how) => {
          const given = sayIn(format, spoken);
          const { messages, isValid, edits } = assertKept(given, stored(format), { format, ...how });
          seen.runs++;
          if (isValid) seen.valid++;
          if (edits > 0) seen.edited++;
          if (edits === 0 || (await objectionTo(format, given)) !== null) return;
          seen.accepted++;
          assert.equal(await objectionTo(format, messages), null);
        }),
        { numRuns: cases(format === 'gemini' ? 600 : 200), includeErrorInReport: true },
      );
      if (IS_WHOLE) assert.ok(seen.accepted > 5, `${seen.accepted} were accepted and edited`);
      assert.ok(seen.edited > seen.runs / 5, `edits in ${seen.edited} of ${seen.runs} conversations`);
      assert.ok(seen.valid > seen.runs / 20, `${seen.valid} of ${seen.runs} conversations are valid`);
    });
  });
}

// ---- Real sessions ------------------------------------------------------------------------------------------------

for (const { corpus, native, skip } of CORPORA)
  test(corpus, { skip }, () =>
    withProviders(async (providers) => {
      let edited = 0;
      for (const { id, format, messages } of someOf(native())) {
        const all = { mode: 'remove', edits: 'last', failures: 'words', thinking: 'strip', keep: { recent: 0 } };
        for (const how of [{}, { thinking: 'strip' }, { mode: 'remove', thinking: 'strip' }, all]) {
          const { messages: pruned, isValid, edits } = assertKept(messages, viaJson, { format, ...how });
          if (isValid) assert.equal(await providers[format](pruned), null, id);
          edited += edits;
        }
        const half = messages.length >> 1;
        const first = prune(messages.slice(0, half), { format, thinking: 'strip' });
        const second = prune([...first.messages, ...messages.slice(half)], { format, mode: 'remove', thinking: 'strip' });
        const back = restore(viaJson(second.messages), viaJson({ ...first.originals, ...second.originals }));
        assert.equal(JSON.stringify(back.messages), JSON.stringify(messages), id);
      }
      assert.ok(edited > 50, `${edited} edits`);
    }),
  );
