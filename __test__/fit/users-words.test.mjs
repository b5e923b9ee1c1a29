// The user's own words are removed last, after any old output of a tool.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { countTokens, fit } from 'palimpsest';
import { cases, IS_WHOLE, someOf } from '../support/seed.mjs';
import { FORMATS, sayIn } from '../support/transcripts.mjs';
import { closed, lines, Talk } from './talk.mjs';

/** A line of the user's, with a number that distinguishes it from all others. */
const LINES = [
  (n) => `why does it fail (${n})? https://github.com/acme/cli/actions/runs/21662191208/job/6244919${n}`,
  (n) => `@src/agent/part_${n}.rs needs another look`,
  (n) => `/var/log/app-2024-01-${n}.log is where it stands, isn't it?`,
  (n) => `Order 4823-1922-${n} didn't arrive, please check #A99281.`,
  (n) => `- never touch build/cache_${n}, we need it`,
  (n) => `${n}. Ask ana.lopez${n}@example.org about it first`,
  (n) => `请查看订单4823-${n}为什么没有到`,
  (n) => `C:\\Users\\me\\notes_${n}.txt says otherwise`,
  (n) => `I would rather not change the way that number ${n} behaves, as it's what our clients count on`,
];
const PASTES = [
  (n) => `\`\`\`js\n${lines(8, (line) => `render the page number ${n + line} of this`)}\n\`\`\``,
  (n) => lines(8, (line) => `2024-01-01 12:30:${10 + line} INFO worker ${n} did it`),
  (n) => lines(8, (line) => `   ${line + 1}→let value_${n} = ${line};`),
  (n) => lines(8, (line) => `fn part_${n + line}(a) {\n    a + ${line};\n}`),
];
const rejected =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n";
const REJECTIONS = [
  (said) => `${rejected}${said}`,
  (said) => `The user denied this operation and provided the following feedback:\n<feedback>\n${said}\n</feedback>`,
  (said) => `[Operation Cancelled] Reason: ${said}`,
  (said) => `exec command rejected by user: ${said}`,
  (said) => `The user rejected permission to use this specific tool call with the following feedback: ${said}`,
];
const output = (n) =>
  lines(40, (line) => `OUTPUT_${n}_${line} of the job that copies all of the records came to ${(line * 7919) % 1000} in the end`);

const message = fc.record({
  lines: fc.array(fc.nat(LINES.length - 1), { minLength: 1, maxLength: 4 }),
  paste: fc.option(fc.nat(PASTES.length - 1)),
  outputs: fc.integer({ min: 1, max: 4 }),
  rejection: fc.option(fc.nat(REJECTIONS.length - 1)),
});

/** Returns a conversation with the user's lines except those of the last message, and their tokens. */
function made(drawn, format) {
  let count = 10;
  const said = [];
  const speak = (kinds) => {
    const spoken = kinds.map((kind) => LINES[kind](count++));
    said.push(spoken);
    return spoken.join('\n');
  };
  const call = (id, blocks, failed) => ({
    id,
    name: 'Bash',
    args: { command: `run ${id}` },
    result: { blocks, json: null, failed },
    answered: true,
  });
  const assistant = (text, calls = []) => ({ who: 'assistant', reasoning: null, text, calls, odd: false });
  const turns = [];
  for (const { lines: kinds, paste, outputs, rejection } of drawn) {
    const text = speak(kinds);
    turns.push({ who: 'user', text: paste === null ? text : `${text}\n\n${PASTES[paste](count)}`, more: [] });
    for (let n = 0; n < outputs; n++) turns.push(assistant(null, [call(`c${count}`, output(count++), false)]));
    if (rejection !== null) turns.push(assistant(null, [call(`c${count++}`, REJECTIONS[rejection](speak(kinds)), true)]));
    turns.push(assistant('It is as it was said.'));
  }
  turns.push({ who: 'user', text: speak(drawn[0].lines), more: [] });
  const words = turns
    .filter(({ who, calls }) => who === 'user' || calls.some(({ result }) => result.failed))
    .flatMap((turn) => [turn, assistant('.')]);
  return {
    messages: sayIn(format, { system: null, turns }),
    said,
    tokens: countTokens(sayIn(format, { system: null, turns: words }), { format }),
  };
}

/** Returns whether a line is in messages, in any string of JSON. */
const stands = (messages, line) =>
  [0, 1, 2].some((depth) => {
    let text = line;
    for (let times = 0; times <= depth; times++) text = JSON.stringify(text).slice(1, -1);
    return JSON.stringify(messages).includes(text);
  });

for (const format of someOf(FORMATS)) {
  test(`${format}: the user's words outlast old outputs, the last of them everything`, () => {
    const seen = { all: 0, last: 0 };
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 4 }), fc.double({ min: 0.05, max: 0.95, noNaN: true }), (drawn, share) => {
        const { messages, said, tokens } = made(drawn, format);
        const { minimum } = fit(messages, { format, limit: 0 }).tokens;
        const total = countTokens(messages, { format });
        const budget = Math.round(minimum + (total - minimum) * share);
        const { messages: fitted } = fit(messages, { format, limit: budget });
        if (!stands(fitted, 'OUTPUT_')) return;
        seen.last++;
        for (const line of said.at(-1)) assert.ok(stands(fitted, line), `the last message: ${line}\n${JSON.stringify(fitted)}`);
        // The current exchange may take three tenths, and the user's lines a fifth of the rest.
        if (tokens > 0.7 * 0.2 * (budget - minimum)) return;
        seen.all++;
        for (const line of said.flat()) assert.ok(stands(fitted, line), `${line}\n${JSON.stringify(fitted)}`);
      }),
      { numRuns: cases(150) },
    );
    assert.ok(seen.all > cases(5) && seen.last > cases(60), JSON.stringify(seen));
  });
}

