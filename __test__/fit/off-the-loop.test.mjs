// Fitting off the event loop: the same results as in one go, whatever happens in the meantime.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { countTokens, fit } from '../../unbundled/index.js';
import { working } from '../prune/working.mjs';
import { FORMATS, sayIn } from '../support/transcripts.mjs';
import { cases, someOf } from '../support/seed.mjs';
import { closed, lines, sentence, Talk } from './talk.mjs';

const require = createRequire(import.meta.url);
const { takeUp } = require('../../unbundled/fit/earlier.js');
const { Fitting } = require('../../unbundled/fit/fitting.js');
const { withPauses } = require('../../unbundled/pauses.js');

function inOneGo(messages, options) {
  const fitting = Fitting.of(takeUp(messages, options), options);
  try {
    return { fitting, made: fitting.search(options.limit) };
  } finally {
    fitting.close();
  }
}

async function offTheLoop(messages, options) {
  const fitting = await withPauses(Fitting.opening(takeUp(messages, options), options));
  try {
    return { fitting, made: await fitting.searchAsync(options.limit) };
  } finally {
    fitting.close();
  }
}

function assertSame(actual, expected) {
  assert.deepEqual(actual.made, expected.made);
  actual.made.written.messages.forEach((message, index) => {
    const other = expected.made.written.messages[index];
    if (expected.fitting.messages.includes(other)) assert.equal(message, other, 'what stays whole is the same object');
  });
  assert.equal(actual.fitting.before, expected.fitting.before);
}

/** A caller's counter, which differs from the tokenizer. */
const tokenCounter = (message) => Math.ceil(JSON.stringify(message).length / 3);

const options = fc.record({
  share: fc.constantFrom(0, 0.2, 0.5, 0.8, 0.99, 1),
  thinking: fc.constantFrom('strip', 'keep', undefined),
  tokenizer: fc.constantFrom('o200k_base', 'estimate'),
  tokenCounter: fc.constantFrom(undefined, undefined, tokenCounter),
  query: fc.constantFrom(undefined, false, 'Where is src/a.ts?'),
  prune: fc.constantFrom(undefined, false, { mode: 'remove' }),
  keep: fc.constantFrom(undefined, { recent: 2 }, { user: true, patterns: [/\d+/] }),
});

for (const format of someOf(FORMATS)) {
  test(`${format}: equals the result in one go`, async () => {
    await fc.assert(
      fc.asyncProperty(working, options, async (spoken, { share, ...how }) => {
        const messages = sayIn(format, spoken);
        const given = { ...how, format, limit: Math.floor(countTokens(messages, { format }) * share) };
        assertSame(await offTheLoop(messages, given), inOneGo(messages, given));
      }),
      { numRuns: cases(40) },
    );
  });
}

/** Long enough for several threads. */
function work(files = 60) {
  const talk = new Talk().user('Read them all.');
  for (let n = 0; n < files; n++)
    talk
      .call(
        'Read',
        { path: `src/f${n}.ts` },
        lines(120, (line) => sentence(120 * n + line)),
      )
      .assistant(`Number ${n}: ${sentence(n)}`);
  return closed(talk).messages;
}
const long = work();
const total = countTokens(long);
const half = { limit: Math.floor(total / 2) };

test('many at once do not interfere', async () => {
  const all = [0.1, 0.3, 0.5, 0.7, 0.9].map((share) => ({ limit: Math.floor(total * share) }));
  const made = await Promise.all(all.map((given) => offTheLoop(long, given)));
  made.forEach((one, index) => assertSame(one, inOneGo(long, all[index])));
});

test('several searches of one fitting at once', async () => {
  const fitting = await Fitting.open(takeUp(long, half), half);
  const budgets = [0.2, 0.5, 0.8].map((share) => Math.floor(total * share));
  const made = await Promise.all(budgets.map((budget) => fitting.searchAsync(budget)));
  made.forEach((one, index) => assert.deepEqual(one, inOneGo(long, { limit: budgets[index] }).made));
  fitting.close();
});

test('content that an earlier round cut comes back', async () => {
  const { messages, originals } = fit(long, { limit: Math.floor(total / 4) });
  const given = { ...half, originals };
  const expected = inOneGo(messages, given);
  const promise = offTheLoop(messages, given);
  messages.length = 0;
  assert.deepEqual((await promise).made, expected.made);
});

test('the array may change meanwhile', async () => {
  const given = [...long];
  const expected = inOneGo(given, half);
  const promise = offTheLoop(given, half);
  const timer = setInterval(() => given.splice(0, given.length, { role: 'user', content: 'Something else.' }));
  given.reverse();
  const actual = await promise;
  clearInterval(timer);
  assertSame(actual, expected);
});

test('the event loop keeps turning', async () => {
  let turns = 0;
  let isOver = false;
  const tick = () => {
    turns++;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await offTheLoop(long, half);
  isOver = true;
  assert.ok(turns > 10, `${turns} turns`);
});

test('errors are those of one go', async () => {
  const failing = [
    [
      long,
      {
        ...half,
        tokenCounter: () => {
          throw new RangeError('mine');
        },
      },
    ],
    [long, { ...half, tokenCounter: async () => 7 }],
    [[...long, { role: 'user', content: [{ type: 'text', text: 7 }] }], { ...half, format: 'openai-chat' }],
    [[...long, { contents: 7 }], half],
  ];
  for (const [messages, given] of failing) {
    let expected;
    assert.throws(
      () => inOneGo(messages, given),
      (error) => {
        expected = error;
        return true;
      },
    );
    await assert.rejects(offTheLoop(messages, given), { name: expected.name, message: expected.message });
  }
});

test('closing does not disturb a running choice', async () => {
  const fitting = await Fitting.open(takeUp(long, half), half);
  const first = [half.limit, undefined, [], new Float64Array(0)];
  const expected = fitting.fitter.next(...first);
  const promises = [1, 2, 3].map(() => fitting.fitter.nextAsync(...first));
  fitting.close();
  fitting.close();
  assert.ok(expected.choice.edits.length > 0);
  for (const step of await Promise.all(promises)) assert.deepEqual(step, expected);
  assert.deepEqual(fitting.fitter.next(...first).choice.edits, new Int32Array(0));
  assert.deepEqual((await fitting.fitter.nextAsync(...first)).choice.edits, new Int32Array(0));
});

test('a conversation is not scaled during a choice', async () => {
  let refused;
  // On a busy machine a choice may end before the call does.
  for (let attempt = 0; attempt < 200 && refused === undefined; attempt++) {
    const { fitter } = await Fitting.open(takeUp(long, half), half);
    const choices = [1, 2, 3].map(() => fitter.nextAsync(half.limit, undefined, [], new Float64Array(0)));
    try {
      fitter.scaled(new Float64Array(long.length).fill(2)).close();
    } catch (error) {
      refused = error;
    }
    await Promise.all(choices);
    fitter.close();
  }
  assert.match(refused.message, /a choice is being made/);
});

test('a search that is closed midway ends', async () => {
  const fitting = await Fitting.open(takeUp(long, half), half);
  const promise = fitting.searchAsync(half.limit).catch(() => {});
  fitting.close();
  await promise;
});

test('workers that are terminated, and a process that exits, while it runs', async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [fileURLToPath(new URL('fit-workers.mjs', import.meta.url))], { timeout: 120_000 });
  assert.equal(stdout, 'main thread works\n');
});
