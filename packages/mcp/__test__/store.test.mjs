// The server over a session in SQLite, whose program sends requests meanwhile: answers are those of the session itself, and what is pinned is in its
// next request. __test__/packed.slow.test.mjs runs this file under every Node.js that has node:sqlite.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSession, recall } from 'palimpsest';
import { Random } from '../../../__test__/support/random.mjs';
import { cases, SEED } from '../../../__test__/support/seed.mjs';
import { asking } from './support/asking.mjs';
import { folder } from './support/folders.mjs';
import { claudeText } from './support/transcripts.mjs';

const sqlite = await import('node:sqlite').catch(() => undefined);
const skip = sqlite === undefined && 'this Node.js has no node:sqlite';

const ID = 'conversation 7';
const ARGUMENTS = ['history.json', '--store', 'sqlite:store.db', '--session', ID, '--limit', '2000'];

const exchange = (turn) => [
  { role: 'user', content: `Question ${turn}: how many rows did worker ${turn} write?` },
  {
    role: 'assistant',
    content: `Worker-${turn} listens on port ${7919 * (turn + 3)}. ${`It wrote ${turn * 17} rows to table_${turn}. `.repeat(9)}`,
  },
];

/** A program that has a session in a store, and writes its history to a file. */
async function program(cwd) {
  const { sqliteStore } = await import('palimpsest/store/sqlite');
  const store = sqliteStore(join(cwd, 'store.db'));
  const open = () => createSession({ store, id: ID, limit: 2000, warn: false });
  const session = open();
  const history = [];
  /** Sends the requests of some turns; returns the last one. */
  const play = async (turns) => {
    let step;
    for (let left = turns; left > 0; left--) {
      const [question, answer] = exchange(history.length / 2);
      history.push(question);
      step = await session.next(history);
      history.push(answer);
    }
    writeFileSync(join(cwd, 'history.json'), JSON.stringify(history));
    return step;
  };
  return { store, session, open, history, play };
}

test('recall, why and context are those of the session, as far as its last request is', { skip }, async () => {
  const random = new Random(SEED);
  const cwd = folder();
  const { store, session, history, play } = await program(cwd);
  await asking(ARGUMENTS, { cwd }, async (ask, client) => {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['recall', 'why', 'context', 'pin'],
    );
    let gone = 0;
    for (let tries = cases(5); tries > 0; tries--) {
      const { messages } = await play(random.integer(12, 24));
      // What came after the request is in the next one.
      const known = history.slice(0, -1);
      // Where nothing was cut, all is searched.
      const isCut = JSON.stringify(messages) !== JSON.stringify(known);
      for (let questions = 6; questions > 0; questions--) {
        const turn = random.integer(0, Math.floor(known.length / 2) - 1);
        const fact = `Worker-${turn} listens on port ${7919 * (turn + 3)}.`;
        assert.equal((await ask('why', { text: fact })).text, session.why(fact, history).summary);
        const { text } = await ask('recall', { query: `"Worker-${turn}" listens port` });
        const isSent = isCut && JSON.stringify(messages).includes(fact);
        gone += isCut && !isSent ? 1 : 0;
        // A line of which a part was cut may be found, too.
        assert.ok(isSent || text.includes(fact), `${turn} of ${known.length / 2}`);
        const { text: expected } = recall(known, isCut ? messages : [], `"Worker-${turn}" listens port`);
        if (expected === '') assert.match(text, /^Nothing matches/);
        else assert.equal(text, expected);
      }
      const { text } = await ask('context');
      const [, request, tokens, limit] = /^Request (\d+) will have ([\d,]+) of ([\d,]+) tokens; [\d,]+ are free\.$/m.exec(text);
      assert.deepEqual([Number(request), limit], [session.report.requests + 1, '2,000']);
      // As a copy of the session would send it.
      const { state } = await store.load(ID);
      const next = createSession({ limit: 2000, warn: false }, JSON.parse(state)).next(history);
      assert.equal(tokens, Math.round(next.tokens.after).toLocaleString('en'));
      assert.equal((await store.load(ID)).state, state, 'asking changes nothing');
    }
    assert.ok(gone > 0);
  });
  await store.close();
});

test('what is pinned is in the next request of the session, until it is unpinned', { skip }, async () => {
  const cwd = folder();
  const { store, open, history, play } = await program(cwd);
  await play(3);
  await asking(ARGUMENTS, { cwd }, async (ask) => {
    assert.equal((await ask('pin', { text: 'Never push to main.', label: 'rule' })).text, 'Pinned.');
    const { messages } = await play(1);
    assert.match(JSON.stringify(messages), /pinned as rule.*Never push to main\./);
    // However long it gets, and for another process, too.
    assert.match(JSON.stringify((await play(30)).messages), /Never push to main\./);
    assert.match(JSON.stringify((await open().next(history)).messages), /Never push to main\./);
    assert.equal((await ask('pin', { text: 'Always push to main.', label: 'rule' })).text, 'Pinned.');
    const after = JSON.stringify((await play(30)).messages);
    assert.ok(after.includes('Always push') && !after.includes('Never push'));
    assert.equal((await ask('pin', { text: '', label: 'rule' })).text, 'Unpinned.');
    assert.doesNotMatch(JSON.stringify((await play(30)).messages), /Always push/);
    for (const input of [{}, { text: 7 }, { text: 'x', why: 'y' }]) assert.equal((await ask('pin', input)).isError, true);
  });
  await store.close();
});

