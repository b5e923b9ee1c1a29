// Originals with one wrong field, as by a faulty store or by hand: the result is right, or the key is in `missing`, or a TypeError
// names the argument, and nothing of what messages say.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compress, countTokens, fit, prune, restore, uncompress } from 'palimpsest';
import { cases } from '../support/seed.mjs';
import { assertNamed, conversations, garbage, placesIn, spoil } from './exports.mjs';

const formats = ['openai-chat', 'openai-responses', 'openai-agents', 'anthropic', 'ai-sdk-model', 'ai-sdk-ui', 'gemini', 'mastra', 'ag-ui'];
const kinds = Object.entries(garbage).filter(([kind]) => !/throwing/.test(kind));
const CASES = cases(2000);

/** A conversation, the rest of it after a cut, and its originals. */
function taken(format, way) {
  const before = conversations[format]();
  // Less would take out a first message with an image, with its whole exchange.
  if (way === 'fit') return { before, ...fit(before, { format, limit: Math.floor(0.88 * countTokens(before, { format })) }) };
  if (way === 'prune') {
    const twice = [...before, ...before.slice(0, -1)];
    return { before: twice, ...prune(twice, { format, keep: { recent: 0 } }) };
  }
  const { messages, verbatim: originals } = compress(before, { format, recencyWindow: 0 });
  return { before, messages, originals };
}

/** The functions that restore. `fit` does not report what is missing. */
const uses = {
  restore: ({ messages, originals }) => restore(messages, originals),
  uncompress({ messages, originals }) {
    const { messages: restored, missing_ids: missing } = uncompress(messages, originals);
    return { messages: restored, missing };
  },
  fit: ({ messages, originals }, format) => fit(messages, { format, limit: 1e6, originals }) && undefined,
};

/** Whether a field contains the message's text: nobody can know that it was another one. */
const isContent = (path) => path.includes('value') || path.includes('was');

/** Replaces one field. Returns the error, or the faults of the result. */
function outcome(format, way, use, place, number) {
  const made = taken(format, way);
  const originals = JSON.parse(JSON.stringify(made.originals));
  const places = placesIn(originals).filter((path) => path.length > 1);
  if (places.length === 0) return undefined;
  const path = places[place % places.length];
  const [kind, make] = kinds[number];
  spoil(originals, path, make());
  const how = `${kind} at ${path.join('.')} of ${way} on ${format}`;
  let result;
  try {
    result = uses[use]({ messages: made.messages, originals }, format);
  } catch (error) {
    return { error, how };
  }
  const isWrong =
    result !== undefined &&
    !isContent(path) &&
    result.missing.length === 0 &&
    JSON.stringify(result.messages) !== JSON.stringify(made.before);
  return { isWrong, how };
}

test('one corrupted field of an original', () => {
  let spoilt = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...formats),
      fc.constantFrom('fit', 'prune', 'compress'),
      fc.constantFrom(...Object.keys(uses)),
      fc.nat(),
      fc.nat(kinds.length - 1),
      (format, way, use, place, number) => {
        const { error, isWrong, how } = outcome(format, way, use, place, number) ?? {};
        if (how !== undefined) spoilt++;
        if (error !== undefined) assertNamed(error, use, ['originals', 'store', 'verbatim'], how);
        assert.ok(!error?.message.includes('cranes'), `${how}: what a message says is in ${error}`);
        assert.ok(!isWrong, `neither right nor missing: ${use}, ${how}`);
      },
    ),
    { numRuns: CASES, endOnFailure: true, includeErrorInReport: true },
  );
  assert.ok(spoilt > CASES / 3);
});

test('a record of breakpoints that names another member of a message is refused', () => {
  const { messages, originals } = taken('anthropic', 'fit');
  const [key, entry] = Object.entries(originals).find(([, { surface }]) => surface !== undefined);
  const [[path, value]] = entry.surface;
  for (const item of [[[...path.slice(0, -1), 'text'], value], [path.slice(0, -1), value], [[...path.slice(0, -1), 'text']]]) {
    const wrong = { ...originals, [key]: { ...entry, surface: [item] } };
    for (const use of ['restore', 'uncompress']) {
      assert.throws(() => uses[use]({ messages, originals: wrong }), { name: 'TypeError', message: new RegExp(`${key}.*surface`) });
    }
  }
});
