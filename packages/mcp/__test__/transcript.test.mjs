// The server over transcripts: what it answers is compared with a reading of their lines (support/transcripts.mjs).
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { countTokens } from 'palimpsest';
import { Random } from '../../../__test__/support/random.mjs';
import { cases, SEED, someOf } from '../../../__test__/support/seed.mjs';
import { asking, BIN } from './support/asking.mjs';
import { folder, scratch } from './support/folders.mjs';
import { claudeText, codexText, readLines } from './support/transcripts.mjs';

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** Turns of which each names a host and a port of its own. */
const turnsOf = (count, name = 'mail') =>
  Array.from({ length: count }, (_, index) => ({
    user: `Where does ${name}-${index} listen?`,
    reply: `${name}-${index} listens on ${name[0]}${7919 * (index + 3)}.`,
  }));

const AGENTS = [
  ['claude-code', claudeText, (home) => join(home, '.claude/projects/-shop')],
  ['codex', codexText, (home) => join(home, '.codex/sessions/2026/07/01')],
];

/** What `why` has to say of a text. */
function whyIn({ messages, requests, from }, agent, text) {
  const said = messages.flatMap(({ role, text: own }, index) => (own.includes(text) ? [{ role, index }] : []));
  if (said.length === 0) return 'Nothing in this history says it.';
  const lines = said.map(({ role, index }) => {
    const had = requests.flatMap(([first, end], number) => (first <= index && index < end ? [number + 1] : []));
    const range = had.length > 1 ? `${had[0]}–${had.at(-1)}` : `${had[0]}`;
    const where = `message ${index} (${role}): `;
    if (index >= from) return where + (had.length === 0 ? 'the next request is the first one with it' : `requests ${range} had it`);
    const gone = requests.findIndex(([first]) => first > index) + 1;
    const before = had.length === 0 ? 'no request that is recorded had it' : `requests ${range} had it`;
    const since = gone > 0 ? `Request ${gone} is the first one without it` : 'The next request lacks it';
    return `${where}${before}. ${since}: ${agent} compacted the conversation. recall with from ${index} gives it back`;
  });
  const place = said.length === 1 ? '1 place' : `${said.length} places`;
  return [`Said in ${place}. The context ${said.some(({ index }) => index >= from) ? 'has' : 'lacks'} it.`, ...lines].join('\n');
}

for (const [agent, textOf] of someOf(AGENTS)) {
  test(`${agent}: recall, why and context of conversations, compacted or not`, async () => {
    const random = new Random(SEED);
    for (let tries = cases(6); tries > 0; tries--) {
      const turns = turnsOf(random.integer(4, 14));
      const compactedAfter = random.chance(0.7) ? random.integer(2, turns.length - 1) : undefined;
      const text = textOf(turns, { cwd: '/shop', compactedAfter });
      const read = readLines(text);
      const cwd = folder();
      write(join(cwd, 'session.jsonl'), text);
      await asking(['session.jsonl'], { cwd }, async (ask, client) => {
        const { tools } = await client.listTools();
        assert.deepEqual(
          tools.map(({ name }) => name),
          ['recall', 'why', 'context'],
        );
        assert.match(client.getInstructions(), /Nothing can be pinned: a transcript has no session/);
        for (let questions = 3; questions > 0; questions--) {
          const turn = random.integer(0, turns.length - 1);
          const { reply } = turns[turn];
          const place = read.messages.findIndex((message) => message.text === reply);
          for (const said of [reply, reply.split(' ').at(-1), 'nobody said this'])
            assert.equal((await ask('why', { text: said })).text, whyIn(read, agent, said));
          assert.equal((await ask('why', { message: place })).text, whyIn(read, agent, reply));
          const found = await ask('recall', { query: `"mail-${turn}" listens` });
          // After a compaction what it took out is searched; without one, all that the last request had.
          const isSearched = read.from > 0 ? place < read.from : place < read.requests.at(-1)[1];
          assert.equal(found.text.includes(reply), isSearched, `${place} of ${read.from}: ${found.text}`);
          assert.equal((await ask('recall', { from: place })).text, `[message ${place}, assistant]\n${reply}`);
        }
        const { text: shown } = await ask('context');
        const [head, ...rows] = shown.split('\n');
        const [, count, tokens] = /^The context holds (\d+) messages, about ([\d,]+) tokens/.exec(head) ?? assert.fail(head);
        assert.equal(Number(count), read.messages.length - read.from);
        const kinds = rows.flatMap((row) => /^[\w ]+: ([\d,]+) tokens, [\d.]+ %/.exec(row)?.[1].replaceAll(',', '') ?? []);
        assert.equal(
          kinds.reduce((sum, one) => sum + Number(one), 0),
          Number(tokens.replaceAll(',', '')),
        );
        assert.equal(/compacted (\d+) messages before them/.exec(head)?.[1], read.from > 0 ? String(read.from) : undefined);
        // Of the last line with usage.
        const provider = agent === 'claude-code' ? `${(10 + turns.length - 1 + 2300).toLocaleString('en')}` : undefined;
        assert.equal(/The provider counted ([\d,]+) tokens/.exec(shown)?.[1], provider);
      });
    }
  });
}

