// All figures of a session are in the same tokens: once it observed usage, in the provider's, however many those are.
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { test } from 'node:test';
import fc from 'fast-check';
import { countTokens, createSession } from 'palimpsest';
import { cases } from '../support/seed.mjs';
import { FORMATS } from '../support/transcripts.mjs';
import { requestsOf, working } from './working.mjs';

const NAME = 'palimpsest:session';
const COSTS = ['session', 'uncut', 'trimmed'];

/** What a loop is generated from. */
const loops = fc.record({
  format: fc.constantFrom(...FORMATS),
  parts: fc.integer({ min: 6, max: 14 }),
  lines: fc.integer({ min: 5, max: 30 }),
  limit: fc.integer({ min: 2_000, max: 6_000 }),
  cache: fc.record({
    write: fc.constantFrom(1, 1.25, 2),
    read: fc.constantFrom(0.1, 0.25, 1),
    ttl: fc.constant(300_000),
    minimum: fc.constantFrom(0, 1024),
  }),
});

/**
 * Plays an agent's loop against a provider that counts `times` as many tokens as the library, and reads from its cache what a request begins
 * with. Returns each step, its event, and what the provider counted.
 *
 * @param {object} loop
 * @param {number} times
 * @param {{ isRounded?: boolean, shares?: object }} [more] `isRounded`: the provider says integers
 */
function play({ format, parts, lines, limit, cache }, times, { isRounded = true, shares = {} } = {}) {
  const session = createSession({ limit, format, cache, now: () => 0, ...shares });
  const events = [];
  const hear = (event) => event.type === 'request' && events.push(event);
  subscribe(NAME, hear);
  try {
    const played = requestsOf(working(format, 1, parts, lines)).map((history) => {
      const step = session.next(history);
      const exact = times * countTokens(step.messages, { format });
      const input = isRounded ? Math.round(exact) : exact;
      const cached = isRounded ? Math.floor(input / 2) : input / 2;
      session.observe({ prompt_tokens: input, prompt_tokens_details: { cached_tokens: step.epoch ? 0 : cached } });
      return { step, input };
    });
    return { played: played.map((one, index) => ({ ...one, event: events[index] })), report: session.report };
  } finally {
    unsubscribe(NAME, hear);
  }
}

const close = (one, other, what) =>
  assert.ok(Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other)), `${what}: ${one}, not ${other}`);

for (const times of [1.4, 2.2]) {
  test(`a provider that counts ${times} times as much: every figure of a request is in its tokens, and the sums are those of the requests`, () => {
    let [repeated, cut] = [0, 0];
    fc.assert(
      fc.property(loops, (loop) => {
        const { played, report } = play(loop, times);
        const sums = { sent: 0, cached: 0, cost: { session: 0, uncut: 0, trimmed: 0 } };
        played.forEach(({ step, event }, index) => {
          const { tokens, epoch } = step;
          const { reusedTokens, messages } = step.report;
          const before = played[index - 1];
          // What is sent again can't be more than what was sent, in the provider's own words.
          assert.ok(reusedTokens <= tokens.after, `request ${index}: ${reusedTokens} of ${tokens.after}`);
          assert.ok(reusedTokens <= (before?.input ?? 0), `request ${index}: ${reusedTokens} of ${before?.input}`);
          if (before && messages.reused === before.step.messages.length) {
            repeated++;
            assert.equal(reusedTokens, before.input, `request ${index} begins with all of the last one`);
          }
          if (index > 1) {
            const start = times * countTokens(step.messages.slice(0, messages.reused), { format: loop.format });
            assert.ok(Math.abs(reusedTokens - start) <= 2 + 0.01 * start, `request ${index}: ${reusedTokens}, not ${start}`);
            const all = times * countTokens(step.messages, { format: loop.format });
            assert.ok(Math.abs(tokens.after - all) <= 2 + 0.01 * all, `request ${index}: ${tokens.after}, not ${all}`);
          }
          if (epoch) cut++;
          const { read, write, minimum } = loop.cache;
          assert.ok(event.cachedTokens <= reusedTokens && (event.cachedTokens === 0 || event.cachedTokens >= minimum));
          close(
            event.cost.session,
            read * event.cachedTokens + write * (tokens.after - event.cachedTokens),
            `the cost of request ${index}`,
          );
          // Nothing cheaper is possible than reading all of it from the cache, and nothing dearer than writing it.
          assert.ok(event.cost.uncut <= write * tokens.before + 1e-6 && event.cost.uncut >= Math.min(read, write) * tokens.before - 1e-6);
          assert.ok(event.cost.trimmed <= write * Math.min(tokens.before, Math.max(tokens.limit, tokens.after)) + write);
          sums.sent += tokens.after;
          sums.cached += event.cachedTokens;
          for (const name of COSTS) sums.cost[name] += event.cost[name];
          assert.deepEqual(event.totals.tokens, { sent: sums.sent, cached: sums.cached });
        });
        assert.deepEqual(report.tokens, { sent: sums.sent, cached: sums.cached });
        for (const name of COSTS) close(report.cost[name], sums.cost[name], name);
      }),
      { numRuns: cases(40) },
    );
    assert.ok(repeated > 0 && cut > 0);
  });
}

