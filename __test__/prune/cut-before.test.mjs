// `prune` doesn't change texts that `fit` or `compress` cut, and they supersede nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prune } from 'palimpsest';

const call = (id, name, args) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});
const result = (id, content) => ({ role: 'tool', tool_call_id: id, content });
const lines = Array.from({ length: 30 }, (_, line) => `const limit${line} = ${line};`);
const read = (id, content) => [call(id, 'read_text_file', { path: '/a.ts' }), result(id, content)];
const all = { keep: { recent: 0 } };
const pruned = (...messages) => prune([{ role: 'user', content: 'Go.' }, ...messages], all).messages.slice(1);

test('a failed edit has not changed the file, even after a mark', () => {
  const edit = [
    call('b', 'edit_file', { path: '/a.ts', edits: [{ oldText: 'x', newText: 'y' }] }),
    result('b', '[… 2 messages]\nError: Could not find exact match for edit'),
  ];
  const messages = [...read('a', lines.join('\n')), ...edit];
  assert.deepEqual(pruned(...messages), messages);
});

test('words prove no failure if the exit status may be in the part that is gone', () => {
  const run = (output) => [call('a', 'bash', { command: 'cat a.ts' }), result('a', output)];
  const output = [...lines, 'throw new Error("error: no limit");'].join('\n');
  const [, , whole] = prune([{ role: 'user', content: 'Go.' }, ...run(output)], { ...all, failures: 'words' }).messages;
  assert.match(whole.content, /failed/);
  const cut = [{ role: 'user', content: 'Go.' }, ...run(`${output}\n[…]`), { role: 'user', content: 'Go on.' }];
  assert.deepEqual(prune(cut, { ...all, failures: 'words' }).messages, cut);
});

test("the user's answer to a call stays, even if the sentence that introduces it is gone", () => {
  const run = (id, content) => [call(id, 'bash', { command: 'rm -rf build' }), result(id, content)];
  const messages = [...run('a', `[…]\nFirst move build/keep to /tmp.\n${lines.join('\n')}`), ...run('b', 'done')];
  assert.deepEqual(pruned(...messages), messages);
});

for (const [name, content] of [
  ['a summary', `[summary: ${lines[0]}]`],
  ['a summary with an id', `[summary#cce_sum_1: ${lines[0]}]`],
  ['a reference', '[cce:dup of m1 — 900 chars]'],
  ['a number of messages', '[1 message of general discussion omitted]'],
  ['a larger number', '[12 messages of general discussion omitted]'],
  ['lines and marks', `${lines[0]}\n[… 28 lines]\n${lines[29]}`],
  ['JSON with a mark', '["[… 30 items]"]'],
]) {
  test(`a read of which ${name} is left is not the file`, () => {
    const messages = [...read('a', lines.join('\n')), ...read('b', content)];
    assert.deepEqual(pruned(...messages), messages);
  });
}

test('a file with a text that looks like a mark goes if it is plainly stale', () => {
  const file = [...lines, '[…]', '[… 3 lines]'].join('\n');
  const write = (id, content) => [call(id, 'write_file', { path: '/a.ts', content }), result(id, 'ok')];
  const made = pruned(...read('a', file), ...write('b', `${file}\n// more`), ...write('c', `${file}\n// and more`));
  assert.match(made[1].content, /stale read/);
  assert.match(made[2].tool_calls[0].function.arguments, /superseded change/);
  assert.match(made[4].tool_calls[0].function.arguments, /and more/);
});

test('lines are not counted if some may have been removed', () => {
  const some = (id, first, content) => [
    call(id, 'read_file', { path: '/a.ts', start_line: first, end_line: first + 29 }),
    result(id, content),
  ];
  const messages = [
    ...some('a', 1, [...lines.slice(0, 2), '[… 20 lines]', ...lines.slice(22)].join('\n')),
    ...some('b', 5, lines.slice(4, 12).join('\n')),
  ];
  assert.deepEqual(pruned(...messages), messages);
});