test('recall keeps to its bound, and says what is wrong with a question', async () => {
  const cwd = folder();
  const long = Array.from({ length: 400 }, (_, line) => `row ${line} of the harbour: ${line * 7919}`).join('\n');
  write(join(cwd, 'session.jsonl'), claudeText([{ user: 'Show the rows.', reply: long }, ...turnsOf(20)], { cwd }));
  await asking(['session.jsonl'], { cwd }, async (ask) => {
    for (const [input, limit] of [
      [{ query: 'row 217' }, 500],
      [{ query: 'row 217', limit: 100 }, 100],
      [{ from: 1 }, 1000],
      [{ from: 0, to: 30, limit: 200 }, 200],
      [{ to: 1, limit: 3000 }, 3000],
    ]) {
      const { text, isError } = await ask('recall', input);
      assert.ok(!isError && text.includes('row'), text);
      assert.ok(countTokens([{ role: 'user', content: text }]) <= limit + 10, JSON.stringify(input));
    }
    for (const [tool, input, says] of [
      ['recall', {}, /Give a `query`, or `from` and `to`/],
      ['recall', { query: ' ' }, /Give a `query`/],
      ['recall', { from: 4, to: 2 }, /`from` must not be above `to`/],
      ['recall', { from: 999 }, /the conversation has 42 messages, from 0/],
      ['recall', { query: 'x', limit: 0 }, /limit/],
      ['recall', { query: 'x', limit: 1e9 }, /limit/],
      ['recall', { query: 7 }, /query/],
      ['recall', { words: 'x' }, /recall/],
      ['why', {}, /Give a `text`, or a `message`/],
      ['why', { message: -1 }, /message/],
      ['context', { x: 1 }, /context/],
    ]) {
      const { text, isError } = await ask(tool, input);
      assert.ok(isError, `${tool} ${JSON.stringify(input)}`);
      assert.match(text, says);
    }
    assert.match((await ask('recall', { query: 'quetzalcoatl' })).text, /^Nothing matches within 500 tokens/);
    assert.match((await ask('why', { message: 4711 })).text, /The history has 42 messages/);
  });
});

