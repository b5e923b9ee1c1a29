// The numbers in stubs and marks, checked against the original by a judge that shares no code with the engine.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { prune } from 'palimpsest';
import { cases } from '../support/seed.mjs';

const MARK = /\[… (?:lines (?<first>\d+)–(?<last>\d+)|(?<lines>\d+) lines?|(?<characters>\d+) characters)\](?<end>\n?)/gu;
const linesIn = (text) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

/** Asserts that the header and the marks of a cut result are right about what was cut. */
function judge(original, cut) {
  const header = cut.match(/^\[palimpsest:\w+ [^\]]*, (\d+) of (\d+) (lines?|characters) cut\]\n/);
  assert.ok(header, cut.slice(0, 120));
  const body = cut.slice(header[0].length);
  let [at, from] = [0, 0];
  const gone = { lines: 0, characters: 0, whole: true };
  const marks = [...body.matchAll(MARK)];
  assert.ok(marks.length > 0);
  marks.forEach((mark, index) => {
    const kept = body.slice(from, mark.index);
    assert.equal(original.slice(at, at + kept.length), kept, 'what is in front of a mark stands where the last gap ended');
    at += kept.length;
    from = mark.index + mark[0].length;
    // The next kept text shows where the gap ends, because all lines differ.
    const next = body.slice(from, marks[index + 1]?.index ?? body.length);
    // The text after the last mark is at the end, though its words may occur before.
    const end = marks[index + 1] === undefined ? original.length - next.length : original.indexOf(next, at);
    assert.ok(end >= at, 'kept texts stand in the original, in order');
    const gap = original.slice(at, end);
    const shown = mark.groups.end.length;
    const { first, last, lines, characters } = mark.groups;
    const startsLine = at === 0 || original[at - 1] === '\n';
    const endsLine = end === original.length || original[end - 1] === '\n';
    if (characters !== undefined) {
      assert.equal(Number(characters), gap.length - shown, mark[0]);
      gone.whole = false;
    } else {
      assert.ok(startsLine && endsLine, `${mark[0]} stands for whole lines`);
      if (lines !== undefined) assert.equal(Number(lines), linesIn(gap), mark[0]);
      else {
        const numbers = gap
          .trimEnd()
          .split('\n')
          .map((line) => parseInt(line, 10));
        assert.deepEqual(
          numbers,
          Array.from({ length: last - first + 1 }, (_, index) => Number(first) + index),
          mark[0],
        );
      }
    }
    gone.lines += linesIn(gap);
    gone.characters += gap.length - shown;
    at = end;
  });
  assert.equal(original.slice(at), body.slice(from));
  const [, cutOf, of, what] = header;
  assert.equal(what === 'characters', !gone.whole, header[0]);
  assert.equal(Number(cutOf), what === 'characters' ? gone.characters : gone.lines, header[0]);
  assert.equal(Number(of), what === 'characters' ? original.length : linesIn(original), header[0]);
  assert.ok(Number(cutOf) <= Number(of));
}

