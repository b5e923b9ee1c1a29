// A read of some lines supersedes earlier reads of these lines, and an edit if it shows all of its result.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { prune } from 'palimpsest';
import { cases } from '../support/seed.mjs';

const call = (id, name, args) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});
const result = (id, content) => ({ role: 'tool', tool_call_id: id, content });
const path = '/work/app/a.ts';
const numbered = (lines, first) => lines.map((line, index) => `${String(first + index).padStart(6)}\t${line}`).join('\n');
const inJson = (output) => JSON.stringify({ output, metadata: { exit_code: 0, duration_seconds: 0.1 } });

/** Ways to read the lines from `first` to `last`. `lines` is their text. */
const READS = {
  Claude: (id, first, last, lines) => [
    call(id, 'Read', { file_path: path, offset: first, limit: last - first + 1 }),
    result(id, numbered(lines, first)),
  ],
  Gemini: (id, first, last, lines) => [
    call(id, 'read_file', { absolute_path: path, offset: first - 1, limit: last - first + 1 }),
    result(id, lines.join('\n')),
  ],
  sed: (id, first, last, lines) => [
    call(id, 'bash', { command: `sed -n '${first},${last}p' ${path}` }),
    result(id, `${lines.join('\n')}\n`),
  ],
  'sed, trimmed': (id, first, last, lines) => [
    call(id, 'bash', { command: `sed -n '${first},${last}p' ${path}` }),
    result(id, lines.join('\n').trimEnd()),
  ],
  Codex: (id, first, last, lines) => [
    call(id, 'shell', { command: ['bash', '-lc', `sed -n '${first},${last}p' ${path}`] }),
    result(id, inJson(lines.join('\n'))),
  ],
  'Codex, numbered': (id, first, last, lines) => [
    call(id, 'shell', { command: ['bash', '-lc', `nl -ba ${path} | sed -n '${first},${last}p'`] }),
    result(id, inJson(numbered(lines, first))),
  ],
  cat: (id, _first, _last, lines) => [call(id, 'bash', { command: `cat ${path}` }), result(id, `${lines.join('\n')}\n`)],
  'with a heading': (id, first, last, lines) => [
    call(id, 'str_replace_based_edit_tool', { command: 'view', path, view_range: [first, last] }),
    result(id, `Here's the result of running \`cat -n\` on ${path}:\n${numbered(lines, first)}\n`),
  ],
  'in blocks': (id, first, last, lines) => [
    call(id, 'read_file', { absolute_path: path, offset: first - 1, limit: last - first + 1 }),
    result(id, [
      { type: 'text', text: 'src/a.ts' },
      { type: 'text', text: lines.join('\n') },
    ]),
  ],
};

const name = fc.stringMatching(/^[a-z]{4,12}$/);
const line = fc.oneof(
  { weight: 4, arbitrary: name.map((word) => `export const ${word} = "${word.toUpperCase()} is what it says, and more";`) },
  { weight: 1, arbitrary: fc.constantFrom('', '}', '{"a": 1}') },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 23 }).map((hour) => `${hour}:30 the shift begins`) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }).map((id) => `${id}\tcolumns of table ${id}`) },
  { weight: 1, arbitrary: name.map((word) => `// ${`${word} `.repeat(400)}`) },
);
/** A line of a table, whose number is its own: lines without one may be before it. */
const row = Symbol('row');
const withNumbers = (lines) => {
  let id = 0;
  return lines.map((one) => (one === row ? `${++id}\tthe ${id}th row of a table, with all of its columns` : one));
};
const linesOf = (minLength, maxLength) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.array(line, { minLength, maxLength }) },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.oneof({ weight: 5, arbitrary: fc.constant(row) }, { weight: 1, arbitrary: line }), { minLength, maxLength })
        .map(withNumbers),
    },
  );
const readOf = (count) =>
  fc
    .tuple(fc.constantFrom(...Object.keys(READS)), fc.integer({ min: 1, max: count }), fc.integer({ min: 0, max: 30 }))
    .map(([way, first, more]) => (way === 'cat' ? { way, first: 1, last: 1000 } : { way, first, last: first + more }));
const pruned = (messages, mode) =>
  prune([{ role: 'user', content: 'Go.' }, ...messages, { role: 'assistant', content: 'Done.' }], { mode, keep: { recent: 0 } }).messages;
const textOf = (content) => {
  const texts = typeof content === 'string' ? [content] : content.map(({ text }) => text);
  return texts.map((text) => (text.startsWith('{"output"') ? JSON.parse(text).output : text)).join('\n');
};
const resultIn = (messages, id) => textOf(messages.find((message) => message.tool_call_id === id)?.content ?? '');

