// Why a message is missing, as the report says it: the judge reads the requests that were played.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CORPORA } from '../../../__test__/support/corpus.mjs';
import { Random } from '../../../__test__/support/random.mjs';
import { cases, SEED } from '../../../__test__/support/seed.mjs';
import { createCounter } from '../dist/analysis/counting.mjs';
import { goneIn } from '../dist/analysis/gone.mjs';
import { analyse } from '../dist/analysis/index.mjs';
import { simulate } from '../dist/analysis/simulate.mjs';
import { judge, numbersIn } from './support/gone.mjs';

/** @returns {any} a transcript, whose agent may have compacted at some requests */
const transcriptOf = (messages, format, from = () => 0) => ({
  ...{ agent: 'messages', id: 'one', file: '/one.json', format, messages, skipped: 0, notes: [] },
  requests: messages.flatMap(({ role }, index) => (role === 'assistant' && index > 0 ? [{ messages: index, from: from(index) }] : [])),
});

/** The requests that a session sends in the place of a transcript's. */
function playedOf(transcript, limit) {
  const counter = createCounter(transcript.format, transcript.model);
  const tokens = transcript.messages.map(counter.ofMessage);
  return [...simulate(transcript, { limit, tokens, counter, price: undefined })].map(({ sent, messages, epoch, from }) => ({
    ...{ sent, length: messages, from },
    ...(epoch && { epoch }),
  }));
}

const random = new Random(SEED);
const found = {};
for (const { corpus, native, skip } of CORPORA)
  test(`${corpus}: what is said of each message is what the requests had, also after the agent compacted`, { skip }, async () => {
    const all = native().filter(
      ({ format, messages }) => /^anthropic$|^openai-chat$/.test(format) && messages.length > 20 && messages.length < 250,
    );
    for (let run = 0; run < cases(4); run++) {
      const { format, messages } = random.pick(all);
      // At a message of the user the agent may begin anew.
      const turns = [...messages.keys()].filter((index) => index > 0 && messages[index].role === 'user' && index < messages.length - 4);
      const cut = run % 2 === 1 && turns.length > 0 ? random.pick(turns) : Infinity;
      const from = format === 'anthropic' ? () => 0 : (index) => (index > cut ? cut : 0);
      const transcript = transcriptOf(messages, format, from);
      const limit = random.pick([4000, 8000, 16_000]);
      const { sessions } = await analyse([transcript], { limit });
      const [session] = sessions;
      if (session.messages === undefined) continue;
      const counts = judge(session, messages, playedOf(transcript, limit));
      for (const [how, count] of Object.entries(counts)) found[how] = (found[how] ?? 0) + count;
    }
  });

test('these were of each kind that matters', () => {
  for (const how of ['removed', 'cut', 'whole']) assert.ok(found[how] > cases(2), JSON.stringify(found));
});

test('what the agent compacted is named with the request before which it did', async () => {
  const messages = Array.from({ length: 30 }, (_, turn) => [
    { role: 'user', content: `Question ${turn}` },
    { role: 'assistant', content: `Answer ${turn}. `.repeat(20) },
  ]).flat();
  const transcript = transcriptOf(messages, 'openai-chat', (index) => (index > 40 ? 40 : index > 20 ? 20 : 0));
  const { sessions } = await analyse([transcript], { limit: 100_000 });
  assert.deepEqual(judge(sessions[0], messages, playedOf(transcript, 100_000)), { compacted: 40 });
});

test('requests that another session counts have no numbers here', () => {
  const ranges = fc
    .uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 8 })
    .map((list) => list.sort((a, b) => a - b))
    .map((list) => list.flatMap((first, index) => (index % 2 === 0 && list[index + 1] ? [[first, list[index + 1]]] : [])));
  fc.assert(
    fc.property(ranges, fc.array(fc.boolean(), { minLength: 31, maxLength: 31 }), fc.integer({ min: 1, max: 30 }), (had, isIn, request) => {
      let count = 0;
      const numbers = new Map(isIn.flatMap((is, index) => (is && index > 0 ? [[index, ++count]] : [])));
      const why = {
        ...{ requests: [], summary: '', known: [[1, 30]] },
        said: [{ message: 3, role: 'user', requests: had, gone: { how: 'cut', request, epoch: 'limit', mark: '[…]' }, back: [] }],
      };
      const { gone, known } = goneIn(why, 10, (one) => numbers.get(one));
      const one = gone.get(13);
      assert.deepEqual(
        numbersIn(one.had),
        numbersIn(had).flatMap((number) => numbers.get(number) ?? []),
      );
      assert.deepEqual([one.request, one.epoch], numbers.has(request) ? [numbers.get(request), 'limit'] : [undefined, undefined]);
      assert.equal(known, count > 0 ? 1 : undefined);
    }),
  );
});
