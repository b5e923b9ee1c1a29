// Tools that the package does not know: what reports say about them, which are guessed to be reads, and that a guess takes nothing out unless the caller
// confirms it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fit, prune, restore } from 'palimpsest';
import { Talk } from './parts.mjs';

const all = { keep: { recent: 0 } };
/** A text of `lines` lines with the same words except for `tag`. */
const text = (tag, lines = 12) =>
  Array.from({ length: lines }, (_, line) => `${tag} stands in line ${line}, and the rest of it is as it was`).join('\n');

/** A conversation with these calls, each [name, arguments, result]. */
function talkOf(calls) {
  const talk = new Talk();
  talk.say('user', 'Go on.');
  for (const [name, args, result] of calls) talk.call(name, args, result);
  return talk.messages;
}
/** Returns the rest of each call's result. */
const resultsOf = (messages) => messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
const prunedOf = (calls, options = {}) => {
  const { messages, report } = prune(talkOf(calls), { ...all, ...options });
  return { results: resultsOf(messages), report };
};
const stale = /^\[palimpsest:\w+ stale read of /;

describe('unknown tools', () => {
  test('are counted by name, in the reports of prune and fit', () => {
    const calls = [
      ...Array.from({ length: 6 }, (_, id) => ['get_document', { id }, text(`d${id}`)]),
      ['Read', { file_path: '/r/a.ts' }, text('a')],
      ['book_flight', { to: 'Rome' }, text('f')],
      ['own', {}, text('o')],
    ];
    const toolMap = { own: { kind: 'other' } };
    const expected = { get_document: 6, book_flight: 1 };
    assert.deepEqual(prune(talkOf(calls), { toolMap }).report.unknownTools, expected);
    for (const budget of [300, 1e6]) {
      assert.deepEqual(fit(talkOf(calls), { limit: budget, prune: { toolMap } }).report.unknownTools, expected);
      assert.ok(!('unknownTools' in fit(talkOf(calls), { limit: budget, prune: false }).report));
    }
    assert.deepEqual(prune(talkOf([])).report.unknownTools, {});
  });

  test('a call that waits for its result counts', () => {
    const messages = talkOf([['book_flight', {}, 'done']]).slice(0, -1);
    assert.deepEqual(prune(messages, { format: 'openai-chat' }).report.unknownTools, { book_flight: 1 });
  });

  test('names are any names', () => {
    const { unknownTools } = prune(talkOf(['__proto__', 'constructor', 'toString'].map((name) => [name, {}, 'x']))).report;
    assert.deepEqual(Object.entries(unknownTools), [
      ['__proto__', 1],
      ['constructor', 1],
      ['toString', 1],
    ]);
  });

  test('of 10,000 names the report holds those with the most calls', () => {
    const calls = Array.from({ length: 10_000 }, (_, index) => [`tool_${index}`, {}, 'x']);
    calls.push(['often', {}, 'x'], ['often', {}, 'x'], ['x'.repeat(100_000), {}, 'x'], ['x'.repeat(100_000), {}, 'x']);
    const reads = Array.from({ length: 1000 }, (_, index) => [`server${index}_get_file`, { path: 'a' }, 'x']);
    const toolMap = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`mine_${index}`, { kind: 'other' }]));
    const { unknownTools, guessedTools, warnings } = prune(talkOf([...calls, ...reads]), { toolMap }).report;
    const [[first], [second], ...others] = Object.entries(unknownTools);
    assert.deepEqual([first, second.length, others.length], ['often', 129, 98]);
    assert.equal(Object.keys(guessedTools).length, 100);
    assert.equal(warnings.length, 100);
    assert.ok(JSON.stringify({ unknownTools, guessedTools, warnings }).length < 30_000);
  });
});

