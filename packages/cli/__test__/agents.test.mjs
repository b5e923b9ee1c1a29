// The sessions of many agents are read as a count that was made apart counts them, whatever a crash left of their files.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { node22, withoutNode22 } from '../../../__test__/support/node22.mjs';
import { Draw, kindsOf, PROVIDERS } from '../../../__test__/providers/index.mjs';
import { Random } from '../../../__test__/support/random.mjs';
import { cases } from '../../../__test__/support/seed.mjs';
import { readMessages } from '../dist/analysis/parts.mjs';
import { find, isOfAgent, listFiles, read, Unreadable, usualPlaces } from '../dist/transcripts/index.mjs';
import { isMessage, isUnknownKind } from '../dist/transcripts/messages.mjs';
import { AGENTS } from '../dist/report/client/format.mjs';
import { palimpsest } from './run.mjs';
import { COUNTERS } from './support/counting.mjs';
import { write } from './support/recorded.mjs';
import { SESSIONS } from './support/sessions.mjs';

const home = await mkdtemp(join(tmpdir(), 'agents-'));
after(() => rm(home, { recursive: true, force: true }));
let folders = 0;
/** Writes the files of a session into a folder of its own. */
async function written({ file, text, beside = {} }, other = text) {
  const path = join(home, String(++folders), file);
  for (const [name, content] of Object.entries(beside)) await write(join(dirname(path), name), content);
  return write(path, other);
}
async function all(transcripts) {
  const list = [];
  for await (const one of transcripts) list.push(one);
  return list;
}

/** What readers give, in the shape of counts that were made by hand. */
function countsOf(transcripts) {
  const requests = transcripts.flatMap((transcript) => transcript.requests);
  const labels = transcripts.flatMap(({ messages, format }) =>
    readMessages(messages, format).flatMap(({ parts }) => parts.map(({ label }) => label)),
  );
  const number = (label) => labels.filter((one) => one === label).length;
  const usage = (key) => requests.reduce((total, request) => total + (request.usage?.[key] ?? 0), 0);
  return {
    messages: transcripts.reduce((total, { messages }) => total + messages.length, 0),
    replies: requests.length,
    calls: number('call'),
    results: number('result'),
    usage: [usage('input'), usage('cacheRead'), usage('cacheWrite'), usage('output')],
    timed: requests.filter(({ time }) => time !== undefined).length,
    models: [...new Set(requests.flatMap(({ model }) => (model === undefined ? [] : [model])))].sort(),
  };
}

/** All that was said, called and answered, each with its place in a conversation. */
const saidIn = (transcripts) =>
  transcripts
    .flatMap(({ id, messages, format }) =>
      readMessages(messages, format).flatMap(({ role, parts }) =>
        parts.map(({ label, text, callId }) => JSON.stringify([id, role, label, text, callId])),
      ),
    )
    .sort();

for (const session of SESSIONS) {
  test(`${session.name}: as it was counted by hand, and by a program of its own`, async () => {
    const transcripts = await all(read(await written(session)));
    assert.ok(transcripts.length > 0);
    for (const { agent, skipped, messages, format, requests } of transcripts) {
      assert.deepEqual([agent, skipped], [session.agent, 0]);
      for (const { messages: end, from = 0 } of requests) {
        assert.ok(from <= end && end <= messages.length);
        // Cursor does not record what the calls of a reply returned.
        if (end > 0 && agent !== 'cursor') assert.notEqual(readMessages(messages, format)[end - 1].role, 'assistant');
      }
    }
    assert.deepEqual(countsOf(transcripts), session.counts);
    const { messages: _, ...counts } = session.counts;
    assert.deepEqual(COUNTERS[session.agent](session.text, Object.values(session.beside ?? {})[0]), counts);
    assert.equal(transcripts[0].from, session.from);
    if (session.note)
      assert.ok(
        transcripts.some(({ notes }) => notes.some((note) => note.includes(session.note))),
        transcripts.map(({ notes }) => notes.join()).join(),
      );
  });
}

test('each agent has a session here, a name, and a usual place that is searched', async () => {
  const agents = new Set(SESSIONS.map(({ agent }) => agent));
  for (const agent of Object.keys(AGENTS)) if (!['messages', 'gemini-cli'].includes(agent)) assert.ok(agents.has(agent), agent);
  const places = new Set(usualPlaces('/home/ada', {}).map(({ agent }) => agent));
  for (const session of SESSIONS) {
    const { agent, file } = session;
    assert.ok(AGENTS[agent] !== undefined, agent);
    if (!file.includes('/')) continue;
    assert.ok(places.has(agent), agent);
    const path = await written(session);
    const { found } = await find(path.slice(0, -file.length - 1), {});
    assert.deepEqual(
      found.map((one) => [one.agent, one.path]),
      [[agent, path]],
    );
  }
  const { stderr } = await palimpsest(['watch', '--agent', 'nobody']);
  for (const agent of places) assert.ok(stderr.includes(agent), agent);
});

