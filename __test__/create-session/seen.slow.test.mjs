// All recorded conversations: each request is written again over restarts, facts that cuts took are explained, and the parts of each request add up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from 'palimpsest';
import { CORPORA } from '../support/corpus.mjs';
import { Random } from '../support/random.mjs';
import { SEED, someOf } from '../support/seed.mjs';
import { factsOf, judge } from './said.mjs';
import { requestsOf } from './working.mjs';

const random = new Random(SEED);
for (const { corpus, native, skip } of CORPORA)
  test(`${corpus}: what went out is known, explained and added up`, { skip }, () => {
    let [known, all] = [0, 0];
    for (const { id, format, messages } of someOf(native())) {
      const options = {
        limit: random.pick([8000, 16_000, 32_000]),
        format,
        now: () => 0,
        recall: random.pick([undefined, 'auto']),
        warn: false,
        ...(format === 'anthropic' && { cacheControl: random.chance(0.5) }),
      };
      let session = createSession(options);
      const sent = requestsOf(messages).map((given) => {
        if (random.chance(0.1)) session = createSession(options, JSON.parse(JSON.stringify(session)));
        const { messages: list, tokens, epoch } = session.next(given);
        if (random.chance(0.1))
          assert.equal(
            session.context().parts.reduce((sum, part) => sum + part.tokens, 0),
            tokens.after,
          );
        return { text: JSON.stringify(list), epoch: epoch?.reason, length: given.length };
      });
      all += sent.length;
      sent.forEach(({ text }, index) => {
        const answer = session.at(index + 1, messages);
        assert.ok(answer.known || answer.why === 'dropped', `${id}: ${answer.text}`);
        if (answer.known) known++;
        if (answer.known) assert.equal(JSON.stringify(answer.messages), text, `${id}: request ${index + 1}`);
      });
      for (const given of factsOf(messages, random, 3)) judge(given, session.why(given.fact, messages), sent, options.recall !== undefined);
    }
    assert.ok(known > 0.7 * all, `${known} of ${all} requests are known`);
  });
