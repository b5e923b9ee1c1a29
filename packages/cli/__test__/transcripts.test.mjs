// Transcripts of agents are read as they were recorded. The files are made up by support/recorded.mjs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, chmod, mkdtemp, readFile, rm, symlink, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { recordedFiles, withoutRecorded } from '../../../__test__/support/corpus.mjs';
import { node22, withoutNode22 } from '../../../__test__/support/node22.mjs';
import { cases, someOf } from '../../../__test__/support/seed.mjs';
import { dialogue, FORMATS, sayIn } from '../../../__test__/support/transcripts.mjs';
import { readMessages } from '../dist/analysis/parts.mjs';
import { find, listFiles, read, readAll, Unreadable, usualPlaces } from '../dist/transcripts/index.mjs';
import {
  claudeCodeLines,
  codexLines,
  geminiChat,
  jsonl,
  opencodeSession,
  readable,
  someTurns,
  TURNS,
  usesOf,
  write,
  WRITERS,
} from './support/recorded.mjs';

const folders = [];
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'transcripts-'));
  folders.push(folder);
  return folder;
};
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function all(transcripts) {
  const list = [];
  for await (const one of transcripts) list.push(one);
  return list;
}

/** What can be read in messages, in the shape of `readable`. */
const said = ({ messages, format }) =>
  readMessages(messages, format).flatMap(({ role, parts }) =>
    parts.map(({ label, text, tool }) => (label === 'call' ? { role, label, tool, input: JSON.parse(text) } : { role, label, text })),
  );

/** Usage without what an agent does not record. */
const known = (usage, agent) =>
  agent === 'codex' || agent === 'gemini-cli' ? { ...usage, input: usage.input + usage.cacheWrite, cacheWrite: 0 } : usage;

for (const [agent, record] of someOf(Object.entries(WRITERS))) {
  test(`${agent}: a transcript has all that was said, and the usage of each request once`, async () => {
    await fc.assert(
      fc.asyncProperty(someTurns, async (turns) => {
        const file = await record(await newFolder(), turns);
        const [transcript, ...others] = await all(read(file));
        assert.deepEqual(others, []);
        assert.equal(transcript.agent, agent);
        assert.deepEqual(said(transcript), readable(turns, { thinking: agent !== 'gemini-cli' }));
        const usage = usesOf(turns).map((one) => known(one, agent));
        assert.deepEqual(
          transcript.requests.map((request) => request.usage),
          usage,
        );
        const roles = readMessages(transcript.messages, transcript.format).map(({ role }) => role);
        for (const request of transcript.requests) {
          // A request ends where the reply begins.
          assert.equal(roles[request.messages], 'assistant');
          assert.notEqual(roles[request.messages - 1], 'assistant');
        }
        assert.equal(transcript.skipped, 0);
      }),
      { numRuns: cases(25) },
    );
  });

  test(`${agent}: transcripts are found in their usual place`, async () => {
    const home = await newFolder();
    const file = await record(home, TURNS);
    const { found, looked, skipped } = await find(home, {});
    assert.deepEqual(
      found.map((one) => [one.agent, one.path]),
      [[agent, file]],
    );
    assert.ok(found[0].bytes > 0 && found[0].changed > 0);
    assert.ok(looked.every((place) => place.agent === agent) && looked.length > 0);
    assert.deepEqual(skipped, []);
    const [transcript] = await all(read(file));
    assert.match(transcript.model, /^(?:claude-sonnet-5|gpt-5\.5|gemini-3\.8-flash)$/);
    assert.ok(transcript.title.length > 0 && transcript.id.length > 0);
    assert.ok(transcript.started <= transcript.ended);
  });
}

test('the variables of agents lead to other places', () => {
  const places = usualPlaces('/home/ada', { CLAUDE_CONFIG_DIR: '/a,/b', CODEX_HOME: '/c', XDG_DATA_HOME: '/d', OPENCODE_DB: '/e/o.db' });
  const paths = places.map(({ path }) => path.replaceAll('\\', '/'));
  for (const path of ['/a/projects', '/b/projects', '/c/sessions', '/d/opencode/storage', '/e/o.db']) assert.ok(paths.includes(path), path);
  assert.ok(!paths.includes('/home/ada/.claude/projects'));
});