test('without a file, it is the newest transcript of the agent that asks, in the folder where the server was started', async () => {
  const home = folder();
  const [shop, other] = [folder(), folder()];
  let seconds = Date.UTC(2026, 6, 1) / 1000;
  const put = (path, text) => {
    write(path, text);
    utimesSync(path, seconds, ++seconds);
  };
  const finds = (client, place, pattern) =>
    asking([], { cwd: place, home, name: client }, async (ask) => {
      const { text } = await ask('recall', { from: 1 });
      assert.match(text, pattern, client);
    });
  await finds('codex-mcp-client', shop, /^found no transcript for the folder .*; start the server with the path of a transcript/);
  for (const [agent, textOf, place] of AGENTS) {
    put(join(place(home), 'rollout-1.jsonl'), textOf(turnsOf(3, `older-${agent}`), { cwd: shop }));
    put(join(place(home), 'rollout-2.jsonl'), textOf(turnsOf(3, `newer-${agent}`), { cwd: shop }));
    put(join(place(home), 'rollout-3.jsonl'), textOf(turnsOf(3, `elsewhere-${agent}`), { cwd: other }));
    put(join(place(home), 'broken.jsonl'), '{"type":');
  }
  put(join(AGENTS[0][2](home), 'agent-7.jsonl'), claudeText(turnsOf(3, 'subagent'), { cwd: shop }));
  await finds('claude-code', shop, /newer-claude-code-0 listens/);
  await finds('codex-mcp-client', shop, /newer-codex-0 listens/);
  await finds('claude-code', other, /elsewhere-claude-code-0 listens/);
  // Of a client that is none of the agents, the newest of all.
  await finds('inspector', shop, /newer-codex-0 listens/);
  await finds('claude-code', folder(), /^found no transcript of claude-code for the folder .*start the server with the path/);
  // An agent goes on in a new file while its server runs.
  await asking([], { cwd: shop, home, name: 'claude-code' }, async (ask) => {
    assert.match((await ask('recall', { from: 1 })).text, /newer-claude-code-0 listens/);
    put(join(AGENTS[0][2](home), 'rollout-4.jsonl'), claudeText(turnsOf(3, 'latest'), { cwd: shop }));
    assert.match((await ask('recall', { from: 1 })).text, /latest-0 listens/);
  });
});

for (const [agent, textOf] of someOf(AGENTS)) {
  test(`${agent}: a transcript that grows, is written anew or goes is read as it is`, async () => {
    const cwd = folder();
    const file = join(cwd, 'session.jsonl');
    await asking([file], { cwd }, async (ask) => {
      const gone = await ask('recall', { query: 'port' });
      assert.deepEqual([gone.isError, gone.text.includes(`${file}: no such file; start the server with`)], [true, true]);
      const text = textOf(turnsOf(30), { cwd });
      const bytes = Buffer.from(text);
      // A line at a time, and now and then a part of one.
      const ends = [...text.matchAll(/\n/g)].map(({ index }) => index + 1);
      let written = 0;
      for (const end of ends.filter((_, index) => index % 7 === 6 || index === ends.length - 1)) {
        const cut = Math.min(bytes.length, end + 20);
        appendFileSync(file, bytes.subarray(written, cut));
        written = cut;
        const { messages } = readLines(text.slice(0, end));
        const last = messages.length - 1;
        const shown = (await ask('recall', { from: last })).text;
        assert.equal(shown, `[message ${last}, ${messages[last].role}]\n${messages[last].text}`);
      }
      write(`${file}.new`, textOf(turnsOf(5, 'proxy'), { cwd }));
      renameSync(`${file}.new`, file);
      assert.match((await ask('recall', { from: 1 })).text, /proxy-0 listens/);
      rmSync(file);
      assert.equal((await ask('why', { text: 'proxy-0' })).isError, true);
      write(file, text);
      assert.match((await ask('why', { text: 'mail-3 listens' })).text, /^Said in 1 place/);
    });
  });
}

