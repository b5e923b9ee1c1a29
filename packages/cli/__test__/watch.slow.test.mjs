// A transcript that grows: each of its bytes is read once, and each request is played once.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { runUnderNode22, withoutNode22 } from '../../../__test__/support/node22.mjs';
import { cases } from '../../../__test__/support/seed.mjs';
import { Playing } from '../dist/analysis/playing.mjs';
import { lineOf } from '../dist/commands/watch.mjs';
import { Follower } from '../dist/transcripts/follow.mjs';
import { read, Unreadable } from '../dist/transcripts/index.mjs';
import { claudeCodeLines, clineTask, codexLines, geminiChat, jsonl, someTurns } from './support/recorded.mjs';
import { sessionCalls } from './support/session-calls.mjs';

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-watch-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = (name = 'session.jsonl') => join(mkdtempSync(join(folder, `${++files}-`)), name);

const newPlaying = (limit = 400) => new Playing({ limit, now: () => 0 });
/** The lines of requests, as text and as JSON. */
const shown = (list) => list.flatMap(({ index, played }) => [lineOf(index, played, {}), lineOf(index, played, { json: true })]);

/** The conversations in a file; none if it is not readable yet. @param {Follower} follower */
async function now(follower) {
  try {
    return await follower.read();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return [];
  }
}

/** What a whole replay shows of a file. @param {string} file */
async function replayed(file) {
  for await (const transcript of read(file)) return shown(newPlaying().play(transcript, true));
  return [];
}

/** Counts the bytes that are read of files while `work` runs. @param {() => Promise<void>} work */
async function bytesRead(work) {
  const handle = await open(import.meta.filename ?? new URL(import.meta.url).pathname);
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  const original = prototype.read;
  let count = 0;
  prototype.read = async function (...given) {
    const result = await original.apply(this, given);
    count += result.bytesRead;
    return result;
  };
  await work().finally(() => {
    prototype.read = original;
  });
  return count;
}

/** A turn with one reply, by number. */
const turnOf = (index) => ({
  user: `Question ${index} about 灯台守 😀`,
  replies: [
    {
      text: `Answer ${index}`,
      calls: [{ tool: 'Read', input: { file_path: `src/${index}.ts` }, result: `${index}: 灯台守は毎晩霧笛を鳴らした `.repeat(6) }],
      usage: { input: 10 + index, cacheRead: 90 * index, cacheWrite: 90, output: 20 },
    },
    { text: 'Done.', calls: [], usage: { input: 20 + index, cacheRead: 90 * index, cacheWrite: 90, output: 20 } },
  ],
});

const LINES = { 'claude-code': claudeCodeLines, codex: codexLines };

for (const [agent, linesOf] of Object.entries(LINES)) {
  test(`${agent}: of a transcript that changes a thousand times, each byte is read once and each request played once`, async () => {
    const turns = Array.from({ length: 125 }, (_, index) => turnOf(index));
    const bytes = Buffer.from(jsonl(linesOf(turns)));
    const [file, changes] = [newFile(), 1000];
    const [follower, playing] = [new Follower(file), newPlaying(4000)];
    let [lines, grown] = [0, 0];
    let read = 0;
    const calls = await sessionCalls(async () => {
      read = await bytesRead(async () => {
        for (let change = 0; change < changes; change++) {
          const end = Math.floor(((change + 1) * bytes.length) / changes);
          appendFileSync(file, bytes.subarray(grown, end));
          grown = end;
          for (const transcript of await now(follower)) lines += playing.play(transcript, change === changes - 1).length;
        }
      });
    });
    assert.equal(lines, 250);
    assert.equal(calls, 250);
    // Beside each byte, the start of the file until it is known, and 256 bytes a change that tell whether it is the same.
    assert.ok(read >= bytes.length && read <= bytes.length + 257 * changes + 65_536, `${read} bytes read of ${bytes.length}`);
  });
}

test('files of lines: what is shown while a file grows by random chunks is what a whole replay shows', async () => {
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(someTurns, fc.constantFrom(...Object.values(LINES)), cuts, fc.boolean(), async (turns, linesOf, shares, isEnded) => {
      const text = jsonl(linesOf(turns));
      const bytes = Buffer.from(isEnded ? text : text.trimEnd());
      const file = newFile();
      const [follower, playing] = [new Follower(file), newPlaying()];
      const list = [];
      let from = 0;
      for (const end of [...shares.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b), bytes.length]) {
        appendFileSync(file, bytes.subarray(from, end));
        from = end;
        for (const transcript of await now(follower)) list.push(...playing.play(transcript, false));
      }
      for (const transcript of await now(follower)) list.push(...playing.play(transcript, true));
      assert.deepEqual(shown(list), await replayed(file));
    }),
    { numRuns: cases(60) },
  );
});

test('every byte may be the last one that was written: inside a character, too', async () => {
  const bytes = Buffer.from(jsonl(claudeCodeLines([turnOf(0)])));
  const file = newFile();
  const [follower, playing] = [new Follower(file), newPlaying()];
  const list = [];
  for (const byte of bytes) {
    appendFileSync(file, Buffer.of(byte));
    for (const transcript of await now(follower)) list.push(...playing.play(transcript, false));
  }
  assert.equal(list.length, 2);
  assert.deepEqual(shown(list), await replayed(file));
  const [grown] = await follower.read();
  for await (const whole of read(file)) assert.deepEqual(grown, whole);
});

