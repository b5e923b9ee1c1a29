// `fit` with a summarizer: the texts it gets, the answers that are used, and the properties that hold whatever it does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { countTokens, fit, fitAsync, restore, validate } from 'palimpsest';
import { character } from '../support/characters.mjs';
import { working } from '../prune/working.mjs';
import { cases } from '../support/seed.mjs';
import { FORMATS, sayIn } from '../support/transcripts.mjs';
import { lines, sentence, Talk } from './talk.mjs';

const PYTHON =
  'def total_of(readings):\n    result = zero_value\n    for reading in readings:\n        result = result + reading.value\n    return result';
const SQL = 'SELECT reading_id, station\nFROM reading_table\nWHERE station = 12';
const CODE = [
  PYTHON,
  SQL,
  'function gateCode(a) {\n  return a + secretSum;\n}',
  'class Gate\n  def open_gate\n    @gate_state\n  end\nend',
];
const FILLER = 'It was as it had been on the day before that, and there was not much more to be said of it.\n'.repeat(6);
const prose = (from, count = 12) => lines(count, (n) => sentence(from + n));

/** A long conversation with prose, code and what the user said. */
function discussion() {
  const talk = new Talk();
  for (let n = 0; n < 40; n++) {
    talk.user(`USERSAID_${n}: please look at part ${n} and tell me what you find there, in your own words.`);
    talk.call('Search', { query: `part ${n}`, script: CODE[n % 4] }, `The gate has key_of_gate_${n}.\n${FILLER}\n${prose(40 * n)}`);
    talk.call('Read', { path: `src/part${n}.py` }, CODE[n % 4].repeat(3));
    talk.assistant(
      `I looked at it. The gate is opened with key_of_gate_${n}.\n\n${prose(40 * n + 20)}\n\n${FILLER}\n\nThis is the code:\n\n\`\`\`\n${CODE[n % 4]}\n\`\`\`\n\n${prose(40 * n + 33, 5)}`,
    );
  }
  return talk.user('What do you make of it?');
}
const { messages, tokens: total } = discussion();
const budget = Math.floor(total / 4);
/** A budget so small that some facts of removed messages are mentioned nowhere else. */
const tight = Math.floor(total / 8);

/** Asserts the properties that hold whatever the summarizer does. */
function assertGood(result, given = messages, limit = budget) {
  assert.deepEqual([result.fits, result.tokens.after], [true, countTokens(result.messages)]);
  assert.ok(result.tokens.after <= limit);
  assert.deepEqual(validate(result.messages), []);
  assert.deepEqual(restore(result.messages, result.originals).messages, given);
  return result;
}
const textOf = (list) => JSON.stringify(list);

test("gets prose of the model and its tools, never the user's words or code", async () => {
  const shown = [];
  assertGood(await fitAsync(messages, { limit: budget, summarizer: (text) => void shown.push(text) }));
  assert.ok(shown.length > 2);
  const all = shown.join('\n');
  assert.match(all, /station_\d+/);
  assert.doesNotMatch(all, /USERSAID|What do you make/);
  for (const line of CODE.join('\n').split('\n')) if (line.trim().length > 4) assert.ok(!all.includes(line.trim()), line);
  assert.match(all, /Search\(query: part \d+\): /);
});

test('an answer is in the mark, with the facts that it lacks', async () => {
  const said = 'It was all about stations that were moved.';
  const result = assertGood(await fitAsync(messages, { limit: tight, summarizer: async () => said }), messages, tight);
  const { asked, used, refused } = result.report.summaries;
  assert.ok(used > 0 && asked === used + refused, JSON.stringify(result.report.summaries));
  const marks = textOf(result.messages).match(/\[… \d+ (?:lines?|messages?): It was all about stations that were moved\.[^\]]*\]/g);
  assert.ok(marks?.length > 0);
  // Facts of removed messages follow in brackets, and each is in the conversation.
  const facts = marks.flatMap((mark) => /moved\. \((.*)\)\]$/.exec(mark)?.[1].split(', ') ?? []);
  assert.ok(facts.length > 0);
  for (const fact of facts) assert.ok(textOf(messages).includes(fact), fact);
  assert.match(`${result.report}`, /\d+ summar(?:y|ies)$/);
});

test('facts that an answer contains are not repeated', async () => {
  const echo = (text) => `All of ${text.match(/key_of_gate_\d+/)?.[0] ?? 'it'} and ${text.match(/station_\d+/)}.`;
  const result = assertGood(await fitAsync(messages, { limit: tight, summarizer: echo }), messages, tight);
  const marks = [...textOf(result.messages).matchAll(/: All of ([^\]]*?)\.(?: \(([^)\]]*)\))?\]/g)];
  assert.ok(marks.length > 0);
  for (const [, named, added] of marks) {
    for (const fact of added?.split(', ') ?? []) assert.ok(!named.includes(fact), fact);
  }
});