test('opencode: its database says what its files say', { skip: withoutNode22 }, async () => {
  const home = await newFolder();
  const database = join(home, '.local/share/opencode/opencode.db');
  await write(database, '');
  const program = `
    const [session, file, support, index] = process.argv.slice(1);
    const { openDatabase, store } = await import(support);
    const { read } = await import(index);
    const database = openDatabase(file);
    store(database, JSON.parse(session));
    database.close();
    const list = [];
    for await (const one of read(file)) list.push(one);
    console.log(JSON.stringify(list));`;
  const support = new URL('support/opencode-database.mjs', import.meta.url).href;
  const index = new URL('../dist/transcripts/index.mjs', import.meta.url).href;
  const args = ['--no-warnings', '--input-type=module', '-e', program, JSON.stringify(opencodeSession(TURNS)), database, support, index];
  const [fromDatabase] = JSON.parse(execFileSync(node22, args, { encoding: 'utf8' }));
  const [fromFiles] = await all(read(await WRITERS.opencode(home, TURNS)));
  assert.deepEqual({ ...fromDatabase, file: '' }, { ...JSON.parse(JSON.stringify(fromFiles)), file: '' });
  const { found } = await find(home, {});
  assert.deepEqual(
    found.map(({ path }) => path),
    [database],
    'the older files hold the same sessions',
  );
});

test('Claude Code: the branch of the last message is read, and what else there is told', async () => {
  const lines = claudeCodeLines(TURNS);
  const [first] = lines.filter(({ type }) => type === 'user');
  const asked = {
    ...first,
    uuid: 'again',
    parentUuid: null,
    message: { role: 'user', content: 'Which host?' },
    timestamp: '2026-11-01T11:00:00Z',
  };
  const answer = lines.findLast(({ type }) => type === 'assistant');
  const answered = {
    ...answer,
    uuid: 'answer',
    parentUuid: 'again',
    message: { ...answer.message, id: 'other', content: [{ type: 'text', text: 'edge-7' }] },
  };
  const file = await write(join(await newFolder(), 'branches.jsonl'), jsonl([...lines, asked, answered]));
  const [transcript] = await all(read(file));
  assert.deepEqual(
    said(transcript).map(({ text }) => text),
    ['Which host?', 'edge-7'],
  );
  const others = lines.filter(({ type }) => type === 'user' || type === 'assistant').length;
  assert.deepEqual(transcript.notes, [`${others} messages of other branches left out`]);
});

test('Claude Code: a subagent is a transcript of its own, in the same file or another', async () => {
  const folder = await newFolder();
  const side = claudeCodeLines(TURNS, { agentId: 'a7' });
  const main = claudeCodeLines(TURNS);
  const together = await all(read(await write(join(folder, 'together.jsonl'), jsonl([...main, ...side]))));
  assert.deepEqual(
    together.map(({ id }) => id),
    ['together', 'together/a7'],
  );
  for (const transcript of together) assert.deepEqual(said(transcript), readable(TURNS));
  const alone = await all(read(await write(join(folder, 'subagents/agent-a7.jsonl'), jsonl(side))));
  assert.equal(alone.length, 1);
  assert.deepEqual(said(alone[0]), readable(TURNS));
});

test('Claude Code: requests after a compaction begin behind it, and nothing before it is lost', async () => {
  const before = claudeCodeLines(TURNS);
  const last = before.at(-1).uuid;
  for (const logicalParentUuid of [last, undefined]) {
    const boundary = {
      type: 'system',
      subtype: 'compact_boundary',
      uuid: 'b',
      parentUuid: null,
      logicalParentUuid,
      sessionId: 's',
      content: 'Conversation compacted',
    };
    const summary = {
      type: 'user',
      uuid: 'c',
      parentUuid: 'b',
      isCompactSummary: true,
      sessionId: 's',
      message: { role: 'user', content: 'So far: port 8443.' },
    };
    const { message, ...answer } = before.at(-1);
    const reply = {
      ...answer,
      uuid: 'd',
      parentUuid: 'c',
      message: { ...message, id: 'msg_new', content: [{ type: 'text', text: 'Go on.' }] },
    };
    const file = await write(join(await newFolder(), 'compacted.jsonl'), jsonl([...before, boundary, summary, reply]));
    const [transcript] = await all(read(file));
    assert.equal(said(transcript).length, readable(TURNS).length + 2);
    const { from, messages } = transcript.requests.at(-1);
    assert.equal(transcript.messages[from].content, 'So far: port 8443.');
    assert.equal(messages, from + 1);
    assert.ok(transcript.requests.slice(0, -1).every((request) => request.from === undefined));
  }
});