test('files that are written as a whole are parsed again, but no request is played twice', async () => {
  const turns = Array.from({ length: 20 }, (_, index) => turnOf(index));
  const writers = {
    'chat.json': (file, some) => writeFileSync(file, JSON.stringify(geminiChat(some), null, 2)),
    'api_conversation_history.json': (file, some) => {
      const { history, shown: seen } = clineTask(some);
      writeFileSync(join(file, '../ui_messages.json'), JSON.stringify(seen));
      writeFileSync(file, JSON.stringify(history));
    },
  };
  for (const [name, write] of Object.entries(writers)) {
    const file = newFile(name);
    const [follower, playing] = [new Follower(file), newPlaying(4000)];
    const list = [];
    const calls = await sessionCalls(async () => {
      for (let end = 1; end <= turns.length; end++) {
        write(file, turns.slice(0, end));
        for (const transcript of await now(follower)) list.push(...playing.play(transcript, false));
      }
    });
    assert.deepEqual([name, list.length, calls], [name, 40, 40]);
  }
});

test('a file that is cut off, replaced, or written anew is read from its start', async () => {
  const text = (count, from = 0) => jsonl(claudeCodeLines(Array.from({ length: count }, (_, index) => turnOf(from + index))));
  const file = newFile();
  const follower = new Follower(file);
  const check = async () => {
    const transcripts = await follower.read();
    const whole = [];
    for await (const one of read(file)) whole.push(one);
    assert.deepEqual(transcripts, whole);
  };
  writeFileSync(file, text(3));
  await check();
  truncateSync(file, Buffer.byteLength(text(1)));
  await check();
  // Another file in its place, and longer.
  writeFileSync(`${file}.new`, text(4, 50));
  renameSync(`${file}.new`, file);
  await check();
  // The same file, of the same length and then longer, with other contents.
  const other = text(4, 60);
  assert.equal(Buffer.byteLength(other), statSync(file).size);
  writeFileSync(file, other);
  await check();
  writeFileSync(file, text(6, 70));
  await check();
  // No lines any more.
  writeFileSync(file.replace(/jsonl$/, 'x'), JSON.stringify(geminiChat([turnOf(0)])));
  renameSync(file.replace(/jsonl$/, 'x'), file);
  await check();
});

test('a conversation that goes back to an earlier message is played anew, and what was shown is not shown again', async () => {
  const message = (index, parent, role) => ({
    type: role,
    uuid: `m${index}`,
    parentUuid: parent,
    sessionId: 's',
    message: { id: `r${index}`, role, content: [{ type: 'text', text: `Text ${index}` }] },
  });
  const file = newFile();
  const [follower, playing] = [new Follower(file), newPlaying()];
  writeFileSync(
    file,
    jsonl([message(0, null, 'user'), message(1, 'm0', 'assistant'), message(2, 'm1', 'user'), message(3, 'm2', 'assistant')]),
  );
  const [before] = await follower.read();
  assert.deepEqual(
    playing.play(before, true).map(({ index }) => index),
    [0, 1],
  );
  appendFileSync(
    file,
    jsonl([message(4, 'm1', 'user'), message(5, 'm4', 'assistant'), message(6, 'm5', 'user'), message(7, 'm6', 'assistant')]),
  );
  const [later] = await follower.read();
  const added = playing.play(later, true);
  assert.deepEqual(
    added.map(({ index }) => index),
    [2],
  );
  assert.deepEqual(shown(added), (await replayed(file)).slice(4));
});

test('palimpsest watch under npx ends with the shell that npx started', { skip: process.platform === 'win32' }, async () => {
  const file = newFile();
  writeFileSync(file, jsonl(claudeCodeLines([turnOf(0), turnOf(1)])));
  const program = fileURLToPath(new URL('../bin/palimpsest.mjs', import.meta.url));
  // Behind it, the shell has something to do, so that it stays its parent.
  const shell = spawn('sh', ['-c', `"${process.execPath}" "${program}" watch "${file}"; true`], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, npm_command: 'exec' },
  });
  await once(shell.stdout, 'data');
  shell.kill('SIGTERM');
  // The program holds its end of the pipe until it is gone.
  await once(shell, 'close');
});

test('opencode: a change that is not in its database yet is one, and only the session that changed last is read', {
  skip: withoutNode22,
}, async () => {
  const { seen, all } = JSON.parse(
    await runUnderNode22(fileURLToPath(new URL('support/opencode-watched.mjs', import.meta.url)), {
      args: [newFile('opencode.db')],
      env: { NODE_NO_WARNINGS: '1' },
    }),
  );
  assert.deepEqual(
    seen.map(({ sessions }) => sessions.map(({ id }) => id)),
    [['ses_old'], ['ses_new'], ['ses_new'], ['ses_old']],
  );
  assert.ok(seen[2].sessions[0].messages > seen[1].sessions[0].messages);
  const states = new Set(seen.map(({ state }) => `${state.bytes} ${state.changed}`));
  assert.equal(states.size, seen.length, 'each change shows without a look into the file');
  assert.deepEqual(all, ['ses_old', 'ses_new'], 'a reader of all gets all, the newest first');
});