test('brackets and dots that are not a mark are text', () => {
  const messages = [...read('a', lines.join('\n')), ...read('b', [...lines, 'list[…42]', '[… and more]', '[…:]', '[...]', '…'].join('\n'))];
  assert.match(pruned(...messages)[1].content, /stale read/);
});

// An edit is removed if a later read contains its result. From then on, that read is its only trace.
const EDITS = {
  'an edit': (from, to) => ['edit_file', { path: '/a.ts', edits: [{ oldText: from, newText: to }] }],
  'a patch': (from, to) => [
    'apply_patch',
    {
      input: `*** Begin Patch\n*** Update File: /a.ts\n@@\n-${from}\n${to
        .split('\n')
        .map((line) => `+${line}`)
        .join('\n')}\n*** End Patch`,
    },
  ],
  'an edit of a file far down': (from, to) => [
    'edit_file',
    { path: `/${'packages/'.repeat(12)}a.ts`, edits: [{ oldText: from, newText: to }] },
  ],
};
const change = (how, id, from, to) => [call(id, ...EDITS[how](from, to)), result(id, 'ok')];
const pathIn = (how) => EDITS[how]('', '')[1].path ?? '/a.ts';
const added = lines.map((line) => line.replace('limit', 'added')).join('\n');

for (const how of Object.keys(EDITS)) {
  const path = pathIn(how);
  const shows = (id, content) => [call(id, 'read_text_file', { path }), result(id, content)];
  for (const mode of ['stub', 'remove']) {
    const prunes = (...messages) =>
      prune([{ role: 'user', content: 'Go.' }, ...messages, { role: 'user', content: 'Go on.' }], { ...all, mode }).messages.slice(1, -1);
    test(`a read stays that alone holds what ${how} brought which is gone (${mode})`, () => {
      const write = [call('w', 'write_file', { path, content: lines.join('\n') }), result('w', 'ok')];
      const first = prunes(...write, ...change(how, 'b', lines[3], added), ...shows('c', lines.join('\n').replace(lines[3], added)));
      assert.match(first[2].tool_calls[0].function.arguments, /superseded change/);
      const changed = [...first, ...change(how, 'd', lines[5], '')];
      assert.deepEqual(prunes(...changed), changed);
      // It stays until another one shows it.
      const shown = prunes(...changed, ...shows('e', lines.join('\n').replace(lines[3], added).replace(lines[5], '')));
      assert.doesNotMatch(JSON.stringify(shown.slice(0, -2)), /const limit4 = 4;\\nconst limit5/);
    });

    test(`the rest that fit left of ${how} is pruned once (${mode})`, () => {
      const [edit, done] = change(how, 'b', '[…]', `${added}\n[…]`);
      const once = prunes(
        ...shows('a', lines.join('\n')),
        edit,
        done,
        ...shows('c', `${lines.join('\n')}\n${added}\n`),
        ...change(how, 'd', lines[5], ''),
      );
      assert.deepEqual(prunes(...once), once);
    });

    test(`${how} stays that is confirmed in the same words as another one (${mode})`, () => {
      const says = `The change was made. ${'Look at it with a read if you doubt it. '.repeat(6)}`;
      const confirmed = (id, from, to) => [change(how, id, from, to)[0], result(id, says)];
      const made = prunes(...confirmed('a', lines[3], lines[4]), ...confirmed('b', lines[7], lines[8]));
      assert.deepEqual([made[0], made[2]], [confirmed('a', lines[3], lines[4])[0], confirmed('b', lines[7], lines[8])[0]]);
    });
  }
}

test('an edit whose result is cut still has its new text', () => {
  const says = lines.slice(0, 12).join('\n');
  const edit = (id, said) => [call(id, 'edit_file', { path: '/a.ts', edits: [{ oldText: id, newText: added }] }), result(id, said)];
  // A read without content to cut.
  const shown = [call('c', 'read_text_file', { path: '/a.ts' }), result('c', 'limit')];
  const once = pruned(...edit('a', says), ...edit('b', 'ok'), ...shown, ...edit('d', says));
  assert.match(once[1].content, /same as a later result/);
  assert.deepEqual(pruned(...once), once);
});
