// Rounds that pass on `originals`, with a model that checks the prefix of its thinking, and with one that doesn't.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countTokens, fit, restore } from 'palimpsest';
import { answerMessages } from '../support/providers/anthropic.mjs';
import { PreservedThinking } from '../support/providers/preserved-thinking.mjs';
import { cases } from '../support/seed.mjs';

const viaJson = (value) => JSON.parse(JSON.stringify(value));
const log = (tag, count) => Array.from({ length: count }, (_, line) => `${tag} line ${line} value ${(line * 7919) % 1000}`).join('\n');
const thinks = (text) => ({ type: 'thinking', thinking: text, signature: '' });
const shares = fc.constantFrom(0, 0.1, 0.4, 0.7, 0.9, 0.98, 1.2, 1.2);
const turn = fc.record({
  ask: fc.constantFrom('Go on.', 'Find out why the import fails.', log('pasted', 12)),
  steps: fc.array(
    fc.record({
      thinks: fc.boolean(),
      says: fc.constantFrom('', 'Let me look at it, for it may be the one.'),
      size: fc.constantFrom(1, 20, 80),
    }),
    { maxLength: 3 },
  ),
  end: fc.record({ thinks: fc.boolean(), share: shares }),
  share: shares,
});

const blocksIn = (messages) =>
  messages.flatMap(({ content }) => (Array.isArray(content) ? content.filter(({ type }) => type === 'thinking') : []));
/** Asserts that the remaining thinking is unchanged, and that no remaining message lost any. */
function assertSigned(fitted, full) {
  const signed = blocksIn(full).map((block) => JSON.stringify(block));
  for (const block of blocksIn(fitted)) assert.ok(signed.includes(JSON.stringify(block)));
  const calls = (messages) =>
    messages
      .flatMap(({ content }) =>
        Array.isArray(content) && content.some(({ type }) => type === 'thinking') ? content.filter(({ type }) => type === 'tool_use') : [],
      )
      .map(({ id }) => id);
  const thought = new Set(calls(full));
  const left = fitted
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .filter(({ type, id }) => type === 'tool_use' && thought.has(id))
    .map(({ id }) => id);
  assert.deepEqual(
    left,
    calls(fitted).filter((id) => thought.has(id)),
  );
}

for (const thinking of ['keep', 'strip', 'leave']) {
  test(`thinking ${thinking}: each round is accepted, within its budget, and everything comes back`, () => {
    const seen = { rounds: 0, cut: 0, signed: 0 };
    fc.assert(
      fc.property(fc.array(turn, { minLength: 2, maxLength: 5 }), fc.boolean(), (turns, isStored) => {
        const provider = new PreservedThinking();
        let [history, originals, count] = [[], {}, 0];
        const full = [];
        const add = (message) => {
          history.push(message);
          full.push(message);
        };
        const send = (share) => {
          const total = countTokens([...full], { format: 'anthropic' });
          const budget = Math.floor(total * share);
          const fitted = fit(history, { format: 'anthropic', limit: budget, margin: 0, thinking, originals });
          if (thinking === 'leave') assertSigned(fitted.messages, full);
          else provider.check({ messages: fitted.messages });
          answerMessages({ messages: fitted.messages });
          assert.equal(fitted.tokens.after, countTokens(fitted.messages, { format: 'anthropic' }));
          assert.equal(fitted.fits, fitted.tokens.after <= budget);
          assert.deepEqual(restore(fitted.messages, fitted.originals), {
            messages: full,
            missing: [],
            restored: Object.keys(fitted.originals).length,
          });
          seen.rounds++;
          if (fitted.messages.length < full.length || fitted.tokens.after < total) seen.cut++;
          if (fitted.messages.some(({ content }) => Array.isArray(content) && content.some(({ type }) => type === 'thinking')))
            seen.signed++;
          [history, originals] = isStored
            ? [viaJson(fitted.messages), viaJson(fitted.originals)]
            : [[...fitted.messages], fitted.originals];
        };
        const answers = (blocks) => add(provider.answer(history, { role: 'assistant', content: blocks }));
        for (const { ask, steps, end, share } of turns) {
          add({ role: 'user', content: ask });
          for (const { thinks: isThinking, says, size } of steps) {
            send(share);
            const id = `call_${count++}`;
            answers([
              ...(isThinking ? [thinks(`About ${id}.`)] : []),
              ...(says ? [{ type: 'text', text: says }] : []),
              { type: 'tool_use', id, name: 'Bash', input: { command: `cat ${id}` } },
            ]);
            add({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: log(id, size) }] });
          }
          send(end.share);
          answers([...(end.thinks ? [thinks('So it is.')] : []), { type: 'text', text: 'Done, and this is what came of it.' }]);
        }
      }),
      { numRuns: cases(150) },
    );
    assert.ok(seen.cut > seen.rounds / 3 && seen.signed > seen.rounds / 20, JSON.stringify(seen));
  });
}