test('lines that no later read shows are still there', () => {
  let cut = 0;
  const given = linesOf(2, 40).chain((lines) =>
    fc.record({ lines: fc.constant(lines), a: readOf(lines.length), b: readOf(lines.length), mode: fc.constantFrom('stub', 'remove') }),
  );
  fc.assert(
    fc.property(given, ({ lines, a, b, mode }) => {
      const read = (id, { way, first, last }) => READS[way](id, first, last, lines.slice(first - 1, last));
      const messages = [...read('a', a), ...read('b', b)];
      const made = pruned(messages, mode);
      if (resultIn(made, 'a') !== resultIn(messages, 'a')) cut++;
      const left = resultIn(made, 'a');
      for (let number = a.first; number <= Math.min(a.last, lines.length); number++) {
        const isShown = number >= b.first && number <= b.last;
        assert.ok(isShown || left.includes(lines[number - 1].trimEnd()), `line ${number} is gone`);
      }
    }),
    { numRuns: cases(3000) },
  );
  assert.ok(cut > cases(200), `only ${cut} reads were cut`);
});

test('an edit stays until a read shows all of its result', () => {
  let gone = 0;
  const edits = {
    Edit: (from, to) => call('e', 'Edit', { file_path: path, old_string: from, new_string: to }),
    apply_patch: (from, to) =>
      call('e', 'apply_patch', {
        input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${from}\n${to
          .split('\n')
          .map((one) => `+${one}`)
          .join('\n')}\n*** End Patch`,
      }),
    edit_file: (from, to) => call('e', 'edit_file', { path, edits: [{ oldText: from, newText: to }] }),
  };
  const given = fc.tuple(linesOf(1, 20), linesOf(2, 20)).chain(([before, brought]) =>
    fc.record({
      before: fc.constant(before),
      brought: fc.constant(brought),
      edit: fc.constantFrom(...Object.keys(edits)),
      read: readOf(before.length + brought.length),
      mode: fc.constantFrom('stub', 'remove'),
    }),
  );
  fc.assert(
    fc.property(given, ({ before, brought, edit, read: { way, first, last }, mode }) => {
      const lines = [...before, ...brought, 'the end'];
      const shown = lines.slice(first - 1, last);
      const messages = [edits[edit]('the old', brought.join('\n')), result('e', 'ok'), ...READS[way]('b', first, last, shown)];
      const made = pruned(messages, mode);
      const isThere = JSON.stringify(made).includes(JSON.stringify(messages[0]).slice(1, -1));
      if (!isThere) gone++;
      assert.ok(isThere || brought.every((one) => one === '' || shown.includes(one)), 'the edit is gone');
    }),
    { numRuns: cases(3000) },
  );
  assert.ok(gone > cases(100), `only ${gone} edits went`);
});

test('a program that reports that it cannot print a file shows nothing of it', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `export const limit${index} = ${index};`);
  const cat = (id, output) => [call(id, 'bash', { command: `cat ${path}` }), result(id, output)];
  const messages = [
    call('e', 'Edit', { file_path: path, old_string: 'x', new_string: lines.join('\n') }),
    result('e', 'ok'),
    ...cat('b', `cat: ${path}: No such file or directory`),
  ];
  assert.deepEqual(pruned(messages).slice(1, -1), messages);
  messages.splice(2, 2, ...cat('b', lines.join('\n')));
  assert.match(pruned(messages)[1].tool_calls[0].function.arguments, /superseded/);
});

test('a read that another one replaced holds no edit, even after that one was cut itself', () => {
  const file = Array.from({ length: 34 }, (_, line) => `let name${line + 1} = compute(total);`);
  const messages = [
    call('e', 'Edit', {
      file_path: '/r/a.ts',
      old_string: 'x',
      new_string: `This is new.\n${'The rest is as it was. '.repeat(12)}\nThat is all.`,
    }),
    result('e', 'done'),
    call('c', 'Bash', { command: 'cat /r/a.ts' }),
    result('c', 'Let me look at it.'),
    call('r', 'Read', { file_path: '/r/a.ts' }),
    result('r', numbered(file, 1)),
    call('p', 'Read', { file_path: '/r/a.ts', offset: 1, limit: 8 }),
    result('p', numbered(file.slice(0, 8), 1)),
  ];
  const once = prune(messages, { keep: { recent: 0 } });
  assert.match(once.messages[5].content, /^\[palimpsest:\w+ read of \/r\/a\.ts, in part read again later, 8 of 34 lines cut\]/);
  assert.equal(once.messages[0], messages[0]);
  assert.deepEqual(prune(once.messages, { keep: { recent: 0 } }).messages, once.messages);
});