test('what is no transcript is an error that names it and what to do, and the server goes on', async () => {
  const cwd = folder();
  const good = codexText(turnsOf(4), { cwd });
  for (const [name, content, says] of [
    ['empty.jsonl', '', /is empty/],
    ['blank.jsonl', ' \n\n', /is empty/],
    ['binary.jsonl', Buffer.from([1, 0, 2, 0, 3]), /is binary/],
    ['cut.json', '{"messages": [{"role": "user", "con', /is not JSON/],
    ['other.json', '{"a": 1}', /expected messages or a transcript/],
    ['none.json', '[]', /contains no messages/],
    ['notes.jsonl', 'hello\nworld\n', /is (?:no transcript|not JSON)/],
    ['broken.db', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(500, 7)]), /\S/],
    ['meta.jsonl', good.split('\n').slice(0, 2).join('\n'), /contains no messages/],
    ['secret.json', '[{"role": "tool", "content": "krk-7741"}, {"type": "krk-7741"}, 3]', /\S/],
  ]) {
    const file = write(join(cwd, name), content);
    await asking([name], { cwd }, async (ask) => {
      for (const [tool, input] of [
        ['recall', { query: 'port' }],
        ['recall', { from: 0 }],
        ['why', { text: 'port' }],
        ['context', {}],
      ]) {
        const { text, isError } = await ask(tool, input);
        assert.ok(isError, `${name} ${tool}: ${text}`);
        assert.match(text, says);
        assert.match(text, new RegExp(`^${name}: .*; start the server with|^${name}`));
        assert.doesNotMatch(text, /krk-7741|internal error|\n/);
      }
      writeFileSync(file, good);
      const after = await ask('why', { text: 'mail-2 listens' });
      assert.deepEqual([name, after.isError], [name, false], after.text);
    });
  }
  await asking([cwd], { cwd }, async (ask) => assert.match((await ask('context')).text, /is a folder; start the server with/));
});

test('damaged transcripts are read as far as they can be', async () => {
  const random = new Random(SEED);
  const cwd = folder();
  const file = join(cwd, 'session.jsonl');
  await asking([file], { cwd }, async (ask) => {
    for (let tries = cases(12); tries > 0; tries--) {
      const [, textOf] = random.pick(AGENTS);
      const lines = textOf(turnsOf(12), { cwd, compactedAfter: random.pick([undefined, 6]) }).split('\n');
      for (let damages = random.integer(1, 4); damages > 0; damages--) {
        const at = random.integer(1, lines.length - 1);
        const line = lines[at];
        lines[at] = random.pick([
          line.slice(0, line.length / 2),
          '',
          'null',
          '[]',
          '{"type":"user","message":{}}',
          line.replaceAll('content', 'x'),
        ]);
      }
      write(file, lines.join('\n'));
      for (const [tool, input] of [
        ['recall', { query: 'mail-3 listens' }],
        ['why', { text: 'mail-3 listens' }],
        ['context', {}],
      ]) {
        const { text } = await ask(tool, input);
        assert.doesNotMatch(text, /internal error/, lines.join('\n'));
        assert.ok(text.length > 0);
      }
    }
  });
});

test('of a file with several conversations --session chooses one; without it, the error says so', async () => {
  const cwd = folder();
  const asMessages = (name) =>
    turnsOf(3, name).flatMap(({ user, reply }) => [
      { role: 'user', content: user },
      { role: 'assistant', content: reply },
    ]);
  write(join(cwd, 'many.json'), JSON.stringify(['mail', 'proxy'].map((name) => ({ id: `of ${name}`, messages: asMessages(name) }))));
  await asking(['many.json'], { cwd }, async (ask) =>
    assert.match((await ask('context')).text, /^many\.json holds 2 conversations; start the server with --session/),
  );
  for (const session of ['2', 'of proxy']) {
    await asking(['many.json', '--session', session], { cwd }, async (ask) => {
      assert.match((await ask('recall', { from: 1 })).text, /proxy-0 listens/);
    });
  }
  await asking(['many.json', '--session', '9'], { cwd }, async (ask) =>
    assert.match((await ask('context')).text, /^many\.json has no session "9"; give another --session/),
  );
});

