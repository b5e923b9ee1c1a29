// fit, prune, compress, restore, validate and count over files and pipes.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { countTokens } from 'palimpsest';
import { palimpsest } from './run.mjs';

const bin = fileURLToPath(new URL('../bin/palimpsest.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'palimpsest-verbs-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const run = (argv, more) => palimpsest(argv, { cwd: folder, ...more });
const write = (name, text) => writeFileSync(join(folder, name), text);
const read = (name) => readFileSync(join(folder, name), 'utf8');

const log = (task) => Array.from({ length: 60 }, (_, line) => `12:${line} task ${task} wrote ${line * 7} rows to table_${task}`).join('\n');
/** A conversation with prose that can be shortened, and outputs that can go. */
const messages = Array.from({ length: 12 }, (_, index) => [
  { role: 'user', content: `Run task ${index}. ${'We talked about the garden and the pond behind the house. '.repeat(5)}` },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: `call_${index}`, type: 'function', function: { name: 'bash', arguments: '{"command":"make run"}' } }],
  },
  { role: 'tool', tool_call_id: `call_${index}`, content: log(index) },
  {
    role: 'assistant',
    content: `Task ${index} is done. ${'The report job waited for the lock of the backup, therefore it moved. '.repeat(5)}`,
  },
]).flat();

const shapes = {
  'array.json': [JSON.stringify(messages), (text) => JSON.parse(text)],
  'pretty.json': [JSON.stringify(messages, null, 2), (text) => JSON.parse(text)],
  'lines.jsonl': [
    messages.map((message) => `${JSON.stringify(message)}\n`).join(''),
    (text) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
  ],
  'request.json': [JSON.stringify({ model: 'gpt-5.5', messages, temperature: 0 }), (text) => JSON.parse(text)],
};
const verbs = [['fit', '--limit', '2k'], ['prune'], ['prune', '--mode', 'remove'], ['compress']];

for (const [name, [text, parse]] of Object.entries(shapes)) {
  for (const verb of verbs) {
    test(`${verb.join(' ')} of ${name}: a file, a pipe and --json are restored, in the same shape`, async () => {
      write(name, text);
      const whole = parse(text);
      const small = await run([...verb, name, '-o', 'small.json']);
      assert.equal(small.code, 0, small.stderr);
      assert.equal(small.stdout, '');
      assert.match(small.stderr, /^palimpsest: .*; originals in small\.originals\.json\n$/);
      assert.ok(read('small.json').length < 0.95 * text.length);
      assert.deepEqual(
        Object.keys(parse(read('small.json'))),
        Object.keys(parse(read('small.json')).messages ? whole : parse(read('small.json'))),
      );
      const back = await run(['restore', 'small.json', '-q']);
      assert.deepEqual({ code: back.code, stderr: back.stderr }, { code: 0, stderr: '' });
      assert.equal(JSON.stringify(parse(back.stdout)), JSON.stringify(whole));

      const piped = await run([...verb, '-', '-q'], { input: text });
      assert.equal(piped.stdout, read('small.json'));
      const result = await run([...verb, '--json'], { input: text });
      const restored = await run(['restore'], { input: result.stdout });
      assert.equal(restored.code, 0, restored.stderr);
      assert.equal(JSON.stringify(JSON.parse(restored.stdout)), JSON.stringify(messages));
      assert.deepEqual(
        readdirSync(folder).filter((entry) => entry.endsWith('.tmp')),
        [],
      );
    });
  }
}

test('fit keeps to the budget, counts what a request has beside the messages, and says if it does not fit', async () => {
  const tools = [{ type: 'function', function: { name: 'bash', description: log(1), parameters: {} } }];
  write('with-tools.json', JSON.stringify({ messages, tools }));
  const { code, stdout } = await run(['fit', 'with-tools.json', '-l', '3k', '-q']);
  assert.equal(code, 0);
  const fitted = JSON.parse(stdout);
  assert.deepEqual(fitted.tools, tools);
  assert.ok(countTokens(fitted.messages, { tools }) <= 3000);
  const small = await run(['fit', 'with-tools.json', '-l', '5', '--json']);
  assert.equal(small.code, 1);
  assert.equal(JSON.parse(small.stdout).fits, false);
  assert.equal((await run(['fit', 'with-tools.json'])).code, 2);
});

/** Tokens of each kind of these messages. */
function tokensByKind(list) {
  const sum = (texts) => texts.reduce((total, text) => total + countTokens(text), 0);
  const of = (role) => sum(list.flatMap((one) => (one.role === role && one.content ? [one.content] : [])));
  const calls = sum(list.flatMap(({ tool_calls: calls = [] }) => calls.map(({ function: { arguments: json } }) => json)));
  return { results: of('tool'), calls, 'the user': of('user'), 'the model': of('assistant') };
}