const answers = {
  nothing: () => undefined,
  'an empty string': () => '',
  blanks: () => ' \n\t ',
  'no string': () => ({ text: 'a summary' }),
  'something huge': () => 'word '.repeat(1e6),
  'as much as it was shown': (text) => text,
  garbage: () => '\ud800\u0000[… 3 lines]\n```\n"]}{\u2028',
  'a short one': () => 'Moved.',
  'a late one': () => wait(5).then(() => 'Moved.'),
  'an exception': () => {
    throw new Error('no');
  },
  'a rejection': async () => {
    throw new Error('no');
  },
  'a getter that throws': () => ({
    get then() {
      throw new Error('no');
    },
  }),
};
for (const [name, summarizer] of Object.entries(answers)) {
  test(`answers with ${name}`, async () => {
    const promise = fitAsync(messages, { limit: budget, summarizer });
    assert.ok(promise instanceof Promise);
    const {
      report: { summaries },
      messages: fitted,
    } = assertGood(await promise);
    assert.ok(summaries.asked > 0);
    if (/short|late/.test(name)) assert.ok(summaries.used > 0 && textOf(fitted).includes(': Moved.'));
    else if (name !== 'garbage') assert.deepEqual(summaries, { asked: summaries.asked, used: 0, refused: summaries.asked });
  });
}

test('limits concurrent calls', async () => {
  for (const [concurrency, most] of [
    [1, 1],
    [3, 3],
    [undefined, 4],
    [Infinity, Infinity],
  ]) {
    let [running, highest, asked] = [0, 0, 0];
    const summarizer = async () => {
      asked++;
      highest = Math.max(highest, ++running);
      await wait(2);
      running--;
      return 'Moved.';
    };
    assertGood(await fitAsync(messages, { limit: budget, summarizer, concurrency }));
    assert.ok(asked > 4);
    assert.equal(highest, Math.min(most, asked));
  }
});

test('is not asked if there is nothing to summarise', async () => {
  const summarizer = () => assert.fail('asked');
  const whole = await fitAsync(messages, { limit: total, summarizer });
  whole.messages.forEach((message, index) => assert.equal(message, messages[index]));
  assert.ok(!('summaries' in whole.report));
  assert.equal((await fitAsync([], { limit: 100, summarizer })).fits, true);
  // Only code and the user's words.
  const talk = new Talk();
  for (let n = 0; n < 10; n++)
    talk
      .user(prose(20 * n))
      .call('Read', { path: 'a.py' }, CODE.join('\n').replaceAll('reading', `reading_${n}`))
      .assistant('Done.');
  const { fits, report } = await fitAsync(talk.messages, { limit: talk.tokens / 3, summarizer });
  assert.ok(fits);
  assert.deepEqual(report.summaries, { asked: 0, used: 0, refused: 0 });
});

test('a signal ends the wait for a summarizer that never answers', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  let asked = 0;
  // As many as are asked at once.
  const never = () => {
    if (++asked === 4) setImmediate(() => controller.abort(reason));
    return new Promise(() => {});
  };
  const promise = fitAsync(messages, { limit: budget, summarizer: never, signal: controller.signal });
  await assert.rejects(promise, (error) => error === reason);
  assert.equal(asked, 4, 'and nothing more is asked');
  const done = new AbortController();
  assertGood(await fitAsync(messages, { limit: budget, summarizer: () => 'Moved.', signal: done.signal }));
  done.abort();
});

test('a signal that is already aborted', async () => {
  const summarizer = () => assert.fail('asked');
  const reason = new Error('before');
  await assert.rejects(fitAsync(messages, { limit: budget, summarizer, signal: AbortSignal.abort(reason) }), (error) => error === reason);
});

test('messages that are added meanwhile are not in the result', async () => {
  const growing = [...messages];
  const summarizer = async () => {
    growing.push({ role: 'assistant', content: 'later' });
    await wait(1);
    return 'Moved.';
  };
  assertGood(await fitAsync(growing, { limit: budget, summarizer }));
  assert.ok(growing.length > messages.length);
});

test('in every format, whatever is answered', async () => {
  const how = fc.record({
    share: fc.constantFrom(0.1, 0.3, 0.6, 0.9),
    answers: fc.array(fc.oneof(fc.constantFrom('Moved.', '', null, 'x '.repeat(200), ']…["'), fc.string({ unit: character })), {
      minLength: 1,
      maxLength: 4,
    }),
  });
  for (const format of FORMATS) {
    await fc.assert(
      fc.asyncProperty(working, how, async (spoken, { share, answers: given }) => {
        const input = sayIn(format, spoken);
        const before = new Set(validate(input, { format }).map(({ rule }) => rule));
        let next = 0;
        const limit = countTokens(input, { format }) * share;
        const fitted = await fitAsync(input, { format, limit, margin: 0, summarizer: () => given[next++ % given.length] });
        assert.equal(fitted.tokens.after, countTokens(fitted.messages, { format }));
        assert.equal(fitted.fits, fitted.tokens.after <= limit);
        // The summarizer makes nothing too long. An answer that is shorter than what the mark would list may be what makes it fit.
        if (fitted.fits !== fit(input, { format, limit, margin: 0 }).fits) assert.ok(fitted.fits && fitted.report.summaries.used > 0);
        for (const { rule } of validate(fitted.messages, { format })) assert.ok(before.has(rule), rule);
        assert.deepEqual(restore(fitted.messages, fitted.originals).messages, input);
      }),
      { numRuns: cases(40), includeErrorInReport: true },
    );
  }
});
