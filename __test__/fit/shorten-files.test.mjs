// What an edit may quote is left as it is, however it was printed: generated contents of files, printed in every form, in every format.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { countTokens, createSession, fit, fitAsync, fitRequest } from 'palimpsest';
import { Random } from '../support/random.mjs';
import { FORMATS, sayIn } from '../support/transcripts.mjs';
import { cases, SEED } from '../support/seed.mjs';

const random = new Random(SEED);

const waiting = `${'waiting for the lock of the database\n'.repeat(12)}done\n`;
const called = (id, [name, args], output) => ({
  who: 'assistant',
  reasoning: null,
  text: null,
  calls: [{ id, name, args, result: { blocks: output, json: null, failed: false }, answered: true }],
  odd: false,
});
/** A conversation with results, in a format, and before them one that can be shorter. */
const say = (format, results) =>
  sayIn(format, {
    system: null,
    turns: [
      { who: 'user', text: 'Go on.', more: [] },
      ...[[['Bash', { command: 'make' }], waiting], ...results].map(([call, output], index) => called(`call_${index}`, call, output)),
      { who: 'assistant', reasoning: null, text: 'So it is.', calls: [], odd: false },
      { who: 'user', text: 'And now?', more: [] },
    ],
  });

/** Whether the results of a conversation stay as they are in `fit`, which makes another one shorter, and in a session. */
function stays(format, results, options = {}) {
  const messages = say(format, results);
  const without = say(format, []);
  const { messages: fitted, report } = fit(messages, { limit: countTokens(messages, { format }) - 1, format, margin: 0, ...options });
  assert.ok(
    Object.keys(report.shortened ?? {}).every((rule) => rule === 'repeats'),
    `${format}: ${JSON.stringify(report.shortened)}`,
  );
  const { messages: sent } = createSession({ limit: 1e6, format, ...options }).next(messages);
  // Only the message with the result of `make` is another one.
  const first = fit(without, { limit: countTokens(without, { format }) - 1, format, margin: 0 }).messages;
  const shorter = JSON.stringify(first).match(/waiting for the lock of the database.{1,40}more times/)?.[0];
  assert.ok(shorter !== undefined, format);
  for (const made of [fitted, sent]) {
    const changed = made.filter((message, index) => JSON.stringify(message) !== JSON.stringify(messages[index]));
    assert.equal(made.length, messages.length);
    // A session has a message with such a result whole.
    if (changed.length === 0 && (made === fitted || options.shorten === undefined)) return false;
    // Some formats have all results in one message.
    const restored = JSON.stringify(made).replaceAll(JSON.stringify(shownAs(waiting)).slice(1, -1), JSON.stringify(waiting).slice(1, -1));
    if (restored !== JSON.stringify(messages)) return false;
  }
  return true;
}
const shownAs = (text) => text.replace(/(waiting.*\n)\1+/, '$1[… 11 more times]\n');

const lines = (count, of) => Array.from({ length: count }, (_, n) => of(n)).join('\n');
const word = () => random.pick(['lamp', 'queue', 'invoice', 'shard', 'é→', '取得', 'x1', '{', '}', '"a b"']);
const value = (depth) =>
  random.pick([
    () => word(),
    () => random.integer(0, 999),
    () => null,
    () => (depth === 0 ? [] : Array.from({ length: random.integer(0, 6) }, () => ({ id: random.integer(0, 9), name: word() }))),
    () => (depth === 0 ? {} : { [word()]: value(depth - 1), [word()]: value(depth - 1) }),
  ])();