for (const format of someOf(FORMATS)) {
  test(`${format}: whatever the budget, something of the last message stays, and it is told when not all of it does`, () => {
    const seen = { cut: 0, whole: 0 };
    const asking = fc.tuple(fc.array(message, { maxLength: 2 }), fc.array(fc.nat(LINES.length - 1), { minLength: 1, maxLength: 4 }));
    fc.assert(
      fc.property(asking, fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true }), ([drawn, kinds], isRunning, share) => {
        const { messages, said } = made([...drawn, { lines: kinds, paste: null, outputs: 1, rejection: null }], format);
        // The message before the last one is asked in a run, so that its result competes with it.
        const asked = isRunning ? messages.slice(0, -2) : messages;
        const last = isRunning ? said.at(-2) : said.at(-1);
        const { minimum } = fit(asked, { format, limit: 0 }).tokens;
        const budget = Math.round(minimum + 200 * share);
        const { messages: fitted, fits, report } = fit(asked, { format, limit: budget });
        assert.ok(fits, `${budget} of ${minimum}`);
        const left = last.filter((line) => stands(fitted, line));
        // A line may hold two sentences, of which one stays.
        const isSome = last.some((line) => line.split(/(?<=[.?!]) /).some((sentence) => stands(fitted, sentence)));
        assert.ok(isSome, `${last}\n${JSON.stringify(fitted)}`);
        assert.equal(report.cutLastWords === true, left.length < last.length, JSON.stringify([last, fitted]));
        seen[left.length < last.length ? 'cut' : 'whole']++;
      }),
      { numRuns: cases(100) },
    );
    if (IS_WHOLE) assert.ok(seen.cut > cases(5) && seen.whole > cases(5), JSON.stringify(seen));
  });
}

test('a question that the budget does not hold is sent whole, beyond it', () => {
  const question = 'Why is the discount applied twice when a customer has a coupon and a membership in the same basket of goods';
  const asked = [{ role: 'user', content: question }];
  const { messages, fits, tokens, report } = fit(asked, { limit: 20 });
  assert.deepEqual([messages, fits, tokens.minimum, report.cutLastWords], [asked, false, countTokens(asked), undefined]);
  const talk = new Talk().user(question).call('bash', { command: 'npm test' }, output(1));
  const budget = fit(talk.messages, { limit: 0 }).tokens.minimum;
  const tight = fit(talk.messages, { limit: budget });
  assert.ok(tight.fits && tight.report.cutLastWords === undefined && stands(tight.messages, question));
  assert.ok(!stands(tight.messages, 'OUTPUT_'));
});

describe('an image or a document that begins the current exchange', () => {
  const png = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const image = { role: 'user', content: [{ type: 'image_url', image_url: { url: png } }] };
  const file = {
    role: 'user',
    content: [{ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0xLjQ=' } }],
  };
  const work = () => {
    const talk = new Talk().user('Mend the layout, please.');
    for (let step = 0; step < 6; step++) talk.call('Bash', { command: `run ${step}` }, output(step));
    return talk.assistant('Send me a screenshot.');
  };

  for (const [name, medium] of [
    ['an image', image],
    ['a document', file],
  ]) {
    test(`${name} alone stays, whatever the budget`, () => {
      const talk = work();
      talk.messages.push(medium);
      talk.call('Bash', { command: 'ls' }, 'a.txt');
      for (const share of [0, 0.05, 0.2, 0.5])
        assert.ok(fit(talk.messages, { limit: talk.tokens * share }).messages.includes(medium), `${share}`);
    });

    test(`${name} some messages before the question goes after old outputs`, () => {
      const talk = work();
      talk.messages.push(medium, { ...medium }, { role: 'user', content: 'What is wrong here?' });
      const { minimum } = fit(talk.messages, { limit: 0 }).tokens;
      // A smaller line may fit where a larger one does not.
      for (let budget = minimum + 2 * countTokens([medium]); budget < talk.tokens; budget += 150) {
        const { messages } = fit(talk.messages, { limit: budget });
        assert.ok(messages.includes(medium) || !stands(messages, 'OUTPUT_'), `${budget}`);
      }
    });
  }

  test('keep.user keeps it', () => {
    const messages = [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: 'At what?' },
      image,
      ...closed(new Talk('').call('Bash', { command: 'ls' }, output(1))).messages,
    ];
    assert.ok(fit(messages, { limit: 0, keep: { user: true } }).messages.includes(image));
  });
});

test('keep.user keeps what the user said when they rejected a call', () => {
  const talk = new Talk().user('Clean up.');
  REJECTIONS.forEach((form, n) =>
    talk.call('Bash', { command: `rm ${n}` }, form(`No, never touch folder_${n}.`)).call('Bash', { command: 'ls' }, output(n)),
  );
  const { messages } = fit(closed(talk).messages, { limit: 0, keep: { user: true } });
  REJECTIONS.forEach((_, n) => assert.ok(stands(messages, `No, never touch folder_${n}.`), `${n}`));
});

test('a question with an address stays while four logs go', () => {
  const question = 'why? https://github.com/acme/cli/actions/runs/21662191208/job/62449194626';
  const talk = new Talk('').user(question);
  for (let step = 0; step < 4; step++)
    talk.call(
      'bash',
      { command: `run ${step}` },
      lines(400, (line) => `r${step} line ${line} value ${(line * 7919) % 1000}`),
    );
  talk.assistant('It fails in the step that builds.');
  for (const budget of [200, 500, 1000, 4000])
    assert.equal(fit(talk.messages, { limit: budget }).messages[0].content, question, `${budget}`);
});
