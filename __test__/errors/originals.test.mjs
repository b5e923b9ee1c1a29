// Originals with one field spoilt, as a store or a hand may do: what is put back is right, or named in `missing`, or the call is
// refused by a TypeError that names the argument.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compress, fit, prune, restore, uncompress } from '../../index.mjs';
import { assertNamed, conversations, garbage, placesIn, spoil } from './exports.mjs';

const formats = ['openai-chat', 'openai-responses', 'anthropic', 'ai-sdk-model', 'ai-sdk-ui', 'gemini'];
const kinds = Object.entries(garbage).filter(([kind]) => !/throwing/.test(kind));
const CASES = Number(process.env.CASES ?? 2000);

/** A conversation, what is left of it and what was taken out. */
function taken(format, way) {
  const messages = conversations[format]();
  if (way === 'fit') return { messages, ...fit(messages, { format, budget: 120 }) };
  if (way === 'prune') return { messages, ...prune([...messages, ...messages.slice(0, -1)], { format, keep: { recent: 0 } }) };
  const { messages: left, verbatim: originals } = compress(messages, { format, recencyWindow: 0 });
  return { given: messages, messages: left, originals };
}

const ways = {
  restore: ({ messages, originals }) => restore(messages, originals).missing,
  uncompress: ({ messages, originals }) => uncompress(messages, originals).missing_ids,
  fit: ({ messages, originals }) => fit(messages, { budget: 1e6, originals }) && [],
};

test('one field of an original is not what it was', () => {
  let spoilt = 0;
  fc.assert(
    fc.property(fc.constantFrom(...formats), fc.constantFrom('fit', 'prune', 'compress'), fc.constantFrom(...Object.keys(ways)), fc.nat(), fc.nat(kinds.length - 1), (format, way, user, place, number) => {
      const made = taken(format, way);
      const originals = JSON.parse(JSON.stringify(made.originals));
      const places = placesIn(originals).filter((path) => path.length > 1);
      if (places.length === 0) return;
      const path = places[place % places.length];
      const [kind, make] = kinds[number];
      spoil(originals, path, make());
      spoilt++;
      try {
        const missing = ways[user]({ messages: made.messages, originals });
        assert.ok(Array.isArray(missing));
      } catch (error) {
        assertNamed(error, user, ['originals', 'store', 'verbatim'], `${kind} at ${path.join('.')} of ${way} on ${format}`);
      }
    }),
    { numRuns: CASES, seed: 14, endOnFailure: true, includeErrorInReport: true },
  );
  assert.ok(spoilt > CASES / 3);
});
