// `validate` against providers that refuse what the real ones refuse (`support/providers`), through the official clients:
// it finds a problem exactly in what they refuse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { validate } from 'palimpsest';
import { breakIt, changes, conversations, render } from '../support/providers/conversations.mjs';
import { withProviders } from '../support/providers/server.mjs';
import { cases } from '../support/seed.mjs';

const numRuns = cases(400);

for (const format of Object.keys(render)) {
  test(`${format}: generated conversations are valid, for the provider and for validate`, () =>
    withProviders(async (providers) => {
      await fc.assert(
        fc.asyncProperty(conversations, async (conversation) => {
          const messages = render[format](conversation);
          assert.equal(await providers[format](messages), null);
          assert.deepEqual(validate(messages, { format }), []);
        }),
        { numRuns: Math.ceil(numRuns / 4) },
      );
    }));

  test(`${format}: a broken conversation has a problem exactly where the provider refuses it`, () =>
    withProviders(async (providers) => {
      const seen = { refused: 0, accepted: 0 };
      await fc.assert(
        fc.asyncProperty(conversations, changes, async (conversation, all) => {
          const messages = breakIt(render[format](conversation), all);
          const refusal = await providers[format](messages);
          const problems = validate(messages, { format });
          seen[refusal === null ? 'accepted' : 'refused']++;
          if (refusal === null) assert.deepEqual(problems, []);
          else assert.ok(problems.length > 0, `the provider says: ${refusal}`);
        }),
        { numRuns, includeErrorInReport: true },
      );
      // Changes that never broke anything, or always did, would show nothing.
      assert.ok(seen.refused > numRuns / 10 && seen.accepted > numRuns / 20, JSON.stringify(seen));
    }));
}
