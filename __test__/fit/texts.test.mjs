// How cut texts read: kept lines are unchanged, marks are in the gaps, and structured text keeps its structure.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { countTokens, fit, prune } from 'palimpsest';
import { cases } from '../support/seed.mjs';
import { closed, lines, MARK, resultOf, sentence, Talk } from './talk.mjs';

/** Returns the rest of an output if the conversation gets this share of its tokens. */
function cut(output, share = 0.3, { name = 'Bash', args = { command: 'x' }, ...options } = {}) {
  const talk = closed(new Talk().user('Run it.').call(name, args, output));
  const { messages, fits } = fit(talk.messages, { limit: Math.floor(talk.tokens * share), ...options });
  assert.ok(fits);
  return resultOf(messages);
}

/** Asserts that `text` is `original` with marks in place of removed lines, and that each mark has the right count. */
function assertLinesOf(text, original) {
  const all = original.split('\n');
  let at = 0;
  let marks = 0;
  for (const line of text.split('\n')) {
    const mark = /^\[…(?: (\d+) (?:lines?|more like this))?\]$/.exec(line);
    if (mark && !all.includes(line)) {
      marks++;
      if (mark[1]) at += Number(mark[1]);
      else at = undefined;
      continue;
    }
    const place = at === undefined ? all.indexOf(line) : at;
    assert.equal(all[place], line, `line ${place}`);
    at = place + 1;
  }
  return marks;
}

test('lines stay unchanged and in order; marks count what is gone', () => {
  const text = lines(120);
  for (const share of [0.7, 0.4, 0.2]) {
    const kept = cut(text, share);
    assert.ok(assertLinesOf(kept, text) > 0);
    assert.match(kept, /^\[… \d+ lines\]$/m);
  }
});

test('sentences of a long line stay unchanged', () => {
  const sentences = Array.from({ length: 60 }, (_, n) => sentence(n));
  const kept = cut(sentences.join(' '));
  const said = kept
    .split('[…]')
    .flatMap((part) => part.trim().split(/(?<=\.) (?=The )/))
    .filter(Boolean);
  assert.ok(said.length > 5);
  for (const one of said) assert.ok(sentences.includes(one), one);
});

describe('JSON', () => {
  const item = (n) => ({ id: n, name: `item_${n}`, path: `src/part${n}.ts`, tags: ['a', 'b'] });
  const shapes = {
    'an array': Array.from({ length: 80 }, (_, n) => item(n)),
    'an array in an object': { items: Array.from({ length: 80 }, (_, n) => item(n)), total: 80 },
    'an object': Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`key_${n}`, item(n)])),
    'long strings': { path: 'a.ts', text: lines(80), note: lines(5), quoted: `"${lines(10)}" \\n\\` },
    'a long string in an array': [lines(80), lines(3)],
    'one line in a string': { text: lines(80).replaceAll('\n', ' ') },
    'no ASCII in it': { text: Array.from({ length: 60 }, (_, n) => `第${n}号车站在黄昏之前修好了，然后火车开走了。"引号"\\`).join('\n') },
  };
  for (const [name, value] of Object.entries(shapes)) {
    for (const indent of [0, 2]) {
      test(`${name} stays JSON, indented by ${indent}`, () => {
        const original = JSON.stringify(value, null, indent);
        for (const share of [0.7, 0.4, 0.2]) {
          const kept = cut(original, share, { shorten: false });
          assert.ok(kept.length < original.length);
          const parsed = JSON.parse(kept);
          assert.equal(Array.isArray(parsed), Array.isArray(value));
          if (name === 'an array in an object') {
            assert.equal(parsed.total, 80);
            const isMark = (one) => typeof one === 'string';
            const kept = parsed.items.filter((one) => !isMark(one));
            for (const one of kept) assert.deepEqual(one, item(one.id));
            const marks = parsed.items.filter(isMark);
            for (const mark of marks) assert.match(mark, /^\[…(?: ([4-9]|\d\d) items)?\]$/);
            assert.ok(marks.length > 0 && kept.length > 3);
            // A gap without a count has at most three lines.
            const counted = marks.reduce((sum, mark) => sum + Number(mark.match(/\d+/)?.[0] ?? 0), 0);
            const uncounted = marks.filter((mark) => mark === '[…]').length;
            const gone = 80 - kept.length;
            assert.ok(counted + uncounted <= gone && gone <= counted + 3 * uncounted, `${gone} are gone: ${marks}`);
          }
        }
      });
    }
  }

  test('generated JSON stays JSON', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.constantFrom(undefined, 1, '\t'),
        fc.constantFrom(0.2, 0.5, 0.8),
        (value, indent, share) => {
          const original = JSON.stringify(
            [value, { text: lines(30), all: [value, value, ...Array.from({ length: 30 }, (_, n) => item(n))] }],
            null,
            indent,
          );
          JSON.parse(cut(original, share));
        },
      ),
      { numRuns: cases(150), includeErrorInReport: true },
    );
  });

  test('arguments stay an object with the same members', () => {
    const args = {
      path: 'a.ts',
      overwrite: true,
      content: lines(60),
      edits: [
        { old: lines(20), new: lines(20, (n) => sentence(n + 60)) },
        { old: 'x', new: 'y' },
      ],
    };
    const talk = closed(new Talk().user('Write it.').call('Write', args, 'done'));
    for (const share of [0.7, 0.4, 0.25]) {
      const { messages } = fit(talk.messages, { limit: talk.tokens * share });
      const kept = messages.flatMap(({ tool_calls: calls }) => calls ?? [])[0].function.arguments;
      const parsed = JSON.parse(kept);
      const keysOf = (one) => (typeof one === 'object' ? Object.entries(one).map(([key, inner]) => [key, keysOf(inner)]) : typeof one);
      assert.deepEqual(keysOf(parsed), keysOf(args));
      assert.deepEqual([parsed.path, parsed.overwrite, parsed.edits[1]], ['a.ts', true, { old: 'x', new: 'y' }]);
      const { old } = parsed.edits[0];
      assert.ok([parsed.content, old].some((text) => text.startsWith('[… ')) && kept.length < JSON.stringify(args).length);
    }
  });
});