/** Kinds of contents of a file that a rule could make shorter if it were none. */
const CONTENTS = {
  'indented JSON': () =>
    JSON.stringify({ [word()]: value(3), rows: Array.from({ length: 6 }, () => ({ an_id: 1, its_name: word() })) }, null, 2),
  'JSON with tabs': () => JSON.stringify({ rows: [1, 2, 3].map((n) => ({ identifier: n, value: value(2) })) }, null, '\t'),
  'JSON in a line': () =>
    `${JSON.stringify({ rows: Array.from({ length: 8 }, (_, n) => ({ identifier: n, name: word() })) }).replaceAll(',', ', ')}\n`,
  'lines of JSON': () => lines(5, (n) => `{ "id": ${n},  "name": "${n}" }`),
  CRLF: () => lines(9, () => `${word()} ${word()}`).replaceAll('\n', '\r\n'),
  'carriage returns': () => `MSH|^~\\&|LAB|H1\rPID|1||4711\rOBX|1|NM\r${word()}\n`,
  'tab-separated values': () => lines(9, (n) => `${String(n + 1).padStart(6)}\t${word()}\t${word()}`),
  'a Markdown table': () => `| a | b |\n| --- | --- |\n${lines(6, () => `| ${word()} | ${word()} |`)}`,
  'equal lines': () => `${`  ${word()} and some more of it\n`.repeat(random.integer(3, 9))}${word()}\n`,
  escapes: () => lines(6, () => `\u001b[1;3${random.integer(0, 7)}m${word()}\u001b[0m \u001b[2K`),
  'blanks at ends': () => lines(6, () => `${word()}   \t`),
  'numbers with arrows': () => lines(6, (n) => `${String(n + 1).padStart(6)}→${word()}`),
  'a diff': () => `--- a/x\n+++ b/x\n@@ -1,6 +1,6 @@\n${lines(5, () => '     same line of the file, again')}\n`,
};
const contents = () => {
  const kinds = Object.keys(CONTENTS);
  return lines(random.integer(1, 2), () => CONTENTS[random.pick(kinds)]());
};

const name = () => random.pick(['app.json', 'src/a.ts', '/etc/x.conf', 'C:\\x\\a.txt', 'my file.txt', 'log']);
/** Calls that print a file, each for a name. */
const FORMS = [
  ...[
    'cat',
    '/bin/cat',
    'Get-Content',
    'gc',
    'type',
    'head -n 40',
    'tail -40',
    'nl',
    'sed -n 1,40p',
    'less',
    'bat -p',
    'jq .',
    'xxd',
    'tac',
  ],
  ...[
    'sudo cat',
    'env cat',
    'env A=1 cat',
    'timeout 5 cat',
    'docker exec web cat',
    'kubectl exec pod -- cat',
    'ssh host cat',
    'xargs cat <',
  ],
  ...[
    'grep -A 9 x',
    'rg -n x',
    'findstr x',
    'Select-String x',
    'awk 1',
    'diff /dev/null',
    'git diff',
    'git show HEAD:a',
    'git cat-file -p HEAD:a',
  ],
  ...[
    'git log -p',
    'git blame',
    'git stash show -p',
    'npx prettier',
    'base64 -d',
    'strings',
    'sort',
    'cut -c1-80',
    'our-cat',
    './show_code.sh',
  ],
  ...[
    'cd /r && cat',
    'npm test; cat',
    'npm test && cat',
    'make || cat',
    'echo "$(<x)"',
    'while read l; do echo "$l"; done <',
    'vim -es',
    'perl -pe 1',
  ],
]
  .map((command) => (file) => ['Bash', { command: `${command} ${file}` }])
  .concat([
    (file) => ['Bash', { command: `bash -c "cat ${file}"` }],
    (file) => ['Bash', { command: `sh -lc 'cd x && bash -c "cat ${file}"'` }],
    (file) => ['Bash', { command: `python -c "print(open('${file}').read())"` }],
    (file) => ['Bash', { command: `python3 - <<'EOF'\nprint(open('${file}').read())\nEOF` }],
    (file) => ['Bash', { command: `node -e "console.log(fs.readFileSync('${file}', 'utf8'))"` }],
    (file) => ['Bash', { command: `ls | xargs cat # ${file}` }],
    (file) => ['Bash', { command: `find . -name '${file}' -exec cat {} +` }],
    (file) => ['Bash', { command: `cat ${file} | sed 's/a/b/' | head -50` }],
    (file) => ['run_shell_command', { command: `cat ${file}` }],
    (file) => ['exec_command', { cmd: `cat ${file}` }],
    (file) => ['shell', { command: ['bash', '-lc', `cat ${file}`] }],
    (file) => ['shell', { command: ['cat', file] }],
    (file) => ['PowerShell', { command: `Get-Content ${file}` }],
    (file) => ['read_file', { path: file }],
    (file) => ['mcp__files__read_file', { path: file }],
    (file) => ['mcp__x__Read', { file_path: file }],
    (file) => ['str_replace_based_edit_tool', { command: 'view', path: file }],
    (file) => ['str_replace_editor', { command: 'str_replace', path: file, old_str: 'a', new_str: 'b' }],
    (file) => ['Grep', { pattern: 'a', path: file }],
    (file) => ['codebase_search', { query: file }],
    (file) => ['apply_patch', { input: `*** Begin Patch\n*** Update File: ${file}\n*** End Patch` }],
    (file) => ['mcp__repo__show_code', { symbol: file }],
    (file) => ['mcp__git__git_show', { revision: `HEAD:${file}` }],
    (file) => ['github_get_file_contents', { owner: 'a', repo: 'b', path: file }],
    (file) => ['find_symbol', { name_path: file }],
    (file) => ['get_item', { filename: file }],
    (file) => ['get_item', { of: { path: file } }],
    (file) => ['browser_get_page', { url: `https://example.org/${file}` }],
    () => ['write_stdin', { session_id: 7, chars: '' }],
    () => ['BashOutput', { bash_id: '7' }],
    (file) => ['mcp__ssh__run', { command: `cat ${file}` }],
    () => ['Bash', {}],
  ]);