test('pins of two servers and requests of the program at once are all kept', { skip }, async () => {
  const cwd = folder();
  const { store, play } = await program(cwd);
  await play(2);
  const pinning = (name) =>
    asking(ARGUMENTS, { cwd }, async (ask) => {
      for (let pin = 0; pin < 6; pin++) assert.equal((await ask('pin', { text: `${name}-${pin} stays` })).text, 'Pinned.');
    });
  await Promise.all([pinning('first'), pinning('second'), play(12)]);
  const sent = JSON.stringify((await play(1)).messages);
  for (const name of ['first', 'second'])
    for (let pin = 0; pin < 6; pin++) assert.ok(sent.includes(`${name}-${pin} stays`), `${name} ${pin}`);
  await store.close();
});

test('what does not belong together, and stores that are not there or damaged, are errors that say what to do', { skip }, async () => {
  const cwd = folder();
  const { store, play } = await program(cwd);
  await asking(ARGUMENTS, { cwd }, async (ask) => {
    writeFileSync(join(cwd, 'history.json'), JSON.stringify(exchange(0)));
    assert.match(
      (await ask('pin', { text: 'x' })).text,
      /^the store has no session "conversation 7": give the id that createSession was given/,
    );
    await play(40);
    writeFileSync(join(cwd, 'history.json'), JSON.stringify(Array.from({ length: 60 }, (_, turn) => exchange(turn + 1)).flat()));
    for (const [tool, input] of [
      ['recall', { query: 'port' }],
      ['why', { text: 'port' }],
      ['context', {}],
    ]) {
      const { text, isError } = await ask(tool, input);
      assert.ok(isError);
      assert.match(text, /Request 40 is not known: .* FILE must hold the history of the session that --session names/);
    }
    rmSync(join(cwd, 'history.json'));
    assert.match((await ask('recall', { query: 'port' })).text, /history\.json: no such file; start the server with/);
  });
  await store.save('other', '{"version":99}', 0);
  await asking(['--store', 'sqlite:store.db', '--session', 'other'], { cwd }, async (ask) => {
    assert.match((await ask('pin', { text: 'x' })).text, /^what the store has as "other" is no session of this version of palimpsest/);
    assert.match((await ask('context')).text, /^found no transcript for the folder/);
  });
  await store.close();
  writeFileSync(join(cwd, 'broken.db'), 'krk-7741'.repeat(500));
  for (const [name, says] of [
    ['missing.db', /missing\.db: no such file; --store must be the file that sqliteStore was given/],
    ['broken.db', /^the store .*broken\.db failed: SQLite can’t read it/],
  ]) {
    await asking(['--store', `sqlite:${name}`, '--session', ID], { cwd }, async (ask) => {
      const { text, isError } = await ask('pin', { text: 'krk-7742' });
      assert.deepEqual([isError, /krk/.test(text)], [true, false]);
      assert.match(text, says);
    });
  }
  assert.ok(!existsSync(join(cwd, 'missing.db')), 'a file that was misspelt is not made');
});

test('the history of a session may be a transcript of the folder', { skip }, async () => {
  const [cwd, home] = [folder(), folder()];
  const { sqliteStore } = await import('palimpsest/store/sqlite');
  const store = sqliteStore(join(cwd, 'store.db'));
  const turns = Array.from({ length: 40 }, (_, turn) => exchange(turn).map(({ content }) => content)).map(([user, reply]) => ({
    user,
    reply,
  }));
  const messages = turns.flatMap(({ user, reply }) => [
    { role: 'user', content: user },
    { role: 'assistant', content: [{ type: 'text', text: reply }] },
  ]);
  const session = createSession({ store, id: ID, limit: 2000, format: 'anthropic', warn: false });
  for (let end = 1; end < messages.length; end += 2) await session.next(messages.slice(0, end));
  await store.close();
  mkdirSync(join(home, '.claude/projects/-x'), { recursive: true });
  writeFileSync(join(home, '.claude/projects/-x/s.jsonl'), claudeText(turns, { cwd }));
  await asking(['--store', 'sqlite:store.db', '--session', ID, '--limit', '2k'], { cwd, home, name: 'claude-code' }, async (ask) => {
    assert.match((await ask('recall', { query: '"Worker-3" listens' })).text, /Worker-3 listens on port 47514\./);
    assert.equal((await ask('why', { text: 'Worker-3 listens' })).text, session.why('Worker-3 listens', messages).summary);
  });
});
