// The command that a newcomer tries first takes any session file, and reports in one line what it can't read.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readSession, UnreadableFile } from '../examples/read-session.mjs';
import { uncompress } from 'palimpsest';
import { recordedFiles, withoutRecorded } from './support/corpus.mjs';

const demoPath = fileURLToPath(new URL('../examples/demo.mjs', import.meta.url));
const examplePath = fileURLToPath(new URL('../examples/agent-session.json', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-demo-'));
after(() => rmSync(folder, { recursive: true }));

function file(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
const lines = (...values) => values.map((value) => JSON.stringify(value)).join('\n');
const demo = (...args) => {
  const { npm_lifecycle_event: _, ...env } = process.env;
  return spawnSync(process.execPath, [demoPath, ...args], { cwd: folder, env, encoding: 'utf8' });
};

const plain = [
  { id: 'a', index: 0, role: 'user', content: 'Why is the build red?' },
  { id: 'b', index: 1, role: 'assistant', content: 'The linter found an unused variable.' },
];

describe('readSession', () => {
  const messagesIn = (name, content) => readSession(file(name, content)).conversations.map(({ messages }) => messages);

  it('reads an array of messages, an object with messages, and JSONL', () => {
    assert.deepEqual(messagesIn('array.json', JSON.stringify(plain, null, 2)), [plain]);
    assert.deepEqual(messagesIn('object.json', JSON.stringify({ model: 'x', messages: plain })), [plain]);
    assert.deepEqual(messagesIn('lines.jsonl', lines(...plain)), [plain]);
    assert.deepEqual(messagesIn('lines.txt', lines(...plain)), [plain]);
    assert.deepEqual(messagesIn('one.jsonl', lines(plain[0])), [[plain[0]]]);
  });

  it('takes a byte order mark, CRLF and blank lines', () => {
    assert.deepEqual(messagesIn('bom.json', `\ufeff${JSON.stringify(plain)}`), [plain]);
    assert.deepEqual(messagesIn('crlf.jsonl', `${lines(plain[0])}\r\n\r\n${lines(plain[1])}\r\n`), [plain]);
  });

  it('reads several conversations, as an array or one per line', () => {
    const [first, second] = [
      { id: 'first', messages: plain },
      { id: 7, messages: [plain[0]] },
    ];
    for (const [name, content] of [
      ['all.json', JSON.stringify([first, second])],
      ['all.jsonl', lines(first, second)],
    ]) {
      const { conversations, format } = readSession(file(name, content));
      assert.deepEqual(conversations, [
        { id: 'first', messages: plain },
        { id: '7', messages: [plain[0]] },
      ]);
      assert.match(format, /2 conversations/);
    }
  });

  it('adds an id and an index only where they are missing', () => {
    const [messages] = messagesIn(
      'bare.json',
      JSON.stringify([
        { role: 'user', content: 'x' },
        { id: 'own', role: 'user', content: 'y' },
      ]),
    );
    assert.deepEqual(
      messages.map(({ id, index }) => [id, index]),
      [
        ['m0', 0],
        ['own', 1],
      ],
    );
  });

  it('leaves content that is no string and no array as it is', () => {
    const call = { id: 'a', index: 0, role: 'assistant', content: null, tool_calls: [{ id: 'c' }] };
    assert.deepEqual(messagesIn('null.json', JSON.stringify([call])), [[call]]);
  });

  it('joins parts, turns tool_use and tool_result into calls and results, and says so', () => {
    const path = file(
      'parts.json',
      JSON.stringify([
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image', source: {} },
            { type: 'text', text: 'here' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Reading' },
            { type: 'tool_use', id: 't1', name: 'read', input: { path: 'x' } },
          ],
        },
        {
          id: 'r',
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 't1',
              content: [
                { type: 'text', text: 'one' },
                { type: 'text', text: 'two' },
              ],
            },
            { type: 'tool_result', tool_use_id: 't2', content: 'three' },
            { type: 'text', text: 'And now?' },
          ],
        },
      ]),
    );
    const { conversations, notes } = readSession(path);
    assert.deepEqual(conversations[0].messages, [
      { role: 'user', content: 'Look\n\nhere', id: 'm0', index: 0 },
      {
        role: 'assistant',
        content: 'Reading',
        id: 'm1',
        index: 1,
        tool_calls: [{ id: 't1', type: 'function', function: { name: 'read', arguments: '{"path":"x"}' } }],
      },
      { role: 'tool', content: 'one\n\ntwo', tool_call_id: 't1', id: 'r', index: 2 },
      { role: 'tool', content: 'three', tool_call_id: 't2', id: 'r.1', index: 3 },
      { role: 'user', content: 'And now?', id: 'r.2', index: 4 },
    ]);
    assert.deepEqual(notes, [
      '3 messages made of parts: text parts joined for this demo',
      '1 part without text (images and the like) left out',
    ]);
  });

  it('reads a Claude Code session and counts the lines it skips', () => {
    const { conversations, format, notes } = readSession(
      file(
        'session.jsonl',
        lines(
          { type: 'summary', summary: 'Fixing the build', leafUuid: 'u3' },
          { type: 'file-history-snapshot', messageId: 'x' },
          { type: 'user', uuid: 'u1', message: { role: 'user', content: 'Fix it' } },
          {
            type: 'assistant',
            uuid: 'u2',
            message: { id: 'msg_1', role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.', signature: 's' }] },
          },
          {
            type: 'assistant',
            uuid: 'u3',
            message: { id: 'msg_1', role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }] },
          },
          { type: 'user', uuid: 'u4', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'done' }] } },
          { type: 'summary', summary: 'x' },
        ),
      ),
    );
    assert.equal(format, 'Claude Code session');
    assert.deepEqual(conversations[0].messages, [
      { id: 'u1', role: 'user', content: 'Fix it', index: 0 },
      { id: 'u2', role: 'assistant', content: 'Hm.', index: 1 },
      {
        id: 'u3',
        role: 'assistant',
        content: '',
        index: 2,
        tool_calls: [{ id: 't1', type: 'function', function: { name: 'Bash', arguments: '{}' } }],
      },
      { id: 'u4', role: 'tool', content: 'done', tool_call_id: 't1', index: 3 },
    ]);
    assert.equal(notes[0], 'skipped 3 lines that are no messages: 2 summary, 1 file-history-snapshot');
  });

  const broken = [
    ['a folder', () => folder, /is a directory/],
    ['a missing file', () => join(folder, 'missing.json'), /missing\.json: no such file/],
    ['an empty file', () => file('empty.json', ' \n'), /empty\.json: is empty/],
    ['invalid UTF-8', () => file('bytes.json', Buffer.from([0x89, 0x50, 0xff, 0xfe])), /is not text/],
    ['NUL bytes', () => file('nul.json', 'a\0b'), /is not text/],
    ['prose', () => file('prose.txt', 'Dear diary,\ntoday'), /prose\.txt: is not JSON/],
    ['JSON cut short', () => file('cut.json', JSON.stringify(plain, null, 2).slice(0, -9)), /cut\.json: is not JSON/],
    ['a broken line', () => file('line.jsonl', `${lines(plain[0])}\n\n{"role":`), /line\.jsonl, line 3: is not JSON/],
    ['a broken first line', () => file('first.jsonl', `{"role":\n${lines(plain[0])}`), /first\.jsonl, line 1: is not JSON/],
    ['a line that is no message', () => file('shape.jsonl', lines(plain[0], { level: 'info' })), /shape\.jsonl, line 2: is no message/],
    ['a number', () => file('number.json', '42'), /expected an array of messages.*got number 42/],
    ['null', () => file('null-only.json', 'null'), /got null/],
    ['another object', () => file('other.json', '{"name":"x"}'), /got an object with "name"/],
    ['an array of strings', () => file('strings.json', '["a"]'), /element 0: is no message: expected an object, got string 'a'/],
    ['an empty array', () => file('none.json', '[]'), /holds no messages/],
    [
      'a conversation with a stray',
      () => file('stray.json', '[{"messages":[{"role":"user"},3]}]'),
      /element 0: messages\[1\] is no message/,
    ],
    ['a session without messages', () => file('title.jsonl', lines({ type: 'summary' })), /got an object with "type"/],
  ];
  for (const [name, path, problem] of broken) {
    it(`says in one line what is wrong with ${name}`, () => {
      assert.throws(
        () => readSession(path()),
        (error) => {
          assert.ok(error instanceof UnreadableFile, error.stack);
          assert.match(error.message, problem);
          for (const control of ['\n', '\x1b']) assert.ok(!error.message.includes(control), error.message);
          return true;
        },
      );
    });
  }

  it('reads every file of recorded conversations', { skip: withoutRecorded }, () => {
    for (const file of recordedFiles('plain')) {
      const path = fileURLToPath(file);
      const { conversations } = readSession(path);
      const expected = JSON.parse(readFileSync(path, 'utf8')).map(({ id, messages }) => ({ id, messages }));
      assert.deepEqual(conversations, expected, path);
    }
  });
});

