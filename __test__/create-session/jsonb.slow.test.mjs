// A store that sorts the members of objects, as Postgres' `jsonb` does: the session is saved and the history stored after each request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSession } from '../../index.mjs';
import { Agent } from '../session/agent.mjs';
import { say } from '../session/speak.mjs';
import { Random } from '../support/random.mjs';

/** Shorter keys come first, then those whose bytes are less. */
const byLength = (a, b) => a.length - b.length || (a < b ? -1 : 1);

const jsonb = (value) => {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(jsonb);
  return Object.fromEntries(
    Object.keys(value)
      .sort(byLength)
      .map((key) => [key, jsonb(value[key])]),
  );
};
const json = (value) => JSON.parse(JSON.stringify(value));

/** The requests of an agent whose process ends after each; `store` is what the database makes of a history. */
function play(format, seed, store) {
  const random = new Random(seed);
  const agent = new Agent(random, { dialect: 'claude', reuse: false, thinks: 0, signed: false });
  const options = { format, limit: 5000, now: () => 0 };
  let history = [];
  let saved;
  const steps = [];
  for (let serial = 0; serial < 60; serial++) {
    const turns = serial % 8 === 0 ? [agent.user(random)] : [serial % 8 === 7 ? agent.answer(random) : agent.work(random)];
    history = [...store(json(history)), ...say(format, turns, serial)];
    const session = createSession(options, saved);
    steps.push(session.next(history));
    saved = JSON.parse(JSON.stringify(session));
    assert.ok(JSON.stringify(saved).length <= 0.05 * JSON.stringify(history).length + 2048);
  }
  return { steps, report: createSession(options, saved).report };
}

for (const format of ['anthropic', 'gemini', 'ai-sdk-model', 'ai-sdk-ui', 'mastra']) {
  test(`${format}: members in another order are no other message`, () => {
    let [cut, epochs] = [0, 0];
    for (let seed = 1; seed <= 4; seed++) {
      const [kept, sorted] = [(history) => history, jsonb].map((store) => play(format, seed, store));
      assert.ok(sorted.steps.every(({ report }) => report.foreign === undefined));
      for (const [index, { messages, epoch }] of sorted.steps.entries()) {
        if (index === 0 || epoch !== undefined) continue;
        // What was cut before is sent with the same bytes, but for members that were not cut and came back in another order.
        const before = sorted.steps[index - 1].messages;
        assert.deepEqual(json(messages.slice(0, before.length)), json(before), `request ${index}`);
        cut++;
      }
      epochs += sorted.report.epochs.limit - kept.report.epochs.limit;
    }
    assert.ok(cut > 50);
    assert.ok(Math.abs(epochs) <= 4, `${epochs} more epochs`);
  });
}