test('what a file holds stays byte for byte, in whatever form it was printed', () => {
  for (const form of FORMS) {
    const results = Object.values(CONTENTS).map((make) => [form(name()), make()]);
    const format = random.pick(FORMATS);
    for (const result of results) assert.ok(stays(format, [result]), `${format} ${JSON.stringify(result)}`);
  }
});

test('any of them together, in every format', () => {
  for (const format of FORMATS)
    for (let round = 0; round < cases(12); round++) {
      const results = Array.from({ length: random.integer(1, 4) }, () => [random.pick(FORMS)(name()), contents()]);
      assert.ok(stays(format, results), `${format} ${JSON.stringify(results)}`);
    }
});

test('a tool of which nothing is known says texts as they are, and values of JSON in fewer tokens', () => {
  const rows = Array.from({ length: 9 }, (_, n) => ({ identifier: n, is_active: n % 2 === 0 }));
  const indented = JSON.stringify({ rows, next: null }, null, 2);
  for (const format of FORMATS) {
    for (const [kind, make] of Object.entries(CONTENTS)) {
      if (kind !== 'indented JSON' && !kind.startsWith('JSON'))
        assert.ok(stays(format, [[['list_users', { page: 1 }], make()]]), `${format} ${kind}`);
    }
    const messages = say(format, [[['list_users', { page: 1 }], indented]]);
    const { report } = fit(messages, { limit: countTokens(messages, { format }) - 1, format, margin: 0 });
    assert.deepEqual(Object.keys(report.shortened), ['json', 'tables', 'repeats'], format);
  }
});