test('two servers, and calls at once in one, answer each for itself', async () => {
  const cwd = folder();
  for (const name of ['mail', 'proxy']) write(join(cwd, `${name}.jsonl`), claudeText(turnsOf(40, name), { cwd }));
  await Promise.all(
    ['mail', 'proxy', 'mail'].map((name) =>
      asking([`${name}.jsonl`], { cwd }, async (ask) => {
        const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => ask('recall', { from: 2 * index + 1 })));
        assert.deepEqual(
          answers.map(({ text }) => text.split('\n')[1]),
          turnsOf(20, name).map(({ reply }) => reply),
        );
      }),
    ),
  );
});

test('standard output holds the protocol alone, and the server ends with its input', async () => {
  const cwd = folder();
  write(join(cwd, 'session.jsonl'), claudeText(turnsOf(5), { cwd }));
  const server = spawn(process.execPath, [BIN, 'session.jsonl'], { cwd });
  let out = '';
  let told = '';
  server.stdout.on('data', (chunk) => (out += chunk));
  server.stderr.on('data', (chunk) => (told += chunk));
  const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const answered = async (id) => {
    while (!out.split('\n').some((line) => line !== '' && JSON.parse(line).id === id)) await new Promise((done) => setTimeout(done, 10));
  };
  const clientInfo = { name: 'raw', version: '1' };
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  await answered(1);
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/call', params: { name: 'context', arguments: {} } });
  send({ id: 3, method: 'tools/call', params: { name: 'pin', arguments: { text: 'x' } } });
  send({ id: 4, method: 'no/such/method' });
  for (const id of [2, 3, 4]) await answered(id);
  server.stdin.end();
  const [code] = await new Promise((done) => server.on('close', (...how) => done(how)));
  assert.deepEqual([code, told], [0, '']);
  const messages = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(messages.map(({ jsonrpc, id }) => `${jsonrpc} ${id}`).sort(), ['2.0 1', '2.0 2', '2.0 3', '2.0 4']);
});

test('a wrong command line is one line on standard error that names what is wrong and what to do, with exit code 2', () => {
  for (const [argv, says] of [
    [['a.jsonl', 'b.jsonl'], /takes one FILE, got 2; start a server for each/],
    [['--stroe', 'sqlite:x'], /Unknown option '--stroe'; --help shows the options/],
    [['--store'], /'--store <value>' argument missing; --help/],
    [['--store', 'redis://x', '--session', 'a'], /--store must be sqlite:PATH, such as sqlite:conversations\.db, got "redis:\/\/x"/],
    [['--store', 'sqlite:', '--session', 'a'], /--store must be sqlite:PATH/],
    [['--store', 'sqlite:x.db'], /--store needs --session ID: the id that createSession was given/],
    [['--limit', '64k'], /--limit is that of a session: give its --store and --session, too/],
    [['--model', 'gpt-5.5'], /--model is that of a session/],
    [['--session', ''], /--session is empty; leave it out, or give a value/],
    [[''], /FILE is empty/],
    [
      ['--store', 'sqlite:x.db', '--session', 'a', '--limit', 'much'],
      /--limit must be a number of tokens such as 100000 or 100k, got "much"/,
    ],
    [['--store', 'sqlite:x.db', '--session', 'a', '--limit', '0'], /--limit must be/],
    [['--store', 'sqlite:x.db', '--session', 'a', '--model', 'no-such-model'], /--model/],
  ]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...argv], { cwd: scratch, encoding: 'utf8', input: '' });
    assert.deepEqual([status, stdout], [2, ''], `${argv}: ${stderr}`);
    assert.match(stderr, /^palimpsest-mcp: .*\n$/);
    assert.match(stderr, says);
  }
  const help = spawnSync(process.execPath, [BIN, '--help'], { encoding: 'utf8' });
  assert.equal(help.status, 0);
  assert.match(help.stdout, /claude mcp add palimpsest -- npx -y @palimpsest\/mcp\n.*codex mcp add palimpsest -- npx -y @palimpsest\/mcp/s);
  assert.match(spawnSync(process.execPath, [BIN, '--version'], { encoding: 'utf8' }).stdout, /^\d+\.\d+\.\d+\n$/);
});
