// `prune` of what `prune` returned finds nothing: long work on one file, where what one rule cuts is what another looks at.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { prune } from 'palimpsest';
import { cases, someOf } from '../support/seed.mjs';
import { FORMATS, sayIn } from '../support/transcripts.mjs';

const file_path = '/r/a.ts';
/** Lines that are long enough to be taken out of the arguments of a call. */
const LINES = Array.from({ length: 60 }, (_, line) => `line ${line} holds ${`what${line} says of it `.repeat(8)}`);
const numbered = (from, to) => LINES.slice(from, to).map((line, index) => `${from + index + 1}\t${line}`);
/** Encoded data, which goes if a later result repeats it. */
const DATA = ['iVBORw0KGgo', 'UklGRiQAAAB'].map((start) => start.repeat(60));

const place = fc.nat(LINES.length - 1);
const edit = place.map((line) => ['Edit', { file_path, old_string: 'what was there before', new_string: LINES[line] }, 'done']);
const edits = fc
  .array(place, { minLength: 1, maxLength: 12 })
  .map((lines) => ['MultiEdit', { file_path, edits: lines.map((line) => ({ old_string: 'before', new_string: LINES[line] })) }, 'done']);
const part = fc.tuple(place, fc.integer({ min: 1, max: 60 })).map(([offset, limit]) => {
  const shown = numbered(offset, offset + limit);
  return ['Read', { file_path, offset: offset + 1, limit }, shown.join('\n')];
});
const whole = fc.constant(['Read', { file_path }, numbered(0, LINES.length).join('\n')]);
const write = place.map((line) => ['Write', { file_path, content: LINES.slice(line).join('\n') }, 'done']);
const command = fc
  .tuple(fc.constantFrom('npm test', 'ls -la'), fc.subarray(DATA), fc.integer({ min: 0, max: 300 }), fc.boolean())
  .map(([run, data, lines, fails]) => {
    const output = Array.from({ length: lines }, (_, line) => `${line % 50 === 0 ? 'error: ' : ''}${LINES[line % LINES.length]} ${line}`);
    return ['Bash', { command: run }, [...data, ...output, 'done'].join('\n'), fails];
  });
const work = fc.oneof(
  { weight: 12, arbitrary: edit },
  { weight: 2, arbitrary: edits },
  { weight: 3, arbitrary: part },
  { weight: 1, arbitrary: whole },
  { weight: 1, arbitrary: write },
  { weight: 2, arbitrary: command },
);

const options = fc.record({
  mode: fc.constantFrom('stub', 'remove'),
  edits: fc.constantFrom('safe', 'safe', 'last'),
  failures: fc.constantFrom('status', 'words'),
  keep: fc.record({ recent: fc.constantFrom(0, 0, 6) }),
});

const spoken = (calls) => ({
  system: null,
  turns: [
    { who: 'user', text: 'Go on.', more: [] },
    ...calls.map(([name, args, blocks, failed = false], index) => {
      const call = { id: `call_${index}`, name, args, answered: true, result: { json: null, blocks, failed } };
      return { who: 'assistant', reasoning: null, text: null, odd: false, calls: [call] };
    }),
    { who: 'assistant', reasoning: null, text: 'Done.', odd: false, calls: [] },
  ],
});

for (const format of someOf(FORMATS)) {
  test(format, () => {
    let edited = 0;
    fc.assert(
      fc.property(fc.array(work, { minLength: 1, maxLength: 70, size: 'max' }), options, (calls, how) => {
        const first = prune(sayIn(format, spoken(calls)), { format, ...how });
        edited += Object.keys(first.originals).length;
        const { report } = prune(first.messages, { format, ...how, trace: true });
        assert.deepEqual(report.trace, []);
      }),
      { numRuns: cases(60) },
    );
    assert.ok(edited > cases(100), `${edited} edits`);
  });
}

test('work that goes on after it was pruned', () => {
  const say = (calls) => sayIn('anthropic', spoken(calls));
  fc.assert(
    fc.property(
      fc.array(work, { minLength: 2, maxLength: 40, size: 'max' }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      options,
      (calls, at, how) => {
        const before = say(calls.slice(0, at * calls.length));
        const earlier = prune(before, { format: 'anthropic', ...how }).messages;
        const later = say(calls).slice(before.length - 1);
        const first = prune([...earlier.slice(0, -1), ...later], { format: 'anthropic', ...how });
        assert.deepEqual(prune(first.messages, { format: 'anthropic', ...how, trace: true }).report.trace, []);
      },
    ),
    { numRuns: cases(200) },
  );
});

test('an image goes as a repeated one only if the later one stays', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo'.repeat(20) } };
  const runs = fc.array(fc.tuple(fc.constantFrom('screenshot', 'npm test', 'ls -la'), fc.boolean(), fc.boolean()), {
    minLength: 2,
    maxLength: 8,
  });
  fc.assert(
    fc.property(runs, options, (calls, how) => {
      const messages = [
        { role: 'user', content: 'Go on.' },
        ...calls.flatMap(([command, shows, isLong], index) => [
          { role: 'assistant', content: [{ type: 'tool_use', id: `call_${index}`, name: 'Bash', input: { command } }] },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: `call_${index}`,
                content: [{ type: 'text', text: `${command}\n`.repeat(isLong ? 40 : 1) }, ...(shows ? [image] : [])],
              },
            ],
          },
        ]),
        { role: 'user', content: 'So?' },
      ];
      const first = prune(messages, { format: 'anthropic', ...how });
      const texts = first.messages.map((message) => JSON.stringify(message));
      texts.forEach((text, index) => {
        if (text.includes('the same as a later image'))
          assert.ok(texts.slice(index + 1).some((later) => later.includes(image.source.data)));
      });
      assert.deepEqual(prune(first.messages, { format: 'anthropic', ...how, trace: true }).report.trace, []);
    }),
  );
});