test('Claude Code: what the cache keeps for an hour is told apart', async () => {
  const lines = claudeCodeLines(TURNS);
  for (const { message } of lines)
    if (message?.usage) message.usage.cache_creation = { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 100 };
  const [transcript] = await all(read(await write(join(await newFolder(), 'hour.jsonl'), jsonl(lines))));
  assert.deepEqual(
    transcript.requests.map(({ usage }) => usage.cacheWriteHour),
    [100, 100],
  );
});

test('Claude Code: a tree that loops ends', async () => {
  const lines = claudeCodeLines(TURNS).filter(({ uuid }) => uuid);
  lines[0].parentUuid = lines.at(-1).uuid;
  const [transcript] = await all(read(await write(join(await newFolder(), 'loop.jsonl'), jsonl(lines))));
  assert.deepEqual(said(transcript), readable(TURNS));
});

test('Codex: a compaction replaces the history', async () => {
  const lines = codexLines(TURNS);
  const history = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'So far: port 8443.' }] }];
  const compacted = {
    timestamp: '2026-11-01T12:00:00Z',
    type: 'compacted',
    payload: { message: 'So far: port 8443.', replacement_history: history },
  };
  const reply = {
    timestamp: '2026-11-01T12:00:01Z',
    type: 'response_item',
    payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Go on.' }] },
  };
  const [transcript] = await all(read(await write(join(await newFolder(), 'rollout.jsonl'), jsonl([...lines, compacted, reply]))));
  const { from, messages } = transcript.requests.at(-1);
  assert.deepEqual(transcript.messages.slice(from, messages), history);
  assert.equal(transcript.system, 'You are a coding agent.');
});

test('Gemini CLI: in chats of lines, the last version of a record counts, and what was undone is gone', async () => {
  const { messages, ...chat } = geminiChat([...TURNS, { user: 'And the host?', replies: TURNS[0].replies }]);
  const lines = [chat, { ...messages[0], content: 'draft' }, ...messages, { $rewindTo: messages[3].id }, { $set: { summary: 'The port' } }];
  const [transcript] = await all(read(await write(join(await newFolder(), 'session-1.jsonl'), jsonl(lines))));
  assert.deepEqual(said(transcript), readable(TURNS, { thinking: false }));
  assert.equal(transcript.title, 'The port');
});

test('unknown and broken lines are counted, and change nothing else', async () => {
  const bad = ['{"type":"from-the-future","payload":{"a":1},"sessionId":"s"}\n', 'not JSON\n', '[1,2]\n', '"text"\n', '{}\n'];
  for (const agent of ['claude-code', 'codex']) {
    const file = await WRITERS[agent](await newFolder(), TURNS);
    const lines = (await readFile(file, 'utf8')).split(/(?<=\n)/);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...bad), fc.nat(lines.length)), { maxLength: 8 }), async (added) => {
        const mixed = [...lines];
        for (const [line, at] of added) mixed.splice(at, 0, line);
        const [transcript] = await all(read(await write(join(await newFolder(), 'mixed.jsonl'), mixed.join(''))));
        assert.deepEqual(said(transcript), readable(TURNS));
        assert.equal(transcript.skipped, added.length);
      }),
      { numRuns: cases(20) },
    );
  }
});

test('a file that was cut off anywhere is read up to there, or refused in one line', async () => {
  for (const [agent, record] of Object.entries(WRITERS)) {
    const folder = await newFolder();
    const file = await record(folder, TURNS);
    const whole = await readFile(file);
    for (let size = 0; size < whole.length; size += Math.ceil(whole.length / 23)) {
      await write(file, whole);
      await truncate(file, size);
      try {
        for (const transcript of await all(read(file))) assert.ok(transcript.messages.length <= readable(TURNS).length);
      } catch (error) {
        assert.ok(error instanceof Unreadable, `${agent} at ${size}: ${error.stack}`);
        assert.doesNotMatch(error.message, /\n|8443/);
      }
    }
  }
});