const costs = { write: 1, ttl: 300_000 };
/** Once they differed where a figure was rounded: what could be read from the cache, and what was. */
const ROUNDED = [
  { format: 'openai-chat', parts: 11, lines: 16, limit: 2009, cache: { ...costs, read: 0.1, minimum: 1024 } },
  { format: 'gemini', parts: 6, lines: 16, limit: 2009, cache: { ...costs, read: 0.25, minimum: 0 } },
];

// Halves, quarters and eighths: products with them are exact, so that two sessions decide the same in every case.
for (const times of [1.375, 2.25, 0.5]) {
  test(`with a limit that is ${times} times as large, such a provider gets the same messages, and all figures are ${times} times as large`, () => {
    let cut = 0;
    fc.assert(
      fc.property(loops, (loop) => {
        const limit = 8 * Math.ceil(loop.limit / 8);
        const shares = { low: 0.5, coldLow: 0.25 };
        // Figures are rounded: half of 1023 tokens is 512, and half of 1022 is less. Of an even minimum, the half is also that of one token less.
        const minimum = loop.cache.minimum && 1023;
        const plain = { ...loop, limit, cache: { ...loop.cache, minimum } };
        const scaled = { ...loop, limit: times * limit, cache: { ...loop.cache, minimum: Math.round(times * minimum) } };
        const one = play(plain, 1, { isRounded: false, shares }).played;
        const other = play(scaled, times, { isRounded: false, shares }).played;
        one.forEach(({ step, event }, index) => {
          const { step: larger, event: dearer } = other[index];
          assert.deepEqual(larger.messages, step.messages, `request ${index}`);
          assert.deepEqual(larger.epoch?.reason, step.epoch?.reason);
          if (step.epoch) cut++;
          // Before the first usage nobody knows what the provider counts.
          if (index === 0) return;
          const figures = [
            [larger.tokens.before, step.tokens.before],
            [larger.tokens.after, step.tokens.after],
            [larger.tokens.limit, step.tokens.limit],
            [larger.report.reusedTokens, step.report.reusedTokens],
            [larger.epoch?.target ?? 0, step.epoch?.target ?? 0],
            [dearer.cachedTokens, event.cachedTokens],
          ];
          for (const [value, ours] of figures) assert.ok(Math.abs(value - times * ours) < 1.001, `request ${index}: ${value}, ${ours}`);
          for (const name of COSTS) {
            const [value, ours] = [dearer.cost[name], event.cost[name]];
            assert.ok(Math.abs(value - times * ours) <= 3 * loop.cache.write, `request ${index}, ${name}: ${value}, ${ours}`);
          }
        });
      }),
      { numRuns: cases(25), examples: ROUNDED.map((loop) => [loop]) },
    );
    assert.ok(cut > 0);
  });
}

test('nothing that begins like the last request is 0 tokens, in the provider’s tokens, too', () => {
  const tools = [{ type: 'function', function: { name: 'search', description: 'Searches.', parameters: { type: 'object' } } }];
  const session = createSession({ limit: 50_000, format: 'openai-chat', tools });
  const history = [{ role: 'user', content: 'Why did pump 7 stop?' }];
  session.next(history);
  session.observe({ prompt_tokens: 90, completion_tokens: 1 });
  tools[0].function.description = 'Searches all logs.';
  const { reusedTokens } = session.next([...history, { role: 'assistant', content: 'It ran hot.' }, ...history]).report;
  assert.ok(Object.is(reusedTokens, 0), `${reusedTokens} and not -0`);
});