const session = (...calls) => [
  { role: 'user', content: 'Go.' },
  ...calls.flatMap(([name, input, content], index) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${index}`, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
    },
    { role: 'tool', tool_call_id: `c${index}`, content },
  ]),
];
const pruned = (...calls) => prune(session(...calls), { keep: { recent: 0 } }).messages;

const line = fc.record({
  length: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 200 }) },
    { weight: 1, arbitrary: fc.integer({ min: 2000, max: 9000 }) },
  ),
  fails: fc.boolean(),
  wide: fc.boolean(),
  blank: fc.integer({ max: 20, min: 0 }),
});
/** Outputs of lines that all differ. Some lines are only a number, so no word ends in a digit: the judge looks for the text behind a mark. */
const output = fc
  .record({
    lines: fc.oneof(
      { weight: 3, arbitrary: fc.array(line, { minLength: 30, maxLength: 200, size: 'max' }) },
      { weight: 1, arbitrary: fc.array(line, { minLength: 1, maxLength: 3 }) },
    ),
    eol: fc.constantFrom('\n', '\r\n'),
    ends: fc.boolean(),
    numbered: fc.boolean(),
    least: fc.constantFrom(0, 17_000, 40_000),
  })
  .map(({ lines, eol, ends, numbered, least }) => {
    const each = Math.ceil(least / lines.length);
    const texts = lines.map(({ length, fails, wide, blank }, index) => {
      if (blank === 0) return `${index}`;
      let text = `${numbered ? `${index + 1}\t` : ''}${fails ? 'error: ' : ''}l${index}`;
      for (let word = 0; text.length < Math.max(length, each); word++)
        text += ` w${index}x${word}z${wide && word % 7 === 0 ? '😀' : ''}${fails && word % 40 === 39 ? ' error' : ''}`;
      return text;
    });
    return texts.join(eol) + (ends ? eol : '');
  });

test('the stub of a long output tells how much is gone', () => {
  const seen = { lines: 0, characters: 0 };
  fc.assert(
    fc.property(output, (text) => {
      const { content } = pruned(['bash', { command: 'x' }, text])[2];
      if (content === text) return;
      judge(text, content);
      seen[/characters cut\]/.test(content.split('\n', 1)[0]) ? 'characters' : 'lines']++;
    }),
    { numRuns: cases(400) },
  );
  assert.ok(seen.lines > cases(5) && seen.characters > cases(5), JSON.stringify(seen));
});

test('one long line', () => {
  const one = JSON.stringify(
    Array.from({ length: 900 }, (_, i) => ({
      url: `https://example.org/comments/${i}`,
      body: i % 40 === 0 ? `error: failed to build target ${i}` : `comment number ${i}`,
    })),
  );
  for (const text of [one, `${one}\n`, `${one}\r\n`, `head\n${one}`, `${one}\ntail\n`]) {
    const { content } = pruned(['bash', { command: 'gh api' }, text])[2];
    assert.match(content, /^\[palimpsest:\w+ long output, \d+ of \d+ characters cut\]\n/);
    judge(text, content);
  }
});

test('stubs of reads and failed commands count their lines', () => {
  const seen = { whole: 0, cut: 0 };
  const count = (text, pattern) => Number(text.match(pattern)?.[1]);
  fc.assert(
    fc.property(output, (text) => {
      for (const [calls, whole] of [
        [
          [
            ['Read', { file_path: '/a' }, text],
            ['Write', { file_path: '/a', content: 'x' }, 'ok'],
          ],
          /^\[palimpsest:\w+ stale read of \/a, (\d+) lines?\]$/,
        ],
        [
          [
            ['Read', { file_path: '/a' }, text],
            ['Edit', { file_path: '/a', old_string: 'x', new_string: 'y' }, 'ok'],
          ],
          /^\[palimpsest:\w+ stale read of \/a, (\d+) lines?\]$/,
        ],
        [
          [
            ['bash', { command: 'x' }, text],
            ['bash', { command: 'x' }, 'ok'],
          ],
          /^\[palimpsest:\w+ run again later, (\d+) lines?\]$/,
        ],
        [[['Bash', { command: 'x' }, `Exit code 1\n${text}`]], /^\[palimpsest:\w+ failed, (\d+) lines?\] /],
        [
          [
            ['one', {}, text],
            ['two', {}, text],
          ],
          /^\[palimpsest:\w+ same as a later result of two, (\d+) lines?\]$/,
        ],
        [
          [
            ['Read', { file_path: '/a' }, text],
            ['Read', { file_path: '/a', offset: 5, limit: 20 }, text.split('\n').slice(4, 24).join('\n')],
          ],
          /^\[palimpsest:\w+ stale read of \/a, (\d+) lines?\]$/,
        ],
      ]) {
        const messages = session(...calls);
        const { content } = prune(messages, { keep: { recent: 0 } }).messages[2];
        const original = messages[2].content;
        if (content === original) continue;
        if (whole.test(content)) {
          seen.whole++;
          assert.equal(count(content, whole), linesIn(original));
        } else {
          seen.cut++;
          judge(original, content);
        }
      }
    }),
    { numRuns: cases(100) },
  );
  assert.ok(seen.whole > cases(100) && seen.cut > cases(50), JSON.stringify(seen));
});