test('files that are no transcripts are named with a reason', async () => {
  const folder = await newFolder();
  const files = {
    'empty.jsonl': ['', 'is empty'],
    'blank.json': [' \n\n', 'is empty'],
    'binary.json': [Buffer.from([1, 2, 0, 3]), 'is binary'],
    'text.json': ['The secret is 8443.', 'is not JSON'],
    'half.json': ['[{"role":"user","content":"8443"}', 'is not JSON, or was cut off'],
    'number.json': ['12', 'is no transcript'],
    'object.json': ['{"port": 8443}', 'is an object, expected messages or a transcript'],
    'nothing.json': ['[]', 'contains no messages'],
    'lines.jsonl': ['{"port": 8443}\n{"port": 1}\n', 'is no transcript'],
    'other.db': ['SQLite format 3\0garbage', /^is a database/],
  };
  for (const [name, [content]] of Object.entries(files)) await write(join(folder, name), content);
  await symlink(join(folder, 'loop.json'), join(folder, 'loop.json'));
  await symlink(folder, join(folder, 'again'));
  await symlink(join(folder, 'gone'), join(folder, 'dangling.json'));
  const { found, skipped } = await listFiles([folder]);
  assert.deepEqual(found.map(({ path }) => path.slice(folder.length + 1)).sort(), Object.keys(files).sort());
  assert.deepEqual(Object.fromEntries(skipped.map(({ file, reason }) => [file.slice(folder.length + 1), reason])), {
    'dangling.json': 'no such file',
    'loop.json': 'a symbolic link that leads to itself',
  });
  const reasons = [];
  assert.deepEqual(await all(readAll([...found.map(({ path }) => path), folder, '/nowhere/at/all'], reasons)), []);
  for (const { file, reason } of reasons) {
    const name = file.slice(folder.length + 1);
    const expected = files[name]?.[1] ?? (file === folder ? 'is a folder' : 'no such file');
    if (expected instanceof RegExp) assert.match(reason, expected);
    else assert.equal(reason, expected, name);
    assert.doesNotMatch(reason, /8443|\n/);
  }
  assert.equal(reasons.length, Object.keys(files).length + 2);
});

test('a pipe is refused at once', { skip: process.platform === 'win32' && 'there are no such pipes' }, async () => {
  const pipe = join(await newFolder(), 'pipe.json');
  execFileSync('mkfifo', [pipe]);
  await assert.rejects(all(read(pipe)), new Unreadable('is no regular file'));
});

test('an unreadable file is named', { skip: process.getuid?.() === 0 && 'root reads everything' }, async () => {
  const file = await WRITERS.codex(await newFolder(), TURNS);
  await chmod(file, 0o000);
  await assert.rejects(all(read(file)), new Unreadable('permission denied'));
});

/** Messages of LangChain are instances of its classes, which JSON doesn't have. */
const inJson = FORMATS.filter((format) => format !== 'langchain');

test('messages of every format are read, as an array, in an object, and line by line', async () => {
  const folder = await newFolder();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...inJson), dialogue, async (format, spoken) => {
      const messages = sayIn(format, spoken);
      fc.pre(messages.length > 0);
      const plain = JSON.parse(JSON.stringify(messages));
      const files = [
        await write(join(folder, 'array.json'), JSON.stringify(messages)),
        await write(join(folder, 'pretty.json'), JSON.stringify({ id: 'one', messages }, null, 2)),
        await write(join(folder, 'lines.jsonl'), jsonl(messages)),
      ];
      for (const file of files) {
        const [transcript] = await all(read(file));
        assert.deepEqual(transcript.messages, plain);
        assert.equal(transcript.skipped, 0);
      }
    }),
    { numRuns: cases(60) },
  );
});

test('lines of a pretty-printed object that are JSON themselves make it no file of lines', async () => {
  const messages = [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: { x: [1, [2], {}], y: [3] } }] }];
  const file = await write(join(await newFolder(), 'pretty.json'), JSON.stringify({ messages }, null, 2));
  assert.deepEqual((await all(read(file)))[0].messages, messages);
});

test('recorded conversations are read', { skip: withoutRecorded }, async () => {
  const files = recordedFiles('native').map((file) => fileURLToPath(file));
  const skipped = [];
  const transcripts = await all(readAll(files, skipped));
  assert.deepEqual(skipped, []);
  const counts = await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8')).length));
  assert.equal(
    transcripts.length,
    counts.reduce((sum, count) => sum + count),
  );
  assert.ok(transcripts.every(({ messages, requests }) => messages.length > 0 && requests.length > 0));
});

test('a line of many megabytes is read', async () => {
  const long = 'x'.repeat(20_000_000);
  const file = await WRITERS.codex(await newFolder(), TURNS);
  const line = {
    timestamp: '2026-11-01T12:00:00Z',
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: long }] },
  };
  await appendFile(file, `${JSON.stringify(line)}`);
  const [transcript] = await all(read(file));
  assert.equal(transcript.messages.at(-1).content[0].text.length, long.length);
});