/** Sessions whose lines say where they belong. */
const TREES = SESSIONS.filter(
  ({ agent, ids }) => ids && ['claude-code', 'pi', 'openclaw', 'qwen-code'].includes(agent) && !/stream/.test(agent),
);
const linesOf = ({ text }) => text.split(/(?<=\n)/);

test('lines that are out of order by one change nothing', async () => {
  const sessions = TREES.filter(({ name }) => !/stream|compacted|not there|OpenClaw|given up|several/.test(name));
  assert.ok(sessions.length >= 4);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...sessions), fc.nat(), async (session, place) => {
      const lines = linesOf(session);
      const at = place % (lines.length - 1);
      [lines[at], lines[at + 1]] = [lines[at + 1], lines[at]];
      const expected = await all(read(await written(session)));
      const found = await all(read(await written(session, lines.join(''))));
      assert.deepEqual(saidIn(found), saidIn(expected));
      assert.deepEqual(countsOf(found).usage, session.counts.usage);
    }),
    { numRuns: cases(30) },
  );
});

test('a line that is there again is read once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...SESSIONS.filter(({ ids }) => ids)), fc.nat(), fc.nat(), async (session, which, place) => {
      const lines = linesOf(session);
      const from = which % lines.length;
      lines.splice(from + 1 + (place % (lines.length - from)), 0, lines[from]);
      const found = await all(read(await written(session, lines.join(''))));
      assert.deepEqual(saidIn(found), saidIn(await all(read(await written(session)))));
      assert.deepEqual(countsOf(found), session.counts);
    }),
    { numRuns: cases(40) },
  );
});

test('a last line that was cut off changes nothing before it', async () => {
  const sessions = SESSIONS.filter(({ text }) => text.startsWith('{') && text.split('\n').length > 2 && !text.startsWith('{\n'));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...sessions), fc.nat(), fc.nat(), async (session, number, size) => {
      const lines = linesOf(session);
      const whole = 1 + (number % (lines.length - 1));
      const rest = lines[whole].slice(0, 1 + (size % (lines[whole].length - 2)));
      const before = lines.slice(0, whole).join('');
      const seen = async (text) => {
        try {
          return (await all(read(await written(session, text)))).map(({ file: _, skipped: __, ...transcript }) => transcript);
        } catch (error) {
          assert.ok(error instanceof Unreadable, error.stack);
          return error.message;
        }
      };
      assert.deepEqual(await seen(before + rest), await seen(before));
    }),
    { numRuns: cases(60) },
  );
});

test('sidechains may be between any lines', async () => {
  const [main] = SESSIONS;
  const side = linesOf(main).map((line) =>
    line.replace('"sessionId"', '"isSidechain":true,"agentId":"a7","sessionId"').replace(/"u(\d)"/g, '"v$1"'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), async (choices) => {
      const [a, b] = [linesOf(main), [...side]];
      const mixed = choices.map((isMain) => ((isMain && a.length > 0) || b.length === 0 ? a.shift() : b.shift()));
      const found = await all(read(await written(main, mixed.join(''))));
      assert.deepEqual(
        found.map((transcript) => countsOf([transcript])),
        [main.counts, main.counts],
      );
    }),
    { numRuns: cases(20) },
  );
});

