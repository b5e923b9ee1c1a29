// What a request is made of: the parts add up to its tokens and its cost, and each kind is what a judge finds in the request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countTokens, createSession } from 'palimpsest';
import { CORPORA } from '../support/corpus.mjs';
import { Random } from '../support/random.mjs';
import { cases, SEED, someOf } from '../support/seed.mjs';
import { FORMATS } from '../support/transcripts.mjs';
import { DEEDS, Life, PINS } from './life.mjs';
import { requestsOf, working } from './working.mjs';

const TOOLS = [
  { name: 'Read', description: 'Reads a file.', input_schema: { type: 'object', properties: { file_path: { type: 'string' } } } },
];
const kindsOf = ({ parts }) => Object.fromEntries(parts.map((part) => [part.kind, part]));
const sumOf = (list, key) => list.reduce((sum, one) => sum + one[key], 0);

/** Asserts what holds of each request. */
function assertAdded(context, { tokens }) {
  assert.equal(context.tokens, tokens.after);
  assert.equal(sumOf(context.parts, 'tokens'), tokens.after);
  assert.equal(context.limit, tokens.limit);
  assert.equal(context.free, Math.max(0, tokens.limit - tokens.after));
  assert.ok(context.parts.every(({ tokens: count, share, cost }) => count > 0 && share > 0 && share <= 1 && cost >= 0));
  assert.ok(tokens.after === 0 || Math.abs(sumOf(context.parts, 'share') - 1) < 1e-9);
  assert.equal(new Set(context.parts.map(({ kind }) => kind)).size, context.parts.length);
}

/** A life that asks after each request. */
class Asking extends Life {
  async judge(step, given, bare) {
    await super.judge(step, given, bare);
    assertAdded(this.session.context(), step);
  }
}

const seed = fc.nat(2 ** 31);
const deed = fc.record({
  name: fc.oneof(...[...DEEDS, ...PINS].map(({ name, weight }) => ({ weight, arbitrary: fc.constant(name) }))),
  seed,
});
for (const format of someOf(FORMATS))
  test(`${format}: the parts add up to the tokens of every request`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ format: fc.constant(format), seed, deeds: fc.array(deed, { maxLength: 20, size: 'max' }) }),
        async (given) => {
          const { deeds, ...rest } = given;
          await new Asking(rest).live(deeds);
        },
      ),
      { numRuns: cases(2), includeErrorInReport: true, seed: SEED - FORMATS.indexOf(format) },
    );
  });

const random = new Random(SEED);
for (const { corpus, native, skip } of CORPORA)
  test(`${corpus}: with all that a request may hold, the parts add up to its tokens and to what it cost`, { skip }, () => {
    const all = native();
    for (let run = 0; run < cases(4); run++) {
      const { format, messages } = random.pick(all);
      let minute = 0;
      const options = {
        limit: random.pick([6000, 24_000]),
        format,
        now: () => minute * 60_000,
        recall: 'auto',
        volatile: () => `It is minute ${minute}.`,
        system: 'You are careful.',
        tools: TOOLS,
        warn: false,
        ...(random.chance(0.3) && { tokenCounter: (message) => JSON.stringify(message).length / 7 }),
      };
      const session = createSession(options);
      session.pin('Never write to C:\\data.');
      let cost = 0;
      for (const given of requestsOf(messages)) {
        minute += random.pick([1, 1, 1, 30]);
        const step = session.next(given);
        const context = session.context();
        assert.ok(Math.abs(sumOf(context.parts, 'tokens') - step.tokens.after) < 1e-6);
        const paid = session.report.cost.session - cost;
        cost = session.report.cost.session;
        assert.ok(Math.abs(sumOf(context.parts, 'cost') - paid) <= 0.001 * paid + 2, `${sumOf(context.parts, 'cost')} of ${paid}`);
        if (random.chance(0.2)) session.observe({ input_tokens: Math.round(1.1 * step.tokens.after) });
        const later = session.context();
        assert.ok(Math.abs(sumOf(later.parts, 'tokens') - later.tokens) < 1e-6);
        if (!random.chance(0.2)) continue;
        // A restart changes nothing of what went out.
        const resumed = createSession(options, JSON.parse(JSON.stringify(session)));
        assert.equal(resumed.context(), undefined);
        assert.deepEqual(resumed.context(random.chance(0.5) ? given : [...given, { role: 'user', content: 'Go on.' }]), later);
      }
    }
  });

test('each kind is what it says', () => {
  const history = [
    {
      role: 'user',
      content: '<system-reminder>\n# CLAUDE.md\nNever push to main. Always run the tests before a commit.\n</system-reminder>',
    },
    ...Array.from({ length: 30 }, (_, turn) => working('anthropic', turn + 1, turn + 1, 40)).flat(),
  ];
  const options = { limit: 9000, format: 'anthropic', now: () => 0, system: 'You are careful. '.repeat(30), tools: TOOLS };
  const session = createSession(options);
  assert.equal(session.context(), undefined);
  session.pin('The port is 8412. '.repeat(20));
  let step;
  for (const given of requestsOf(history)) step = session.next(given);
  const context = session.context();
  assertAdded(context, step);
  const kinds = kindsOf(context);
  // By the counts of the same without it.
  const count = (messages, more) => countTokens(messages, { format: 'anthropic', system: options.system, tools: TOOLS, ...more });
  const all = count(step.messages);
  assert.equal(kinds.tools.tokens, all - count(step.messages, { tools: undefined }));
  assert.equal(kinds.instructions.tokens, all - count(step.messages, { system: undefined }));
  const pinned = countTokens([{ role: 'user', content: 'The port is 8412. '.repeat(20) }], { format: 'anthropic' });
  assert.ok(Math.abs(kinds.pins.tokens - pinned) < 0.2 * pinned, `${kinds.pins.tokens} of ${pinned}`);
  assert.ok(kinds.rules.tokens > 0 && kinds.rules.age === session.report.requests - 1);
  assert.ok(kinds.marks.tokens > 0 && kinds.files.tokens > kinds.marks.tokens);
  assert.ok(kinds.task.tokens > 0);
  assert.deepEqual([kinds.tools.age, kinds.tools.messages], [undefined, 0]);
  assert.match(context.summary, /^request \d+ · [\d,]+ of 9,000 tokens · .* · free [\d,]+$/);
  // A session that was saved needs the history, until its next request.
  const resumed = createSession(options, JSON.parse(JSON.stringify(session)));
  assert.equal(resumed.context(), undefined);
  assert.deepEqual(resumed.context(history), context);
  for (const other of [
    [],
    history.slice(0, 3),
    [{ role: 'user', content: 'Another one.' }, ...history.slice(1)],
    history.with(-1, history[0]),
  ])
    assert.equal(resumed.context(other), undefined);
  assert.throws(() => resumed.context('history'), /^TypeError: context\(\): history must be an array of messages/);
  assert.deepEqual(session.context(history.slice(0, 3)), context);
  const again = resumed.next(history);
  assertAdded(resumed.context(), again);
});