describe('shorten: { files }', () => {
  const rows = JSON.stringify(
    Array.from({ length: 9 }, (_, n) => ({ identifier: n, is_active: n % 2 === 0 })),
    null,
    2,
  );
  const cases = {
    'names a tool': [['show_orders'], ['show_orders', { id: 1 }]],
    'names a tool without its server': [['show_orders'], ['mcp__shop__show_orders', { id: 1 }]],
    'names a tool with its server': [['mcp__shop__show_orders'], ['mcp__shop__show_orders', { id: 1 }]],
    'matches the name of a tool': [[/_orders$/], ['show_orders', { id: 1 }]],
    'matches a command line': [[/^npm run orders /], ['Bash', { command: 'npm run orders 7' }]],
    'matches a command in a line': [
      [/^npm run orders /],
      ['Bash', { command: 'cd /r && A=1 make; npm run orders 7 | tail -n 9', description: 'x' }],
    ],
    'matches words of an array': [[/^npm run orders 7$/], ['shell', { command: ['bash', '-lc', 'npm run orders 7'] }]],
    'matches with flags': [[/NPM RUN ORDERS/giy], ['exec_command', { cmd: 'npm run orders 7' }]],
    'has several members': [
      ['nothing', /nothing/, 'show_orders'],
      ['show_orders', { id: 1 }],
    ],
  };
  for (const [what, [files, call]] of Object.entries(cases))
    test(`${what}: the results stay as they are`, () => {
      for (const format of FORMATS) {
        for (const shorten of [true, undefined, {}, { files: [] }, { files: null }, { files: ['make', /^orders$/] }])
          assert.ok(!isLeft(format, call, { shorten }), `${format} ${JSON.stringify(shorten)}`);
        assert.ok(isLeft(format, call, { shorten: { files } }), format);
        assert.ok(stays(format, [[call, rows]], { shorten: { files } }), format);
      }
    });
  const isLeft = (format, call, options) => {
    const messages = say(format, [[call, rows]]);
    const { report } = fit(messages, { limit: countTokens(messages, { format }) - 1, format, margin: 0, ...options });
    return report.shortened.json === undefined;
  };

  test('in a tool of the caller that runs commands', () => {
    const prune = { toolMap: { run_it: { kind: 'command', command: 'line' } } };
    const call = ['run_it', { line: 'npm run orders 7' }];
    assert.ok(!isLeft('openai-chat', call, { prune }));
    assert.ok(isLeft('openai-chat', call, { prune, shorten: { files: [/^npm run orders/] } }));
  });

  test('in requests, and where they wait', async () => {
    const messages = say('openai-chat', [[['show_orders', { id: 1 }], rows]]);
    const options = { limit: countTokens(messages) - 1, shorten: { files: ['show_orders'] } };
    assert.deepEqual(Object.keys(fitRequest({ model: 'gpt-5.5', messages }, options).report.shortened), ['repeats']);
    assert.deepEqual(Object.keys((await fitAsync(messages, { ...options, format: 'openai-chat' })).report.shortened), ['repeats']);
  });

  test('a session goes on as it was where it is resumed with another list', () => {
    for (const format of FORMATS) {
      const call = ['show_orders', { id: 1 }];
      const messages = say(format, [[call, rows]]);
      const more = [...messages, ...say(format, [[call, rows]])];
      for (const [first, then] of [
        [['show_orders'], []],
        [[], ['show_orders']],
        [['show_orders'], ['show_orders']],
        [[/^orders-of/, 'show_orders'], [/nothing/]],
      ]) {
        const session = createSession({ limit: 1e6, format, shorten: { files: first } });
        const { messages: sent } = session.next(messages);
        assert.equal(JSON.stringify(sent).includes('items, a row each'), first.length === 0, format);
        let saved = JSON.parse(JSON.stringify(session));
        for (let round = 0; round < 2; round++) {
          const resumed = createSession({ limit: 1e6, format, shorten: { files: then } }, saved);
          const next = resumed.next(more);
          assert.deepEqual(next.messages.slice(0, sent.length), sent, format);
          assert.equal(JSON.stringify(next.messages.slice(sent.length)).includes('items, a row each'), then[0] !== 'show_orders', format);
          assert.equal(next.report.messages.reused, round === 0 ? sent.length : more.length, format);
          saved = JSON.parse(JSON.stringify(resumed));
        }
      }
    }
  });

  test('wrong values name the argument', () => {
    const messages = say('openai-chat', []);
    for (const [shorten, message] of [
      ['files', /options\.shorten must be a boolean or an object, got /],
      [1, /options\.shorten must be a boolean or an object, got /],
      [[], /options\.shorten must be a boolean or an object, got /],
      [{ files: 'show_code' }, /options\.shorten\.files must be an array of strings and RegExps, got /],
      [{ files: /a/ }, /options\.shorten\.files must be an array of strings and RegExps, got /],
      [{ files: ['a', 7] }, /options\.shorten\.files\[1\] must be a string or a RegExp, got /],
      [{ files: [null] }, /options\.shorten\.files\[0\] must be a string or a RegExp, got /],
      [{ files: [''] }, /options\.shorten\.files\[0\] must not be empty/],
      [{ file: [] }, /options\.shorten.*file/],
    ]) {
      assert.throws(() => fit(messages, { limit: 100, shorten }), { name: 'TypeError', message });
      assert.throws(() => createSession({ limit: 100, shorten }), { name: 'TypeError', message });
      assert.throws(() => fitRequest({ model: 'gpt-5.5', messages }, { limit: 100, shorten }), { name: 'TypeError', message });
    }
  });
});
