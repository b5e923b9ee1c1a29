// Random lives under a session, in each format. Requests are valid, within the limit, append-only between epochs, the same for
// the same calls (also in a resumed session), and contain only what the history says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as palimpsest from 'palimpsest';
import { reached } from '../session/judge.mjs';
import { cases, IS_WHOLE, SEED, someOf } from '../support/seed.mjs';
import { FORMATS } from '../support/transcripts.mjs';
import { THINKERS } from '../session/play.mjs';
import { DEEDS, Life, RETURNS } from './life.mjs';

const seed = fc.nat(2 ** 31);
const deedsOf = (deeds) =>
  fc.array(fc.record({ name: fc.oneof(...deeds.map(({ name, weight }) => ({ weight, arbitrary: fc.constant(name) }))), seed }), {
    minLength: 1,
    maxLength: 30,
    size: 'max',
  });
const life = (format) => fc.record({ format: fc.constant(format), seed, deeds: deedsOf(DEEDS) });
const returns = (format) => fc.record({ format: fc.constant(format), seed, isSigned: fc.constant(true), deeds: deedsOf(RETURNS) });

async function live({ deeds, ...given }, library) {
  const one = new Life(given, library);
  try {
    await one.live(deeds);
  } catch (error) {
    error.message += `\n${one.log.map((line) => JSON.stringify(line)).join('\n')}\n${JSON.stringify(one.options)}`;
    throw error;
  }
}

/** Lives that failed once, by format. In the first, thinking is signed behind a result that has to become shorter. */
const RETURNED = { 'openai-chat': [{ format: 'openai-chat', seed: 1, isSigned: true, deeds: [{ name: 'several', seed: 735278368 }] }] };

/** Each format has lives of its own: with one seed for all they would be the same deeds eight times. */
const runs = (format) => ({ numRuns: cases(20), includeErrorInReport: true, seed: SEED - FORMATS.indexOf(format) });

for (const format of someOf(FORMATS)) {
  test(`${format}: a session survives anything`, async () => {
    await fc.assert(
      fc.asyncProperty(life(format), (given) => live(given)),
      runs(format),
    );
  });
}

for (const format of someOf(THINKERS)) {
  test(`${format}: who undoes, branches and comes back never sends thinking behind what it was not signed over`, async () => {
    await fc.assert(
      fc.asyncProperty(returns(format), (given) => live(given)),
      { ...runs(format), examples: (RETURNED[format] ?? []).map((given) => [given]) },
    );
  });
}

test('the runs covered everything', { skip: !IS_WHOLE && 'not all cases are tried' }, () => {
  for (const what of ['epoch limit', 'epoch turn', 'epoch early', 'epoch cold', 'does not fit']) assert.ok(reached.get(what) > 0, what);
  for (const judge of ['valid', 'counts', 'minimum', 'cannot fit', 'texts', 'append', 'prefix', 'the same', 'broken', 'session report'])
    assert.ok(reached.get(judge) >= cases(20), `${judge}: ${reached.get(judge)}`);
});

// ---- The judges can find something --------------------------------------------------------------------------------

/** `createSession` with steps that `change` spoils. `change` gets the step, the history and the previous step. */
const spoilt = (change) => ({
  ...palimpsest,
  createSession: (options, saved) => {
    const session = palimpsest.createSession(options, saved);
    let last;
    return {
      next: (history) => (last = change(session.next(history), history, last, options)),
      nextAsync: async (history) => (last = change(session.next(history), history, last, options)),
      get report() {
        return session.report;
      },
      toJSON: () => session.toJSON(),
    };
  },
});
const withMessages = (change) => (step, history, last, options) => {
  const messages = change(step.messages, history, last, options);
  const after = palimpsest.countTokens(messages, { format: step.report.format, tools: options.tools });
  return { ...step, messages, fits: after <= step.tokens.limit, tokens: { ...step.tokens, after } };
};
let calls = 0;

const broken = {
  'a call loses its result': [
    'valid',
    withMessages((messages) => messages.filter(({ role }, index) => role !== 'tool' || index < messages.length - 1)),
  ],
  'a number is not counted': ['counts', (step) => ({ ...step, tokens: { ...step.tokens, after: step.tokens.after - 1 } })],
  'what is over the limit is said to fit': ['fits', (step) => ({ ...step, fits: true })],
  'what would fit is said not to': ['fits', (step) => ({ ...step, fits: false })],
  'a line is made up': [
    'texts',
    withMessages((messages) =>
      messages.map((message) => (message.role === 'tool' ? { ...message, content: `${message.content}\nand one more` } : message)),
    ),
  ],
  'what was undone is still sent': [
    'texts',
    withMessages((messages, history, last) =>
      last !== undefined && history.length < last.report.messages.before ? last.messages : messages,
    ),
  ],
  'the order changes': ['order', withMessages((messages) => messages.toReversed())],
  'the first message that was sent changes': [
    'append',
    withMessages((messages, history) =>
      history.length % 3 === 0 && messages[0].role === 'system'
        ? messages.with(0, { ...messages[0], content: messages[0].content.split('\n')[0] })
        : messages,
    ),
  ],
  'what is new is cut': [
    'as it is',
    withMessages((messages, history) =>
      messages.at(-1) === history.at(-1) && messages.at(-1).role === 'tool'
        ? messages.with(-1, { ...messages.at(-1), content: '[…]' })
        : messages,
    ),
  ],
  'the clock decides': ['the same', (step) => ({ ...step, tokens: { ...step.tokens, before: step.tokens.before + ++calls } })],
  'an epoch has a wrong number': ['epoch', (step) => (step.epoch ? { ...step, epoch: { ...step.epoch, number: 7 } } : step)],
  'the history is written to': [
    'Cannot',
    (step, history) => {
      history.pop();
      return step;
    },
  ],
};
for (const [name, [judge, change]] of Object.entries(broken)) {
  test(`a broken session is detected: ${name}`, async () => {
    const found = new Set();
    const isFound = () => [...found].some((one) => one.startsWith(judge));
    for (const given of fc.sample(life('openai-chat'), { numRuns: 60, seed: 7 })) {
      if (!isFound()) await live(given, spoilt(change)).catch((error) => found.add(error.judge ?? error.message));
    }
    assert.ok(isFound(), `found ${[...found]}`);
  });
}