describe('the example session', () => {
  const { conversations } = readSession(examplePath);
  const [{ messages }] = conversations;

  it('is large, has unique ids, and pairs every tool call with its result', () => {
    assert.ok(messages.length >= 80);
    assert.equal(new Set(messages.map(({ id }) => id)).size, messages.length);
    const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
    const results = messages.filter(({ role }) => role === 'tool').map(({ tool_call_id }) => tool_call_id);
    assert.deepEqual(results, calls);
  });
});

describe('npm run demo', () => {
  const hashes = (output) => [...output.matchAll(/sha256 ([0-9a-f]{64})/g)].map(([, hash]) => hash);

  it('shows on the example that every kind of decision is made and that all of it comes back', () => {
    const { status, stdout, stderr } = demo();
    assert.equal(status, 0, stderr);
    for (const words of [
      'fit: a quarter of the tokens',
      'prune: without what was superseded',
      'calls tools',
      'among the newest messages',
      'the same text elsewhere',
      'its most specific sentences stay',
      'one summary with its neighbours',
      'code stays, prose is summarised',
      'contains what a summary would break',
    ]) {
      assert.match(stdout, new RegExp(`^ +${words}`, 'm'));
    }
    // The session comes first: it is what an agent uses.
    const figures = (label) =>
      stdout
        .match(new RegExp(`^ +${label} +([\\d,]+) +([\\d,]+) +([\\d,]+)`, 'm'))
        .slice(1)
        .map((one) => Number(one.replaceAll(',', '')));
    const [whole, session] = [figures('the whole history each time'), figures('a session: createSession')];
    for (const column of whole.keys()) assert.ok(0 < session[column] && session[column] < whole[column], `${session} of ${whole}`);
    const limit = Number(stdout.match(/95 requests, at most ([\d,]+) tokens each/)[1].replaceAll(',', ''));
    assert.ok(session[0] <= limit);
    assert.ok(stdout.indexOf('createSession') < stdout.indexOf('fit: a quarter'));
    assert.match(stdout, /^ +prune removed 14 reads of files/m);
    assert.doesNotMatch(stdout, /hard_t0|_prose|JSON\.stringify/);
    assert.match(stdout, /\[summary: /);
    assert.match(stdout, /\[cce:dup of msg_\d+ — /);
    assert.match(stdout, /restored byte for byte/);
    const [original, restored] = hashes(stdout);
    assert.equal(restored, original);
    assert.match(stdout, /^ +the whole history +▁▁.*█$/m);
    assert.match(stdout, /Nothing was written\.\n\nNext\n.*--html/s);
    for (const [, named] of stdout.matchAll(/^ {2}(README\.md|docs\/\S+)/gm)) assert.ok(existsSync(join(demoPath, '../..', named)), named);
    assert.ok(!stdout.includes('\x1b'), 'no colour where no terminal is');
    for (const line of stdout.split('\n')) assert.ok([...line].length <= 80, `${[...line].length} wide: ${line}`);
  });

  it('writes a result from which uncompress restores the file', () => {
    const path = file('input.jsonl', lines(...readSession(examplePath).conversations[0].messages));
    const out = join(folder, 'result.json');
    const { status, stderr } = demo(path, '--out', out);
    assert.equal(status, 0, stderr);
    const { messages, verbatim, compression } = JSON.parse(readFileSync(out, 'utf8'));
    assert.ok(compression.messages_compressed > 0);
    assert.equal(JSON.stringify(uncompress(messages, verbatim).messages), JSON.stringify(JSON.parse(readFileSync(examplePath, 'utf8'))));
  });

  it('writes a page about the session', () => {
    const { status, stdout, stderr } = demo('--html');
    assert.equal(status, 0, stderr);
    const page = readFileSync(join(folder, 'palimpsest-report.html'), 'utf8');
    assert.match(stdout, /The page is in palimpsest-report\.html/);
    const [, data] = page.match(/<script type="application\/json" id="data">(.*)<\/script>/);
    assert.equal(JSON.parse(data).sessions[0].count.messages, 178);
  });

  it('gives the sessions of the page a limit that suits them, and says which', () => {
    const some = JSON.parse(readFileSync(examplePath, 'utf8'));
    const limits = [some.length, 60].map((length) => {
      const { status, stdout, stderr } = demo(file(`of-${length}.json`, JSON.stringify(some.slice(0, length))), '--html');
      assert.equal(status, 0, stderr);
      const [, data] = readFileSync(join(folder, 'palimpsest-report.html'), 'utf8').match(/id="data">(.*)<\/script>/);
      const { limit, sessions } = JSON.parse(data);
      const [session] = sessions;
      assert.ok(session.count.epochs > 0 && session.sent < session.tokens);
      assert.ok(session.notes.every((note) => !/above the limit|fits the limit/.test(note)));
      assert.match(stdout, new RegExp(`a session's limit there: ${limit.toLocaleString('en')} tokens`));
      return limit;
    });
    assert.ok(limits[1] < limits[0], `${limits}`);
  });

  it('prints a row for each of several conversations and writes them all', () => {
    const path = file(
      'two.json',
      JSON.stringify([
        { id: 'first', messages: plain },
        { id: 'second', messages: plain },
      ]),
    );
    const { status, stdout, stderr } = demo(path, '--out=two-result.json');
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^ +first .*^ +second .*^ +all 2 /ms);
    const written = JSON.parse(readFileSync(join(folder, 'two-result.json'), 'utf8'));
    assert.deepEqual(
      written.map(({ id, messages }) => [id, messages.length]),
      [
        ['first', 2],
        ['second', 2],
      ],
    );
  });

  it('keeps control characters of a conversation away from the terminal', () => {
    const content = `\x1b[31m${'The service could not reach its database for a while. '.repeat(12)}\x07`;
    const others = plain.concat(plain).map((message, index) => ({ ...message, id: `z${index}` }));
    const { status, stdout } = demo(file('control.json', JSON.stringify([{ role: 'assistant', content }, ...others])));
    assert.equal(status, 0);
    for (const control of ['\x07', '\x1b']) assert.ok(!stdout.includes(control));
  });

  it('takes recorded conversations', { skip: withoutRecorded }, () => {
    for (const name of ['tau-bench-airline.json', 'tau2-students.json']) {
      const path = fileURLToPath(recordedFiles('plain').find(({ pathname }) => pathname.endsWith(`/${name}`)));
      const conversations = JSON.parse(readFileSync(path, 'utf8'));
      const { status, stdout, stderr } = demo(path);
      assert.equal(status, 0, stderr);
      assert.match(stdout, new RegExp(`all ${conversations.length} `));
      const messages = conversations.reduce((sum, conversation) => sum + conversation.messages.length, 0);
      assert.match(stdout, new RegExp(`all ${messages} messages restored byte for byte`));
    }
  });

  const refused = [
    ["a file it can't read", () => [join(folder, 'nowhere.json')], /nowhere\.json: no such file/],
    ['an unknown flag', () => ['--fast'], /Unknown option '--fast'/],
    ['--out without a path', () => ['--out'], /--out/],
    ['two files', () => ['a.json', 'b.json'], /one FILE at a time, got 2/],
    [
      'a result in a folder that is not there',
      () => ['--out', join(folder, 'no/where.json')],
      /can't be written \(its folder does not exist\)/,
    ],
    [
      'a result on top of its source',
      () => [file('same.json', JSON.stringify(plain)), '--out', join(folder, 'same.json')],
      /would overwrite/,
    ],
  ];
  for (const [name, args, problem] of refused) {
    it(`refuses ${name} with one line and exit code 1`, () => {
      const { status, stdout, stderr } = demo(...args());
      assert.equal(status, 1);
      assert.equal(stdout, '');
      assert.match(stderr, problem);
      assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
    });
  }

  it('explains itself with --help', () => {
    const { status, stdout } = demo('--help');
    assert.equal(status, 0);
    for (const word of ['JSONL', 'Claude Code', '--out PATH']) assert.ok(stdout.includes(word), word);
  });
});