describe('warnings', () => {
  const calls = [
    ['load', { file: 'a', from: 1 }, 'x'],
    ['save', { to: { file: 'a' }, body: 'b' }, 'x'],
    ['run', { cmd: 'ls' }, 'x'],
    ['mcp__docs__show', { page: 'a' }, 'x'],
    ['wiki_load_page', { pages: [{ name: 'a' }] }, 'x'],
    ['free', 'no JSON', 'x'],
  ];
  for (const [what, toolMap, expected] of [
    ['nothing is wrong', { load: { kind: 'read', path: 'file', offset: 'from' } }, []],
    ['no call has the name', { laod: { kind: 'read', path: 'file' } }, ['["laod"]: no call has this name']],
    ['no call has the path', { load: { kind: 'read', path: 'flie' } }, ['["load"].path: no call has the argument "flie"']],
    ['no call has the command', { run: { kind: 'command', command: 'command' } }, ['["run"].command: no call has the argument "command"']],
    ['an optional argument that no call uses', { run: { kind: 'command', command: 'cmd', cwd: 'dir' } }, []],
    [
      'an optional argument, and calls have others',
      { load: { kind: 'read', path: 'file', offset: 'start' } },
      ['["load"].offset: no call has the argument "start"'],
    ],
    ['a path in an object', { save: { kind: 'write', path: 'to.file' } }, []],
    [
      'a path in an object that is not there',
      { save: { kind: 'write', path: 'to.path' } },
      ['["save"].path: no call has the argument "to.path"'],
    ],
    ['a path in an array', { load_page: { kind: 'read', path: 'pages.name' } }, []],
    ['a tool of a server', { show: { kind: 'read', path: 'page' } }, []],
    ['calls without arguments', { free: { kind: 'read', path: 'file' } }, ['["free"].path: no call has the argument "file"']],
    ['a tool of no kind', { free: { kind: 'other' } }, []],
    [
      'several',
      { a: { kind: 'other' }, load: { kind: 'read', path: 'x' } },
      ['["a"]: no call has this name', '["load"].path: no call has the argument "x"'],
    ],
  ]) {
    test(what, () => {
      const talk = talkOf(calls);
      talk.find(({ tool_calls }) => tool_calls?.[0].function.name === 'free').tool_calls[0].function.arguments = 'no JSON';
      assert.deepEqual(
        prune(talk, { toolMap }).report.warnings,
        expected.map((warning) => `options.toolMap${warning}`),
      );
      assert.deepEqual(
        fit(talk, { limit: 1e6, prune: { toolMap } }).report.warnings,
        expected.map((warning) => `options.prune.toolMap${warning}`),
      );
    });
  }

  test('without a map there are none', () => assert.deepEqual(prune(talkOf(calls)).report.warnings, []));

  test('arguments of any depth are looked through', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const talk = talkOf([['load', {}, 'x']]);
    talk[1].tool_calls[0].function.arguments = `{"file":${deep}}`;
    const { warnings } = prune(talk, { toolMap: { load: { kind: 'read', path: 'file.a.b' } } }).report;
    assert.deepEqual(warnings, ['options.toolMap["load"].path: no call has the argument "file.a.b"']);
  });
});