for (const verb of [['fit', '-l', '2k'], ['prune', '--mode', 'remove'], ['compress']]) {
  test(`${verb[0]} says what went by kind, and how much of it there was`, async () => {
    write('array.json', JSON.stringify(messages));
    const { stdout, stderr } = await run([...verb, 'array.json']);
    const [before, left] = [messages, JSON.parse(stdout)].map(tokensByKind);
    const rows = Object.entries(before).map(([kind, tokens]) => ({ kind, tokens, gone: tokens - left[kind] }));
    const gone = rows.filter((row) => row.gone > 0).sort((one, other) => other.gone - one.gone);
    const words = gone.map((row) => `${row.kind} ${row.gone.toLocaleString('en')} of ${row.tokens.toLocaleString('en')}`);
    assert.ok(gone.length > 0);
    assert.ok(stderr.includes(`; taken out: tokens of ${words.join(', ')};`), stderr);
  });
}

test('fit and prune say why nothing went', async () => {
  write('array.json', JSON.stringify(messages.slice(0, 4)));
  for (const [verb, why] of [
    [['fit', '-l', '50k'], 'it fits as it is'],
    [['prune'], 'nothing in it is stale, repeated or failed'],
  ]) {
    const { stderr } = await run([...verb, 'array.json']);
    assert.ok(stderr.includes(`; ${why}\n`) && !stderr.includes('taken out'), stderr);
  }
});

