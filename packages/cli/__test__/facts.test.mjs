// The facts that a session uses next, and which requests ground them: against what their definition says, word by word.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cases } from '../../../__test__/support/seed.mjs';
import { judgesOf, Words } from '../dist/analysis/facts.mjs';
import { isSpecific } from '../dist/analysis/words.mjs';

// As docs and comments have them.
const [FUTURE, RECENT, RARE, MIN_LETTERS, SPAN, MAX_PLACES, FIRST, MIN_FACTS] = [10, 4, 3, 5, 5, 40, 9, 3];

/** Few words, so that they come again: names, long words and short ones. */
const someWord = fc.oneof(
  fc.constantFrom('a', 'of', 'port', 'server', 'proxy'),
  fc.nat(12).map((n) => `src/file${n}.ts`),
  fc.nat(30).map((n) => `longish${'abcdefghijklmnopqrstuvwxyzabcde'[n]}`),
);
const someMessage = fc.array(someWord, { maxLength: 12 });

const around = (words, at) => [...words.slice(Math.max(0, at - SPAN), at), ...words.slice(at + 1, at + 1 + SPAN)];
const placesOf = (word, messages) =>
  messages
    .flatMap((words) => words.flatMap((one, at) => (one === word ? [{ words, at }] : [])))
    .slice(0, MAX_PLACES)
    .map(({ words, at }) => around(words, at));
const isGrounded = (word, request, past) =>
  placesOf(word, request).some((now) =>
    placesOf(word, past).some((before) => before.filter((one) => now.includes(one)).length >= before.length / 2),
  );

function factsAt(step, messages) {
  const said = (word) => messages.slice(0, step).flatMap((words, index) => (words.includes(word) ? [index] : []));
  const next = [...new Set(messages.slice(step, step + FUTURE).flat())].filter((word) => {
    const count = said(word).length;
    return count > 0 && (isSpecific(word) || (word.length >= MIN_LETTERS && count <= RARE));
  });
  return {
    old: next.filter((word) => said(word).at(-1) < step - RECENT),
    fresh: next.filter((word) => said(word)[0] >= step - RECENT),
  };
}

test('facts are the words that come again, and are grounded where what stood around them is there', () => {
  let measured = 0;
  fc.assert(
    fc.property(
      fc.array(someMessage, { minLength: 12, maxLength: 30 }),
      fc.array(fc.tuple(fc.nat(29), fc.boolean(), fc.nat(11)), { maxLength: 25 }),
      fc.boolean(),
      (messages, picked, isInOrder) => {
        const readings = messages.map((words) => ({ words }));
        const step = Math.max(FIRST, messages.length - 3);
        const judge = judgesOf(new Words(readings), () => false, 1, [3, step]).get(step);
        const { old, fresh } = factsAt(step, messages);
        assert.deepEqual(judge.old, old);
        assert.equal(judge.groundedOf === undefined, old.length < MIN_FACTS);
        assert.equal(judge.fresh === undefined, fresh.length < MIN_FACTS);
        // Messages as they are, in any order or in theirs, and copies with a part of the words.
        const places = picked.filter(([index]) => index < step);
        if (isInOrder) places.sort(([a], [b]) => a - b);
        const request = places.map(([index, isWhole, from]) => (isWhole ? readings[index] : { words: messages[index].slice(from) }));
        const texts = request.map(({ words }) => words);
        const share = (facts, past) => facts.filter((word) => isGrounded(word, texts, past)).length / facts.length;
        if (judge.groundedOf) {
          measured++;
          const groundedOf = judge.groundedOf(request);
          for (const word of old) assert.equal(groundedOf(word), isGrounded(word, texts, messages.slice(0, step)), word);
          assert.equal(judge.grounded(request), share(old, messages.slice(0, step)));
        }
        if (judge.fresh) assert.equal(judge.fresh(request), share(fresh, messages.slice(step - RECENT, step)));
      },
    ),
    { numRuns: cases(300) },
  );
  assert.ok(measured > 0);
});

test('of a word that is said often, the first places count', () => {
  const often = Array.from({ length: 50 }, (_, n) => ({ words: ['src/a.ts', ...Array.from({ length: 5 }, (_x, at) => `w${n}x${at}`)] }));
  const again = { words: ['src/a.ts', 'w1x0', 'w1x1', 'src/b.ts', 'src/c.ts'] };
  const others = ['src/b.ts', 'src/c.ts'].map((word) => ({ words: [word] }));
  const rest = Array.from({ length: 5 }, () => ({ words: ['so'] }));
  const readings = [...others, ...often, ...rest, again];
  const step = readings.length - 1;
  const judge = judgesOf(new Words(readings), () => false, 1, [step]).get(step);
  assert.ok(judge.old.includes('src/a.ts'));
  // The last one is beyond those that are looked at, the first one is not.
  assert.deepEqual(
    [often[49], often[0]].map((one) => judge.groundedOf([one])('src/a.ts')),
    [false, true],
  );
  // So it is in a request, whatever stands there beside the conversation's messages.
  const beside = Array.from({ length: 45 }, () => ({ words: ['src/a.ts', 'x', 'y', 'z'] }));
  assert.equal(judge.groundedOf([...beside, often[0]])('src/a.ts'), false);
  assert.equal(judge.groundedOf([often[0], ...beside])('src/a.ts'), true);
});