describe('names of servers', () => {
  for (const name of ['mcp__files__read_file', 'files.read_file', 'files_read_file', 'mcp_files_read_file', 'files-read_file']) {
    test(`${name} reads a file`, () => {
      const server = name.replace('read_file', '');
      const { results, report } = prunedOf([
        [name, { path: '/r/a.ts' }, text('a')],
        [name, { path: '/r/b.ts' }, text('b')],
        [`${server}write_file`, { path: '/r/a.ts', content: 'x' }, 'done'],
      ]);
      assert.match(results[0], stale);
      assert.equal(results[1], text('b'));
      assert.deepEqual([report.unknownTools, report.guessedTools], [{}, {}]);
    });
  }

  test('what may be a server or a word of another tool changes no file of others', () => {
    for (const [name, args] of [
      ['preview_edit_file', { path: '/r/a.ts', edits: [{ oldText: 'x', newText: 'y' }] }],
      ['backup_write_file', { path: '/r/a.ts', content: 'x' }],
      ['other_read_file', { path: '/r/a.ts' }],
      ['ssh_execute_command', { command: 'rm /r/a.ts' }],
      ['ssh_execute_command', { command: 'cd /elsewhere' }],
    ]) {
      const { results } = prunedOf([
        ['Read', { file_path: '/r/a.ts' }, text('a')],
        [name, args, text('b')],
        ['Bash', { command: 'cat /r/b.ts' }, text('c')],
      ]);
      assert.deepEqual(results, [text('a'), text('b'), text('c')], name);
    }
  });

  test('a command is superseded where it was run', () => {
    const run = (name, tag) => [name, { command: 'npm test' }, text(tag)];
    const { results } = prunedOf([run('a_execute_command', 'a'), run('b_execute_command', 'b'), run('a_execute_command', 'c')]);
    assert.match(results[0], /run again later/);
    assert.deepEqual(results.slice(1), [text('b'), text('c')]);
  });

  test('a tool of the map is found behind a server', () => {
    for (const name of ['load_page', 'mcp__docs__load_page', 'docs.load_page', 'docs_load_page']) {
      const { results, report } = prunedOf(
        [
          [name, { page: 'a' }, text('old')],
          [name, { page: 'a' }, text('new')],
        ],
        { toolMap: { load_page: { kind: 'read', path: 'page' } } },
      );
      assert.match(results[0], stale, name);
      assert.deepEqual([report.unknownTools, report.warnings], [{}, []], name);
    }
  });
});

describe('guessed reads', () => {
  for (const [name, args] of [
    ['get_document', { uri: 'docs/a.md' }],
    ['loadFile', { file: 'a.ts' }],
    ['fetch', { url: 'https://example.com/a?b=1' }],
    ['mcp__web__fetch_page', { url: 'https://example.com' }],
    ['drive_get_file_contents', { filePath: 'a.ts', branch: 'main' }],
    ['open_notebook', { notebook_path: 'a.ipynb' }],
    ['file_get', { 'file-name': 'a' }],
    ['read_file', { filename: 'a.ts' }],
  ]) {
    test(`${name} ${Object.keys(args)}`, () => {
      const other = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, `${value}x`]));
      const calls = [
        [name, args, text('old')],
        [name, other, text('other')],
        [name, args, text('new')],
      ];
      const { results, report } = prunedOf(calls);
      const whole = [text('old'), text('other'), text('new')];
      assert.deepEqual([results, report.staleReads], [whole, 0]);
      assert.deepEqual(report.guessedTools, { [name]: { kind: 'read', path: Object.keys(args)[0] } });
      assert.deepEqual(fit(talkOf(calls), { limit: 1e6 }).report.guessedTools, report.guessedTools);
      // The caller confirms what the report proposes.
      const confirmed = prunedOf(calls, { toolMap: report.guessedTools });
      assert.match(confirmed.results[0], stale);
      assert.deepEqual([confirmed.results.slice(1), confirmed.report.staleReads], [whole.slice(1), 1]);
      assert.deepEqual(prunedOf(calls, { toolMap: { [name]: { kind: 'other' } } }).results, whole);
    });
  }

  for (const [name, args] of [
    ['get_next_page', { url: 'https://example.com' }],
    ['read_inbox', { path: 'inbox' }],
    ['get_file_status', { path: 'a' }],
    ['delete_file_get', { path: 'a' }],
    ['pop_get_document', { uri: 'a' }],
    ['read_and_delete_file', { path: 'a' }],
    ['get_weather', { city: 'Rome' }],
    ['get_document', { id: '17' }],
    ['fetch', { url: 'https://example.com', method: 'POST', body: 'x' }],
    ['open_file', { path: 'a', mode: 'w' }],
    ['get_document', { uri: ['a'] }],
    ['save_document', { path: 'a' }],
    ['write_page', { url: 'a', content: 'x' }],
  ]) {
    test(`nothing is guessed of ${name} ${Object.keys(args)}`, () => {
      const { results, report } = prunedOf([
        [name, args, text('one')],
        [name, args, text('two')],
      ]);
      assert.deepEqual(results, [text('one'), text('two')]);
      assert.deepEqual([report.unknownTools, report.guessedTools], [{ [name]: 2 }, {}]);
    });
  }
});

