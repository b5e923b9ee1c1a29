// What `prune` removes of a read was shown again: real programs say what a command prints, and each line that is gone must be among it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { prune } from 'palimpsest';
import { cases } from '../support/seed.mjs';

const COUNT = 60;
const lines = Array.from(
  { length: COUNT },
  (_, index) =>
    `line ${index + 1} of the file, about topic_${index + 1}, ${'which is long enough to be worth a mark, '.repeat(3)}and nothing else`,
);
let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-shown-'));
  writeFileSync(join(folder, 'a.txt'), `${lines.join('\n')}\n`);
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command; returns what it prints, or undefined if the program refuses it. */
function printed(command) {
  try {
    return execFileSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

const call = (id, command, output) => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'Bash', arguments: JSON.stringify({ command }) } }],
  },
  { role: 'tool', tool_call_id: id, content: output },
];
const later = Array.from({ length: 8 }, (_, index) => ({ role: index % 2 ? 'assistant' : 'user', content: `later ${index}` }));

const number = fc.integer({ min: 0, max: COUNT + 5 });
const address = fc.oneof(
  { weight: 6, arbitrary: number.map(String) },
  fc.constant('$'),
  number.map((line) => `/topic_${line}\\b/`),
  fc.tuple(number, fc.integer({ min: 1, max: 9 })).map(([from, step]) => `${from}~${step}`),
);
const end = fc.oneof(
  { weight: 4, arbitrary: address },
  number.map((more) => `+${more}`),
  number.map((step) => `~${step}`),
);
const range = fc.oneof({ weight: 4, arbitrary: fc.tuple(address, end).map((ends) => ends.join(',')) }, address);
const script = fc
  .array(
    range.map((lines) => `${lines}p`),
    { minLength: 1, maxLength: 3 },
  )
  .map((commands) => `'${commands.join(';')}'`);
const count = fc.oneof(
  number.map(String),
  number.map((lines) => `+${lines}`),
  number.map((lines) => `-${lines}`),
);
const command = fc.oneof(
  { weight: 4, arbitrary: script.map((text) => `sed -n ${text} a.txt`) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('cat', 'cat -n', 'nl', 'nl -ba'), script).map(([all, text]) => `${all} a.txt | sed -n ${text}`),
  },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('head', 'tail'), count).map(([end, lines]) => `${end} -n ${lines} a.txt`) },
  fc.tuple(fc.constantFrom('head', 'tail'), number).map(([end, lines]) => `${end} -${lines} a.txt`),
  fc.constantFrom('head a.txt', 'tail a.txt', 'cat a.txt', 'nl a.txt', 'cat -n a.txt', 'tac a.txt', 'sed = a.txt', 'sed p a.txt'),
  fc.tuple(number, number).map(([from, to]) => `awk 'NR>=${from} && NR<=${to}' a.txt`),
  fc.tuple(number, number).map(([from, to]) => `sed -n '${from},${to}p' a.txt && sed -n '${to},$p' a.txt`),
  number.map((line) => `head -n ${line} a.txt || cat a.txt`),
);

test('a line that is gone from a read was printed by a later command', (t) => {
  const seen = { runs: 0, gone: 0 };
  const property = ([first, then]) => {
    const outputs = [printed(first), printed(then)];
    fc.pre(outputs.every((output) => output !== undefined));
    const messages = [{ role: 'user', content: 'go' }, ...call('1', first, outputs[0]), ...call('2', then, outputs[1]), ...later];
    const rest = prune(messages).messages.find((message) => message.tool_call_id === '1')?.content ?? '';
    const holds = (text, line) => text.includes(`${line}\n`) || text.endsWith(line);
    const gone = lines.filter((line) => holds(outputs[0], line) && !holds(rest, line));
    assert.deepEqual(
      gone.filter((line) => !holds(outputs[1], line)),
      [],
    );
    seen.runs++;
    seen.gone += gone.length > 0;
  };
  fc.assert(fc.property(fc.tuple(fc.oneof(fc.constant('cat a.txt'), command), command), property), { numRuns: cases(250) });
  t.diagnostic(`${seen.runs} pairs of commands, of ${seen.gone} something went`);
  assert.ok(seen.gone > 0, `${seen.gone}`);
});

test('what a read with a count of no lines shows is unknown', () => {
  const read = (id, lines, content) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id, type: 'function', function: { name: 'read_file', arguments: JSON.stringify({ file_path: '/x/a.ts', ...lines }) } },
      ],
    },
    { role: 'tool', tool_call_id: id, content },
  ];
  const text = (from, to) => `${lines.slice(from - 1, to).join('\n')}\n`;
  for (const none of [
    { offset: 10, limit: 0 },
    { offset: 10, limit: -3 },
  ]) {
    const messages = [
      { role: 'user', content: 'go' },
      ...read('1', none, text(10, 60)),
      ...read('2', { offset: 1, limit: 12 }, text(1, 12)),
      ...later,
    ];
    assert.deepEqual(prune(messages).messages[2], messages[2], JSON.stringify(none));
  }
});

const source = Array.from(
  { length: 700 },
  (_, index) => `pub fn f_${index}(x: u32) -> u32 { x.wrapping_mul(${index}) } // body ${index}`,
).join('\n');
const exec = (args) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id: '1', type: 'function', function: { name: 'exec', arguments: JSON.stringify(args) } }],
});

test('source text that a command printed stays whole, a long log does not', () => {
  const after = (messages) =>
    prune([{ role: 'user', content: 'go' }, ...messages, { role: 'tool', tool_call_id: '1', content: source }, ...later]).messages[2]
      .content;
  const bash = (command) => after(call('1', command, source).slice(0, 1));
  for (const command of [
    'cat src/a.rs',
    'cat src/a.rs src/b.rs',
    "sed -n '1,380p' src/a.rs && sed -n '1,320p' src/b.rs",
    "cd /repo && nl -ba src/a.rs | sed -n '1,700p'",
    'git show HEAD:src/lib.rs',
    'for f in src/*.rs; do echo "== $f"; cat "$f"; done',
  ])
    assert.equal(bash(command), source, command);
  for (const command of ['cargo test', 'cargo test 2>&1 | tail -n 900', 'git log -p'])
    assert.match(bash(command), /long output, \d+ of 700 lines cut/, command);
  const program = (command) => `const r = await tools.exec_command({cmd:${JSON.stringify(command)}}); text(r.output);`;
  for (const args of [
    { input: program('cat src/lib.rs') },
    { input: program("sed -n '1,380p' a.rs && cat b.rs") },
    { code: program('cat a.rs') },
  ])
    assert.equal(after([exec(args)]), source, JSON.stringify(args));
  assert.match(after([exec({ input: program('cargo test') })]), /long output/);
});

test('a character of a path is matched by one `?`, whatever its bytes', () => {
  const read = (id, path) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'Read', arguments: JSON.stringify({ file_path: path }) } }],
    },
    { role: 'tool', tool_call_id: id, content: `line of ${path}\n`.repeat(60) },
  ];
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }), (name) => {
      fc.pre(!/[/\\*?\s.~$]/.test(name) && name.isWellFormed());
      const path = `/x/${name}.ts`;
      const messages = [{ role: 'user', content: 'go' }, ...read('1', path), ...read('2', path), ...later];
      const stays = (pattern) => prune(messages, { keep: { paths: [pattern] } }).messages[2].content === messages[2].content;
      assert.ok(stays(`${'?'.repeat([...name].length)}.ts`), name);
      assert.ok(!stays(`${'?'.repeat([...name].length + 1)}.ts`), name);
    }),
    { numRuns: cases(50) },
  );
});
