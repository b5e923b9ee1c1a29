// Every kind of content that the SDKs' types know: whatever a history is made of, it fits, is valid and comes back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declaredKinds } from '../support/declared.mjs';
import { Draw, inFormat, KINDS, kindsOf } from '../support/kinds.mjs';
import { page } from '../support/kinds-page.mjs';
import { objectionTo } from '../support/providers/formats.mjs';
import { Random } from '../support/random.mjs';
import { SEED } from '../support/seed.mjs';
import { FORMATS, testFit, testPrune, testSession } from './kinds.mjs';

test('the table has every kind that the installed SDKs declare, and no other', () => {
  const declared = declaredKinds();
  const listed = {};
  for (const { kinds } of Object.values(KINDS))
    for (const [list, makers] of Object.entries(kinds)) if (list !== 'more') listed[list] = Object.keys(makers);
  // States of which more is to come.
  listed.uiStates.push(...Object.keys(KINDS['ai-sdk-ui'].opens));
  assert.deepEqual(Object.keys(listed).toSorted(), Object.keys(declared).toSorted());
  for (const [list, names] of Object.entries(declared)) {
    assert.ok(names.length > 0, `${list} is empty`);
    assert.deepEqual(listed[list].toSorted(), names.toSorted(), list);
  }
});

for (const format of FORMATS) {
  test(`${format}: histories of any kinds fit every limit from the minimum on`, async () => {
    const random = new Random(SEED);
    for (let run = 0; run < 6; run++) await testFit(format, random.integer(0, 2 ** 31), 8);
  });

  test(`${format}: pruned histories of any kinds are valid`, async () => {
    const random = new Random(SEED);
    for (let run = 0; run < 6; run++) await testPrune(format, random.integer(0, 2 ** 31));
  });

  test(`${format}: each request of a session with any kinds is valid and within the limit`, () => testSession(format, SEED));
}

/** An id that an exchange gave, as {@link Draw.id} makes it. */
const ID = /^[a-z]+_7_\d+$/;
const idsIn = (value, found = new Set()) => {
  if (typeof value === 'string' && ID.test(value)) found.add(value);
  if (value !== null && typeof value === 'object') for (const inner of Object.values(value)) idsIn(inner, found);
  return found;
};
/** A message without one of its parts; undefined if it has no others. */
const withoutPart = (message, at) => {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(message)), message);
  const parts = (message.parts ?? message.content).toSpliced(at, 1);
  if (parts.length === 0) return undefined;
  copy[message.parts === undefined ? 'content' : 'parts'] = parts;
  return copy;
};

for (const format of FORMATS) {
  test(`${format}: the judge refuses an exchange without one of two things that belong together`, async () => {
    const { user } = KINDS[format];
    let refused = 0;
    for (const [list, name, make] of kindsOf(format)) {
      const messages = [...make(new Draw(new Random(1), 7)), user(new Draw(new Random(1), 8))];
      const removals = [];
      messages.forEach((message, index) => {
        removals.push({ ids: idsIn(message), left: messages.toSpliced(index, 1) });
        const parts = message.parts ?? message.content;
        if (!Array.isArray(parts) || parts.length < 2) return;
        parts.forEach((part, at) => {
          const rest = withoutPart(message, at);
          // LangChain has its calls twice in a message, and the AI SDK an approved call of the provider's in two.
          const others =
            format === 'langchain'
              ? message.tool_calls
              : messages.flatMap(({ content }) => content ?? []).filter((one) => one !== part && one.type === part.type);
          const again = part.type?.startsWith('tool') ? idsIn(others) : new Set();
          const ids = new Set([...idsIn(part)].filter((id) => !again.has(id)));
          removals.push({ ids, left: messages.with(index, rest) });
        });
      });
      for (const { ids, left } of removals) {
        const stays = idsIn(left);
        if (![...ids].some((id) => stays.has(id))) continue;
        refused++;
        assert.notEqual(await objectionTo(format, inFormat(format, left)), null, `${list}: ${name}: ${JSON.stringify(left)}`);
      }
    }
    // A UI message holds a call and its result in one part.
    assert.ok(refused > 2 || ['ai-sdk-ui', 'mastra'].includes(format), String(refused));
  });
}

test('docs/reference/kinds.md says what the package does', () => {
  const { now, made } = page();
  assert.equal(now, made, 'run `node __test__/support/kinds-page.mjs`');
});