// Names of tools of all kinds: known, guessed, misleading, of servers.
const names = [
  'Read',
  'read_file',
  'write_file',
  'Edit',
  'Bash',
  'grep',
  'get_document',
  'get_file',
  'load_page',
  'fetch',
  'fetch_url',
  'readNotebook',
  'docs_get_file',
  'docs_read_file',
  'wiki_read_file',
  'wiki_write_file',
  'mcp__docs__get_file',
  'preview_edit_file',
  'get_next_page',
  'read_queue',
  'get_status',
  'open_file',
  'delete_file',
  'list_files',
];
const READ_NAMES = /^Read$|get_document|get_file|load_page|fetch|readNotebook|open_file|read_file/;
const paths = ['a.ts', './a.ts', '/r/a.ts', 'b.md', 'https://example.com/a.ts'];
const call = fc.record({
  name: fc.constantFrom(...names),
  key: fc.constantFrom('path', 'path', 'file_path', 'uri', 'url', 'filename', 'id'),
  path: fc.constantFrom(...paths),
  more: fc.constantFrom({}, {}, {}, { content: 'x' }, { page: 2 }, { method: 'POST' }, { command: 'cat a.ts' }),
});
/** Some calls, made again and again with other results. */
const calls = fc
  .tuple(
    fc.array(call, { minLength: 2, maxLength: 6, size: 'max' }),
    fc.array(fc.record({ which: fc.nat(5), tag: fc.constantFrom('one', 'two', 'three'), lines: fc.constantFrom(1, 4, 12, 40) }), {
      minLength: 4,
      maxLength: 24,
      size: 'max',
    }),
  )
  .map(([pool, made]) => made.map(({ which, ...result }) => ({ ...pool[which % pool.length], ...result })));

test('over generated conversations, what is only guessed of a tool takes nothing out', () => {
  const seen = { guessed: 0, edits: 0 };
  const property = (calls, mode) => {
    const messages = talkOf(
      calls.map(({ name, key, path, more, tag, lines }, index) => [name, { [key]: path, ...more }, text(`${tag}${index}`, lines)]),
    );
    const made = new Map(
      messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id, function: { name, arguments: args } }) => [id, { name, args }])),
    );
    const { messages: pruned, originals, report } = prune(messages, { ...all, mode, trace: true });
    seen.guessed += Object.keys(report.guessedTools).length;
    for (const { reason, callId, supersededBy } of report.trace) {
      seen.edits++;
      if (supersededBy === undefined) continue;
      const [gone, by] = [made.get(callId), made.get(supersededBy.callId)];
      // A call of a tool that is known has its arguments.
      const isKnown = ({ name, args }) => !(name in report.guessedTools) || (/read_file$|^Read$/.test(name) && /^\{"(path|file_path)"/.test(args));
      assert.ok(isKnown(gone) && isKnown(by), `${reason}: ${JSON.stringify([gone, by])}`);
    }
    for (const name of Object.keys(report.guessedTools)) assert.match(name, READ_NAMES);
    assert.deepEqual(restore(pruned, originals).messages, messages);
    assert.deepEqual(prune(pruned, { ...all, mode }).messages, pruned, 'pruning twice is pruning once');
  };
  fc.assert(fc.property(calls, fc.constantFrom('stub', 'remove'), property), { numRuns: 600 });
  assert.ok(seen.guessed > 50 && seen.edits > 300, JSON.stringify(seen));
});