test('no damage to a file is more than one line of an error, in any command, and none goes on forever', () => {
  const [seed, program] = ['../../../__test__/support/seed.mjs', './support/damaged.mjs'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  // A process of its own, which can be ended when it hangs.
  const { status, signal, stderr } = spawnSync(process.execPath, ['--import', pathToFileURL(seed).href, program], {
    encoding: 'utf8',
    timeout: 900_000,
  });
  assert.deepEqual([status, signal], [0, null], stderr);
});

test('a known file without messages is one line and exit code 1, in every command', async () => {
  const empty = {
    'summary.jsonl': '{"type":"summary","summary":"x","leafUuid":"y"}\n',
    'meta.jsonl': '{"timestamp":"2026-07-01T00:00:00Z","type":"session_meta","payload":{"id":"s"}}\n',
    'chat.json': '{"sessionId":"s","projectHash":"h","startTime":"2026-01-01T00:00:00Z","messages":[]}',
    'export.json': '{"info":{"id":"ses_1","time":{"created":1}},"messages":[]}',
    'events.jsonl': '{"type":"session.start","data":{"sessionId":"k"},"timestamp":"2026-07-01T00:00:00Z"}\n',
    'pi.jsonl': '{"type":"session","id":"p","cwd":"/shop"}\n',
  };
  for (const [name, text] of Object.entries(empty)) {
    const file = await write(join(home, 'empty', name), text);
    for (const command of [['count'], ['validate'], ['fit', '-l', '1k'], ['prune'], ['compress'], ['report'], ['watch', '--once']]) {
      const { code, stdout, stderr } = await palimpsest([...command, file, '-q']);
      assert.deepEqual([code, stdout], [1, ''], `${command[0]} ${name}`);
      assert.match(stderr, /^palimpsest: .*(?:contains no messages|found no session in 1 file|holds no transcript)\n$/);
    }
  }
});

test('what is known but not read is refused by its name, and what is unknown too', async () => {
  const refused = {
    'codex exec': '{"type":"thread.started","thread_id":"t"}\n{"type":"turn.started"}\n',
    'opencode run': '{"type":"text","timestamp":1,"sessionID":"ses_1","part":{"type":"text","text":"8443"}}\n',
    'logs.json': '[{"sessionId":"s","messageId":0,"type":"user","message":"8443","timestamp":"2026-01-01T00:00:00Z"}]',
    'ui_messages.json': '[{"ts":1,"type":"say","say":"task","text":"8443"}]',
    'Codex CLI from before June 2025': '{"session":{"id":"s"},"items":[{"type":"message","role":"user","content":"8443"}]}',
    'checkpoint of Gemini CLI': '{"history":[{"role":"user","parts":[{"text":"8443"}]}],"authType":"x"}',
    Continue: '{"sessionId":"s","history":[{"message":{"role":"user","content":"8443"}}]}',
    'VS Code': '{"requesterUsername":"x","requests":[{"message":{"text":"8443"}}]}',
    Antigravity: '{"step_index":0,"source":"MODEL","type":"PLANNER_RESPONSE","content":"8443"}\n',
    'type of no format': '{"type":"metric","value":8443}\n{"type":"metric","value":8443}\n',
    'message 2 has a type of no format': '{"role":"user","content":"8443"}\n{"type":"metric","value":8443}\n',
    'message 1 has a type of no format': '{"messages":[{"type":"metric","value":8443}]}',
  };
  for (const [reason, text] of Object.entries(refused)) {
    const file = await write(join(home, 'refused', `${++folders}.${text.endsWith('\n') ? 'jsonl' : 'json'}`), text);
    for (const command of [['count'], ['validate'], ['fit', '-l', '1k'], ['report']]) {
      const { code, stdout, stderr } = await palimpsest([...command, file]);
      assert.deepEqual([code, stdout], [1, ''], `${command[0]} ${reason}`);
      const [line] = stderr.split('\n');
      assert.ok(line.includes(reason) && line.includes(`${folders}.json`), `${command[0]}: ${stderr}`);
      assert.doesNotMatch(stderr, /8443/);
    }
  }
});

test("no kind of message that a format has is unknown, or taken for an agent's", () => {
  for (const provider of Object.values(PROVIDERS).filter(({ name }) => name !== 'langchain'))
    for (const [list, name, make] of kindsOf(provider))
      for (const message of make(new Draw(new Random(1), 7))) {
        assert.ok(isMessage(message) && !isUnknownKind(message), `${provider.name} ${list} ${name}: ${message.type}`);
        assert.ok(!isOfAgent(message), `${provider.name} ${list} ${name}`);
      }
});

test('of a compacted session, only what is sent next is checked, counted and made smaller', async () => {
  const session = SESSIONS.find(({ name }) => name.startsWith('codex: compacted'));
  const file = await written(session);
  const { code, stderr } = await palimpsest(['validate', file]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /2 messages from before the agent's own compaction left out\n.*no problems in 4 messages/);
  const [row] = (await palimpsest(['count', '--json', file])).stdout.split('\n');
  assert.equal(JSON.parse(row).messages, session.counts.messages - session.from);
});

test('prune says what stays only because signed thinking follows it', async () => {
  const source = Array.from({ length: 80 }, (_, line) => `export const value${line} = ${line};`).join('\n');
  const reading = [0, 1, 2, 3].flatMap((turn) => [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Again.', signature: 'c2ln' },
        { type: 'tool_use', id: `t${turn}`, name: 'Read', input: { file_path: '/a.ts' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${turn}`, content: source }] },
  ]);
  const file = await write(
    join(home, 'thinking.json'),
    JSON.stringify([{ role: 'user', content: 'Fix it.' }, ...reading, { role: 'assistant', content: 'Done.' }]),
  );
  const kept = await palimpsest(['prune', file]);
  const stripped = await palimpsest(['prune', '--thinking', 'strip', file]);
  const [, reads] = stripped.stderr.match(/ (\d) stale reads?/);
  assert.ok(Number(reads) > 0, stripped.stderr);
  assert.match(kept.stderr, / 0 stale reads?/);
  assert.ok(
    kept.stderr.includes(`; before signed thinking stay ${reads} stale read`) && kept.stderr.includes(': --thinking strip'),
    kept.stderr,
  );
  assert.doesNotMatch(stripped.stderr, /before signed thinking/);
});

test('pipes among the files are named and skipped', { skip: process.platform === 'win32' && 'there are no such pipes' }, async () => {
  const session = SESSIONS[0];
  const file = await written(session);
  const pipe = join(dirname(file), 'pipe.jsonl');
  execFileSync('mkfifo', [pipe]);
  const { found, skipped } = await listFiles([dirname(file)]);
  assert.deepEqual([found.map(({ path }) => path), skipped], [[file], [{ file: pipe, reason: 'is no regular file' }]]);
  const { code, stderr } = await palimpsest(['watch', pipe]);
  assert.deepEqual([code, stderr], [1, `palimpsest: ${pipe}: is no regular file\n`]);
  assert.equal((await palimpsest(['report', '--json', pipe])).code, 1);
});

/** Runs a program in a Node.js that has SQLite, and returns what it printed as JSON. */
function inNode22(program, ...args) {
  const index = new URL('../dist/transcripts/index.mjs', import.meta.url).href;
  const source = `
    import { DatabaseSync } from 'node:sqlite';
    import { read } from ${JSON.stringify(index)};
    const all = async (file) => { const list = []; for await (const one of read(file)) list.push(one); return list; };
    const [file] = process.argv.slice(1);
    const database = new DatabaseSync(file);
    ${program}`;
  return JSON.parse(execFileSync(node22, ['--no-warnings', '--input-type=module', '-e', source, ...args], { encoding: 'utf8' }));
}

test('opencode: sessions of both versions of its database are read, each once', { skip: withoutNode22 }, async () => {
  const read = inNode22(
    `database.exec(\`
      CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, title TEXT, time_created INTEGER, time_updated INTEGER);
      CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
      CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
      CREATE TABLE session_message (id TEXT, session_id TEXT, type TEXT, seq INTEGER, time_created INTEGER, time_updated INTEGER, data TEXT);
      INSERT INTO session VALUES ('ses_old', NULL, '/shop', 'Old', 1, 2), ('ses_new', 'ses_old', '/shop', 'New', 3, 9);
      INSERT INTO message VALUES ('m1', 'ses_old', 1, '{"role":"user"}'), ('m2', 'ses_new', 1, '{"role":"user"}');
      INSERT INTO part VALUES ('p1', 'm1', 'ses_old', 1, '{"type":"text","text":"old"}'), ('p2', 'm2', 'ses_new', 1, '{"type":"text","text":"stale"}');
    \`);
    const add = database.prepare('INSERT INTO session_message VALUES (?, ?, ?, ?, ?, ?, ?)');
    const entries = [
      ['agent-switched', {}],
      ['system', { text: 'Be brief.' }],
      ['user', { text: 'Which port?', files: [{}] }],
      ['assistant', {
        model: { id: 'gpt-5.5', providerID: 'openai' },
        content: [
          { type: 'reasoning', text: 'Where?' },
          { type: 'tool', id: 'c1', name: 'bash', state: { status: 'completed', input: { command: 'ls' }, content: [{ type: 'text', text: 'a.ts' }] } },
          { type: 'tool', id: 'c2', name: 'bash', state: { status: 'error', input: {}, error: { message: 'no such file' }, content: [] } },
          { type: 'tool', id: 'c3', name: 'bash', state: { status: 'pending', input: '{"a"' } },
        ],
        tokens: { input: 5, output: 2, reasoning: 1, cache: { read: 50, write: 4 } },
        time: { created: 5 },
      }],
      ['shell', { callID: 's', command: 'pwd', output: '/shop' }],
      ['compaction', { reason: 'auto', summary: 'So far: 8443.', recent: '' }],
      ['synthetic', { text: 'Go on.' }],
      ['assistant', { content: [{ type: 'text', text: 'Yes.' }], tokens: { input: 7, output: 1, reasoning: 0, cache: { read: 0, write: 0 } } }],
      ['assistant', 'broken'],
    ];
    // Their order is that of the sequence.
    entries.map((entry, seq) => [seq, ...entry]).reverse()
      .forEach(([seq, type, data]) => add.run('e' + seq, 'ses_new', type, seq, 4, 4, data === 'broken' ? '{"' : JSON.stringify(data)));
    database.close();
    console.log(JSON.stringify(await all(file)));`,
    join(home, 'opencode.db'),
  );
  const [newer, older] = read;
  assert.deepEqual([read.length, newer.id, older.id], [2, 'ses_new', 'ses_old']);
  assert.deepEqual(countsOf([older]), { messages: 1, replies: 0, calls: 0, results: 0, usage: [0, 0, 0, 0], timed: 0, models: [] });
  assert.deepEqual(countsOf([newer]), {
    messages: 7,
    replies: 2,
    calls: 3,
    results: 2,
    usage: [12, 50, 4, 4],
    timed: 2,
    models: ['gpt-5.5'],
  });
  assert.deepEqual(
    [newer.title, newer.from, newer.system, newer.skipped, newer.notes],
    ['subagent: New', 4, 'Be brief.', 1, ['1 compaction by the agent', '1 attached file left out']],
  );
});

test('Goose: its database says what its lines say; other databases are refused by name', { skip: withoutNode22 }, async () => {
  const session = SESSIONS.find(({ agent }) => agent === 'goose');
  const lines = await written(session);
  const [fromLines] = await all(read(lines));
  const [fromDatabase] = inNode22(
    `import { readFileSync } from 'node:fs';
    database.exec(\`
      CREATE TABLE sessions (id TEXT, description TEXT, working_dir TEXT, accumulated_input_tokens INTEGER, accumulated_output_tokens INTEGER,
        model_config_json TEXT, provider_name TEXT);
      CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER, tokens INTEGER);
      INSERT INTO sessions VALUES ('20260701_1', 'The port', '/shop', 900, 9, '{"model_name":"gpt-5.5"}', 'openai');
    \`);
    const add = database.prepare('INSERT INTO messages VALUES (NULL, ?, ?, ?, ?, NULL)');
    for (const line of readFileSync(process.argv[2], 'utf8').trim().split('\\n').slice(1)) {
      const { role, created, content } = JSON.parse(line);
      add.run('20260701_1', role, JSON.stringify(content), created);
    }
    database.close();
    console.log(JSON.stringify(await all(file)));`,
    join(home, 'sessions.db'),
    lines,
  );
  assert.equal(fromDatabase.model, 'gpt-5.5');
  const plain = ({ file: _, model: __, requests, ...more }) => ({
    ...more,
    requests: requests.map(({ model: ___, ...request }) => request),
  });
  assert.deepEqual(plain(fromDatabase), plain(JSON.parse(JSON.stringify(fromLines))));
  for (const [table, reason] of [
    ['cursorDiskKV', /^is a database of Cursor, which is not read/],
    ['threads', /^is a database of Zed, which is not read$/],
    ['anything', /^is a database, but not one of opencode or Goose$/],
  ]) {
    const message = inNode22(
      `database.exec('CREATE TABLE ${table} (id TEXT)');
      database.close();
      console.log(JSON.stringify(await all(file).catch(({ message }) => message)));`,
      join(home, `${table}.db`),
    );
    assert.match(message, reason);
  }
});

test('a database names the way out where Node.js has no SQLite', {
  skip: Number(process.versions.node.split('.')[0]) >= 22 && 'it has',
}, async () => {
  const file = await write(join(home, 'other.db'), 'SQLite format 3\0');
  await assert.rejects(all(read(file)), /Node\.js reads from 22\.13 on; .*`opencode export`/);
});

test('the page of the command line has a line for each agent', async () => {
  const page = await readFile(fileURLToPath(new URL('../../../docs/reference/command-line.md', import.meta.url)), 'utf8');
  for (const [agent, name] of Object.entries(AGENTS)) if (agent !== 'messages') assert.ok(page.includes(`| ${name} |`), name);
});