test('fit names the option that lets go what signed thinking holds', async () => {
  const source = 'export const value = 1;\n'.repeat(400);
  const held = [0, 1, 2].flatMap((turn) => [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Again. '.repeat(50), signature: 'c2ln' },
        { type: 'tool_use', id: `t${turn}`, name: 'Read', input: { file_path: '/a.ts' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${turn}`, content: source }] },
  ]);
  write('held.json', JSON.stringify([{ role: 'user', content: 'Fix it.' }, ...held]));
  const says = async (...more) => (await run(['fit', '-l', '300', 'held.json', ...more])).stderr;
  assert.match(await says('--thinking', 'keep'), /held by signed thinking: --thinking strip/);
  assert.doesNotMatch(await says(), /--thinking strip/);
});

test('validate names the place and the rule of each problem', async () => {
  write('broken.json', JSON.stringify(messages.filter(({ role }) => role !== 'tool')));
  const { code, stdout, stderr } = await run(['validate', 'broken.json']);
  assert.equal(code, 1);
  assert.equal(stdout.trimEnd().split('\n').length, 12);
  assert.match(stdout, /^broken\.json: messages\[1\]\.tool_calls\[0\]: [a-z-]+: /);
  assert.equal(stderr, 'palimpsest: 12 problems in 36 messages\n');
  assert.deepEqual(JSON.parse((await run(['validate', '--json'], { input: JSON.stringify(messages) })).stdout), []);
});

test('restore says what it misses: no originals, none beside the file, changed messages', async () => {
  write('array.json', JSON.stringify(messages));
  await run(['fit', 'array.json', '-l', '2k', '-o', 'small.json']);
  assert.match((await run(['restore'], { input: read('small.json') })).stderr, /restore needs --originals FILE/);
  write('alone.json', read('small.json'));
  assert.deepEqual(await run(['restore', 'alone.json']), {
    code: 2,
    stdout: '',
    stderr: 'palimpsest: restore needs --originals FILE: there is no alone.originals.json\n',
  });
  const other = await run(['restore', 'alone.json', '--originals', 'small.originals.json', '-q']);
  assert.equal(JSON.stringify(JSON.parse(other.stdout)), JSON.stringify(messages));
  write('changed.json', JSON.stringify(JSON.parse(read('small.json')).slice(4)));
  const changed = await run(['restore', 'changed.json', '--originals', 'small.originals.json']);
  assert.equal(changed.code, 1);
  assert.match(changed.stderr, /changed\.json: \d+ could not be put back: /);
  assert.ok(JSON.parse(changed.stdout).length > 0);
});

const SECRET = 'do not print this';
const bad = {
  'empty.json': ['', /is empty$/],
  'binary.json': [Buffer.from([0x7b, 0, 1, 2, 0xff]), /is binary$/],
  'random.json': [Buffer.from([0x89, 0xfe, 0xff, 0x10]), /is not JSON with objects \(line 1\)$/],
  'text.json': [`${SECRET}\n`, /is not JSON with objects \(line 1\)$/],
  'cut.json': [JSON.stringify([{ role: 'user', content: SECRET }]).slice(0, -8), /was cut off in message 1 \(line 1\)$/],
  'cut.jsonl': [`${JSON.stringify(messages[0])}\n{"role": "user", "content": "${SECRET}`, /was cut off in message 2 \(line 2\)$/],
  'number.json': ['[1, 2]', /is not JSON with objects in message 1/],
  'object.json': [JSON.stringify({ secret: SECRET }), /is an object without messages$/],
  'manifest.json': [JSON.stringify({ name: SECRET, type: 'module' }), /is an object without messages$/],
  'nothing.json': ['[{}]', /messages\[0\]/],
  'missing.json': [undefined, /no such file$/],
};
for (const verb of [['fit', '-l', '1k'], ['prune'], ['compress'], ['validate'], ['count']]) {
  test(`${verb[0]} names a bad file and its place in one line, without contents`, async () => {
    for (const [name, [content, expected]] of Object.entries(bad)) {
      if (content !== undefined) write(name, content);
      const { code, stdout, stderr } = await run([...verb, name]);
      assert.deepEqual({ name, code, stdout }, { name, code: 1, stdout: '' });
      assert.match(stderr.trimEnd(), expected);
      assert.ok(stderr.startsWith(`palimpsest: ${name}: `), stderr);
      assert.equal(stderr.indexOf('\n'), stderr.length - 1);
      assert.ok(!stderr.includes(SECRET));
    }
  });
}

test('count skips what it cannot read, names it, and counts it at the end', async (t) => {
  write('array.json', JSON.stringify(messages));
  write('empty.json', '');
  mkdirSync(join(folder, 'sub'), { recursive: true });
  const files = ['array.json', 'empty.json', 'sub', 'missing.json'];
  if (process.platform !== 'win32') {
    symlinkSync('loop', join(folder, 'loop'));
    files.push('loop');
    if (process.getuid() !== 0) {
      write('secret.json', '[]');
      chmodSync(join(folder, 'secret.json'), 0);
      files.push('secret.json');
    } else t.diagnostic('root may read everything');
  }
  const { code, stdout, stderr } = await run(['count', ...files]);
  assert.equal(code, 1);
  assert.equal(stdout.split('\n')[0], `${String(countTokens(messages)).padStart(10)} tokens     48 messages  array.json`);
  const lines = stderr.trimEnd().split('\n');
  for (const [index, file] of files.slice(1).entries()) assert.ok(lines[index].startsWith(`palimpsest: ${file}: `), lines[index]);
  assert.equal(lines.at(-1), `palimpsest: ${files.length - 1} of ${files.length} files could not be read`);
});

test('a file with several conversations wants --session', async () => {
  write(
    'many.json',
    JSON.stringify([
      { id: 'a', messages },
      { id: 'b', messages: messages.slice(0, 4) },
    ]),
  );
  const { code, stderr } = await run(['prune', 'many.json']);
  assert.deepEqual([code, stderr], [2, 'palimpsest: many.json holds 2 conversations; choose one by number or id with --session: a, b\n']);
  for (const name of ['b', '2']) assert.equal(JSON.parse((await run(['prune', 'many.json', '--session', name])).stdout).messages.length, 4);
  assert.equal((await run(['prune', 'many.json', '--session', 'c'])).code, 2);
  const counted = JSON.parse((await run(['count', '--json', 'many.json'])).stdout);
  assert.deepEqual([counted.conversations, counted.messages], [2, messages.length + 4]);
});

test('the transcript of an agent is read, as a file and from a pipe', async () => {
  const at = { timestamp: '2026-11-01T10:00:00.000Z', sessionId: 's', cwd: '/home/me', version: '2' };
  const lines = [
    { type: 'user', uuid: 'a', parentUuid: null, message: { role: 'user', content: 'Run it.' }, ...at },
    {
      type: 'assistant',
      uuid: 'b',
      parentUuid: 'a',
      message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
      ...at,
    },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  write('session.jsonl', text);
  const expected = [lines[0].message, { role: 'assistant', content: lines[1].message.content }];
  for (const { code, stdout, stderr } of [await run(['prune', 'session.jsonl']), await run(['prune'], { input: text })]) {
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      JSON.parse(stdout).map(({ role, content }) => ({ role, content })),
      expected,
    );
  }
});

test('the output replaces a file only when it is whole', async () => {
  write('array.json', JSON.stringify(messages));
  assert.match((await run(['prune', 'array.json', '-o', 'no/such/folder.json'])).stderr, /folder\.originals\.json: no such folder$/m);
  assert.equal((await run(['fit', 'array.json', '-l', '2k', '-o', 'array.json'])).code, 0);
  assert.equal(JSON.stringify(JSON.parse((await run(['restore', 'array.json'])).stdout)), JSON.stringify(messages));
  const same = await run(['prune', 'array.json', '-o', 'x.json', '--originals', 'x.json']);
  assert.deepEqual([same.code, same.stderr], [2, 'palimpsest: --originals must be another file than the output\n']);
});

test('a reader that closes the pipe early is no error', async () => {
  write('large.json', JSON.stringify(Array.from({ length: 20 }, () => messages).flat()));
  const child = spawn(process.execPath, [bin, 'compress', 'large.json', '-q'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  child.stdout.once('data', () => child.stdout.destroy());
  assert.deepEqual([await once(child, 'close'), stderr], [[0, null], '']);
});

test('a large file need not be in memory twice', () => {
  const count = 800;
  const text = 'a line of the log that says little\n'.repeat(1500);
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ role: index % 2 ? 'assistant' : 'user', content: `${index} ${text}` }),
  );
  write('huge.json', `[${lines.join(',')}]`);
  const megabytes = lines.reduce((sum, line) => sum + line.length, 0) / 1e6;
  // The messages alone take this much; Node.js itself about 10 MB.
  const limit = `--max-old-space-size=${Math.round(megabytes * 1.4 + 20)}`;
  const printed = execFileSync(process.execPath, [limit, bin, 'validate', 'huge.json'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  assert.equal(printed, '');
});
