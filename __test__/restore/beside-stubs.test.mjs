// A user changes a text or an id beside a stub: the change stays, and all else is as it was, or the message is named in `missing`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prune, restore } from 'palimpsest';
import { Play, sessionOf } from '../session/play.mjs';
import { Random } from '../support/random.mjs';
import { SEED, someOf } from '../support/seed.mjs';
import { FORMATS } from '../support/transcripts.mjs';

/** Number of conversations for each format. */
const CONVERSATIONS = 8;
/** No generated text contains it. */
const CHANGE = 'ZqZ';

/** The paths of all texts in a message that hold no stub. */
const pathsIn = (value, path = []) => {
  if (typeof value === 'string') return value.includes('[palimpsest:') ? [] : [path];
  if (value === null || typeof value !== 'object') return [];
  return Object.keys(value).flatMap((key) => pathsIn(value[key], [...path, key]));
};

/** A copy of a message with a change in the text at `path`. */
function changed(message, path, random) {
  const copy = structuredClone(message);
  const holder = path.slice(0, -1).reduce((value, key) => value[key], copy);
  const text = holder[path.at(-1)];
  const halves = [...text.matchAll(/[\ud800-\udbff](?=[\udc00-\udfff])/g)].map(({ index }) => index + 1);
  const at = halves.length > 0 && random.chance(0.2) ? random.pick(halves) : random.integer(0, text.length);
  holder[path.at(-1)] = text.slice(0, at) + CHANGE + text.slice(at);
  return copy;
}

// LangChain's messages say everything twice, so a change in one place contradicts the other.
for (const format of someOf(FORMATS.filter((name) => name !== 'langchain'))) {
  test(`what is changed beside a stub stays: ${format}`, () => {
    let restored = 0;
    for (let seed = SEED; seed < SEED + CONVERSATIONS; seed++) {
      const random = new Random(seed);
      const play = new Play({ config: sessionOf(seed, format).config, steps: [] });
      for (let step = 0; step < 24; step++) play.work(random);
      // Empty messages go without a stub, and a neighbour that changed leaves them no certain place.
      const full = play.current.filter(({ content, tool_calls: calls }) => content !== '' || calls !== undefined);
      const { messages, originals } = prune(full, { format, keep: { recent: 0 }, thinking: 'keep' });
      const isMarked = (message) => JSON.stringify(message).includes('[palimpsest:');
      assert.equal(messages.length, full.length);
      // Texts that read like marks are named by their places.
      const named = restore(messages, originals).missing;
      for (const message of messages.filter(isMarked)) {
        const index = messages.indexOf(message);
        for (const path of pathsIn(message)) {
          const back = restore(messages.toSpliced(index, 1, changed(message, path, random)), originals);
          const made = JSON.stringify(back.messages[index]);
          const told = `seed ${seed}, message ${index}, ${path.join('.')}, missing ${back.missing}: ${made.slice(0, 1000)}`;
          assert.ok(made.includes(CHANGE), `overwritten: ${told}`);
          // Between the halves of a pair, the change has them escaped in JSON; without it they are a pair again, once that is parsed.
          if (back.missing.every((name) => named.includes(name)))
            assert.equal(JSON.stringify(JSON.parse(made.replaceAll(CHANGE, ''))), JSON.stringify(full[index]), told);
          assert.deepEqual(back.messages.toSpliced(index, 1), full.toSpliced(index, 1), told);
          restored += back.restored > 0;
        }
      }
    }
    assert.ok(restored > 0, 'no conversation had a stub');
  });
}