test('lines of code keep the signature above them', () => {
  const functions = Array.from(
    { length: 12 },
    (_, n) =>
      `export function step${n}(input) {\n${lines(8, (line) => `    use(input.part_${n}_${line}, "${sentence(10 * n + line)}");`)}\n}\n`,
  );
  for (const share of [0.6, 0.3]) {
    const kept = cut(functions.join('\n'), share);
    let signature;
    let bodies = 0;
    for (const line of kept.split('\n')) {
      signature = /^export function step(\d+)\(/.exec(line)?.[1] ?? signature;
      const body = /^ {4}use\(input\.part_(\d+)_/.exec(line)?.[1];
      if (body === undefined) continue;
      bodies++;
      assert.equal(body, signature, line);
    }
    assert.ok(bodies > 5);
  }
});

for (const [name, header] of Object.entries({
  "git's": (n) => `diff --git a/src/f${n}.ts b/src/f${n}.ts\n--- a/src/f${n}.ts\n+++ b/src/f${n}.ts\n`,
  plain: (n) => `--- a/src/f${n}.ts\n+++ b/src/f${n}.ts\n`,
})) {
  test(`lines of a diff keep the headers of hunk and file: ${name}`, () => {
    const hunk = (file, n) =>
      `@@ -${n}0,3 +${n}0,3 @@ in part ${file}_${n}\n${lines(6, (line) => `${'+- '[line % 3]}${sentence(100 * file + 10 * n + line)} file_${file} hunk_${n}`)}\n`;
    const diff = Array.from({ length: 6 }, (_, file) => header(file) + hunk(file, 1) + hunk(file, 2)).join('');
    for (const share of [0.6, 0.3]) {
      let [file, place, count] = [undefined, undefined, 0];
      for (const line of cut(diff, share).split('\n')) {
        file = /^(?:\+\+\+|diff --git) .*\/f(\d)\.ts$/.exec(line)?.[1] ?? file;
        place = /^@@ .* in part (\d_\d)$/.exec(line)?.[1] ?? place;
        const [, inFile, inHunk] = /file_(\d) hunk_(\d)$/.exec(line) ?? [];
        if (inFile === undefined) continue;
        count++;
        assert.deepEqual([file, place], [inFile, `${inFile}_${inHunk}`], line);
      }
      assert.ok(count > 5);
    }
  });
}

describe('logs', () => {
  const entry = (n) => `2024-05-01 12:${10 + (n % 50)}:07 INFO worker ${n} polled queue_${n % 7}`;
  const log = lines(100, (n) =>
    n === 0
      ? 'INFO go on and on as it is and was to be'
      : n === 61
        ? '2024-05-01 12:44:44 ERROR cannot open /var/db at 12'
        : n === 99
          ? 'INFO so it is as it was and that is all'
          : entry(n),
  );

  test('keep their first line, their last line and errors', () => {
    for (const share of [0.6, 0.3, 0.15]) {
      const kept = cut(log, share).split('\n');
      // Apart from its start and its end, the log contains nothing useful.
      assert.equal(kept[0], 'INFO go on and on as it is and was to be');
      assert.equal(kept.at(-1), 'INFO so it is as it was and that is all');
      assert.ok(
        kept.some((line) => line.includes('ERROR cannot open')),
        `at ${share}`,
      );
      assertLinesOf(kept.join('\n'), log);
    }
  });

  test('repeats are marked as such', () => {
    const waiting = lines(40, (n) => `waiting for the lock, attempt ${n}`);
    const kept = cut(`begin of it\n${waiting}\n${lines(20)}\nend of it`, 0.6);
    const [, count] = /^waiting for the lock, attempt \d+\n\[… (\d+) more like this\]$/m.exec(kept) ?? assert.fail(kept);
    assert.ok(Number(count) <= 39);
    // Lines that differ in a word are not repetitions.
    assert.doesNotMatch(cut(lines(120)), /more like this/);
  });
});

test('superseded content goes first, unless `prune` is false', () => {
  const file = lines(60);
  const other = lines(40, (n) => sentence(n + 300));
  const talk = new Talk().user('Look at it.').call('Read', { file_path: 'b.ts' }, other).call('Read', { file_path: 'a.ts' }, file);
  closed(
    talk.call('Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }, 'done').call(
      'Bash',
      { command: 'make' },
      lines(5, (n) => sentence(n + 600)),
    ),
  );
  const options = { keep: { recent: 0 } };
  const stays = new Set(resultOf(prune(talk.messages, options).messages, 1).split('\n'));
  const stale = file.split('\n').filter((line) => !stays.has(line));
  assert.ok(stale.length > 10);
  /** Returns the number of these lines that are left. */
  const left = (all, how) => {
    const text = JSON.stringify(fit(talk.messages, { limit: talk.tokens * 0.7, prune: how }).messages);
    return all.filter((line) => text.includes(line)).length;
  };
  assert.ok(left(stale, options) < stale.length / 4, `${left(stale, options)} of ${stale.length}`);
  assert.ok(left(stale, false) > stale.length / 3, `${left(stale, false)} of ${stale.length}`);
  assert.ok(left(other.split('\n'), options) > left(other.split('\n'), false));
  // The default and `true` are the defaults of `prune`, by which recent results are not stale.
  assert.deepEqual(left(stale, true), left(stale, undefined));
  const { messages } = fit(talk.messages, { limit: talk.tokens * 0.7, prune: options });
  assert.match(resultOf(messages, 1), /\[… \d+ lines: stale read of a\.ts\]/);
});

test('removed messages leave a line that names their contents', () => {
  const talk = new Talk().user('Begin.');
  for (let n = 0; n < 60; n++) talk.call(n % 3 ? 'Read' : 'Bash', { path: `src/f${n}.ts` }, sentence(n));
  closed(talk);
  const { messages } = fit(talk.messages, { limit: talk.tokens / 3 });
  const marks = messages.flatMap(({ content }) => content?.match(/\[… \d+ messages?[^\]]*\]/g) ?? []);
  const gone = marks.reduce((sum, mark) => sum + Number(/\d+/.exec(mark)[0]), 0);
  assert.equal(messages.length + gone, talk.messages.length);
  assert.ok(
    marks.some((mark) => /: (?:Read|Bash) ×\d+/.test(mark)),
    marks.join(),
  );
});

test('every cut is marked, in tokens that are counted', () => {
  const talk = closed(new Talk().user('Run it.').call('Bash', { command: 'x' }, lines(100)));
  const { messages, tokens } = fit(talk.messages, { limit: talk.tokens / 3 });
  assert.equal(countTokens(messages), tokens.after);
  assert.ok(
    resultOf(messages)
      .split('\n')
      .some((line) => MARK.test(line)),
  );
});
