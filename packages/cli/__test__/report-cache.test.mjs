// What the report keeps of files: with it and without, the report is the same to the byte.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { cases, IS_WHOLE } from '../../../__test__/support/seed.mjs';
import { Cache, cacheFolder } from '../dist/analysis/cache.mjs';
import { reportOf } from '../dist/analysis/files.mjs';
import { analyse } from '../dist/analysis/index.mjs';
import { periodIn } from '../dist/analysis/prices.mjs';
import { listFiles, readAll } from '../dist/transcripts/index.mjs';
import { palimpsest } from './run.mjs';
import { AGENTS, grown, someSteps } from './support/forests.mjs';

const NOW = Date.UTC(2026, 10, 1);
/** Files that have changed within this time in ms are not kept, as their clock may not tell another change. */
const SETTLED = 150;

const scratch = mkdtempSync(join(tmpdir(), 'report-cache-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
let count = 0;
const newFolder = () => join(scratch, String(count++));

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/**
 * Reports on a folder.
 *
 * @param {string} [kept] folder of the cache
 * @returns {Promise<{ text: string, begun: string[] }>} the data of the report, and the files that were analysed
 */
async function reported(folder, kept, { limit = 30_000, isWriting = true, now = NOW } = {}) {
  const { found, skipped } = await listFiles([folder]);
  const begun = [];
  const cache = kept === undefined ? undefined : new Cache(kept, { limit, now }, { isWriting });
  const report = await reportOf(found.toReversed(), { limit, now, skipped }, cache, {
    onFile: (path) => begun.push(path),
    onSession: () => {},
    onDone: () => {},
  });
  return { text: JSON.stringify(report), begun };
}

/** The order in which an agent changed its files: it decides which of them an answer counts in. */
const touch = (path, second) => utimesSync(path, NOW / 1000 + second, NOW / 1000 + second);

/** What may happen to a file, or to its entry. */
const CHANGES = {
  append: (path) => appendFileSync(path, readFileSync(path, 'utf8').trimEnd().split('\n').at(-1).concat('\n')),
  truncate: (path, { place }) => writeFileSync(path, readFileSync(path).subarray(0, (place / 1000) * statSync(path).size)),
  // As long as it was, and as old as it says.
  edit: (path, { place }) => {
    const { atime, mtime } = statSync(path);
    const text = readFileSync(path, 'utf8');
    const digits = [...text.matchAll(/(?<=_tokens":\d*)\d/g)];
    if (digits.length === 0) return;
    const { index } = digits[place % digits.length];
    writeFileSync(path, `${text.slice(0, index)}${(Number(text[index]) + 1) % 10}${text.slice(index + 1)}`);
    utimesSync(path, atime, mtime);
  },
  touch: (path, { place }) => touch(path, place),
  remove: (path) => rmSync(path),
  damage: (_, { place, kept }) => {
    for (const name of readdirSync(kept)) {
      const bytes = readFileSync(join(kept, name));
      bytes[Math.floor((place / 1000) * bytes.length)] ^= 1;
      writeFileSync(join(kept, name), bytes);
    }
  },
  cutOff: (_, { place, kept }) => {
    for (const name of readdirSync(kept)) {
      const bytes = readFileSync(join(kept, name));
      writeFileSync(join(kept, name), bytes.subarray(0, (place / 1000) * bytes.length));
    }
  },
  limit: () => {},
};

const someChange = fc.record(
  { what: fc.constantFrom(...Object.keys(CHANGES)), which: fc.nat(1000), place: fc.nat(999) },
  { noNullPrototype: true },
);
const someAgent = fc.constantFrom(...Object.keys(AGENTS));

test('a report from the cache is that without, whatever happened to files and entries', async () => {
  let [known, all] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(someAgent, someSteps),
      fc.array(someChange, { minLength: 1, maxLength: 5 }),
      async ([name, steps], changes) => {
        const { sessions, ledger } = grown(steps, AGENTS[name]);
        fc.pre(ledger.length > 0);
        const [folder, kept] = [newFolder(), newFolder()];
        const files = sessions.flatMap(AGENTS[name].write).map(([file, lines], index) => {
          const path = join(folder, file);
          write(path, lines.join(''));
          touch(path, index);
          return path;
        });
        await sleep(SETTLED);
        await reported(folder, kept);
        for (const { what, which, place } of changes) {
          const there = files.filter((path) => existsSync(path));
          if (there.length === 0) break;
          if (existsSync(kept) || !['damage', 'cutOff'].includes(what)) CHANGES[what](there[which % there.length], { place, kept });
          const options = what === 'limit' ? { limit: 1_000 + place } : {};
          await sleep(SETTLED);
          const { text, begun } = await reported(folder, kept, options);
          assert.equal(text, (await reported(folder, undefined, options)).text, what);
          known += there.length - begun.length;
          all += there.length;
        }
      },
    ),
    { numRuns: cases(12) },
  );
  // How many depends on the changes that were drawn.
  if (IS_WHOLE) assert.ok(known > 0, `none of ${all} files was known`);
});

/** A session of Claude Code. @param {number} turns @param {(index: number) => string} said */
function session(id, turns, said = (index) => `Answer ${index}.`) {
  const lines = [];
  for (let index = 0; index < turns; index++) {
    const at = { sessionId: id, cwd: `/home/me/${id}`, timestamp: new Date(NOW + index * 60_000).toISOString() };
    const usage = { input_tokens: 100, cache_read_input_tokens: index * 1000, cache_creation_input_tokens: 900, output_tokens: 20 };
    const asked = { type: 'user', uuid: `u${id}${index}`, parentUuid: index ? `a${id}${index - 1}` : null, ...at };
    const answer = {
      id: `m${id}${index}`,
      role: 'assistant',
      model: 'claude-opus-5',
      content: [{ type: 'text', text: said(index) }],
      usage,
    };
    lines.push({ ...asked, message: { role: 'user', content: `Question ${index} of ${id}` } });
    lines.push({ type: 'assistant', uuid: `a${id}${index}`, parentUuid: `u${id}${index}`, message: answer, ...at });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

test('what did not change is not analysed again; what grew, and what follows other files, is', async () => {
  const [folder, kept] = [newFolder(), newFolder()];
  const [one, two, fork] = ['one', 'two', 'three'].map((name) => join(folder, `${name}.jsonl`));
  write(one, session('one', 3));
  write(two, session('two', 4));
  // It begins with copies of the answers of another.
  write(fork, session('two', 4) + session('three', 1));
  for (const [index, path] of [one, two, fork].entries()) touch(path, index);
  await sleep(SETTLED);
  assert.deepEqual((await reported(folder, kept)).begun.sort(), [one, two, fork].sort());
  assert.deepEqual((await reported(folder, kept)).begun, []);
  appendFileSync(one, session('one', 4).split('\n').slice(6).join('\n'));
  touch(one, 9);
  await sleep(SETTLED);
  assert.deepEqual((await reported(folder, kept)).begun, [one]);
  rmSync(two);
  const { begun, text } = await reported(folder, kept);
  assert.deepEqual(begun, [fork], 'its answers count there now');
  assert.equal(text, (await reported(folder)).text);
});

test('an entry of another version, of other options, or from before a price changed is not taken', async () => {
  const [folder, kept] = [newFolder(), newFolder()];
  write(join(folder, 'one.jsonl'), session('one', 3));
  await sleep(SETTLED);
  const { text } = await reported(folder, kept);
  assert.equal((await reported(folder, kept, { limit: 29_999 })).begun.length, 1);
  const changed = async (change) => {
    for (const name of readdirSync(kept)) {
      const entry = readFileSync(join(kept, name), 'utf8');
      const end = entry.indexOf('\n');
      const [head, body] = change(JSON.parse(entry.slice(0, end)), entry.slice(end + 1));
      writeFileSync(join(kept, name), `${JSON.stringify({ ...head, sum: createHash('sha256').update(body).digest('hex') })}\n${body}`);
    }
    const again = await reported(folder, kept);
    assert.equal(again.text, text);
    assert.equal((await reported(folder, kept)).begun.length, 0);
    return again.begun.length;
  };
  assert.equal(await changed((head, body) => [head, body]), 0);
  assert.equal(await changed((head, body) => [{ ...head, version: `${head.version}1` }, body]), 1);
  const [model, period] = ['claude-opus-5', periodIn('claude-opus-5', NOW)];
  const before = JSON.stringify([[model, period]]);
  assert.equal(await changed((head, body) => [head, body.replace(before, JSON.stringify([[model, `${period}1`]]))]), 1);
});

test('a file that is read beside a transcript makes it another one', async () => {
  const [folder, kept] = [newFolder(), newFolder()];
  const history = [
    { role: 'user', content: 'Which port?' },
    { role: 'assistant', content: [{ type: 'text', text: '8443' }] },
  ];
  write(join(folder, 'task/api_conversation_history.json'), JSON.stringify(history));
  const shown = (tokens) => {
    const said = { tokensIn: tokens, tokensOut: 5, cacheWrites: 0, cacheReads: 0 };
    write(
      join(folder, 'task/ui_messages.json'),
      JSON.stringify([{ ts: NOW, type: 'say', say: 'api_req_started', text: JSON.stringify(said) }]),
    );
  };
  shown(1000);
  await sleep(SETTLED);
  const before = await reported(folder, kept);
  shown(2000);
  await sleep(SETTLED);
  const then = await reported(folder, kept);
  assert.equal(then.text, (await reported(folder)).text);
  assert.notEqual(then.text, before.text);
});

test('the cache has what the report shows, for its owner alone; what is gone goes, and with --redact or --no-cache nothing is kept', async () => {
  const [home, caches] = [newFolder(), newFolder()];
  const file = join(home, '.claude/projects/x/one.jsonl');
  write(
    file,
    session('one', 3, () => 'the code of the safe'),
  );
  await sleep(SETTLED);
  const env = { HOME: home, USERPROFILE: home, XDG_CACHE_HOME: caches };
  const run = async (...argv) => {
    const { code, stdout } = await palimpsest(['report', '-q', '--json', ...argv], { env, cwd: scratch });
    assert.equal(code, 0);
    return { ...JSON.parse(stdout), created: 0 };
  };
  const whole = await run('--no-cache');
  const redacted = await run('--redact');
  assert.ok(!existsSync(caches));
  assert.deepEqual(await run(), whole);
  const kept = cacheFolder(home, env);
  assert.ok(kept.startsWith(caches));
  const entries = readdirSync(kept).sort();
  assert.equal(entries.length, 2);
  if (process.platform !== 'win32')
    for (const [path, mode] of [[kept, 0o700], ...entries.map((name) => [join(kept, name), 0o600])])
      assert.equal(statSync(path).mode & 0o777, mode, path);
  const [messages, result] = entries.map((name) => readFileSync(join(kept, name), 'utf8'));
  assert.ok(messages.includes('the code of the safe') && !result.includes('the code of the safe'));
  assert.deepEqual([await run(), await run('--redact')], [whole, redacted]);
  rmSync(file);
  write(join(home, '.claude/projects/x/two.jsonl'), session('two', 2));
  await run('--redact');
  assert.deepEqual(readdirSync(kept), []);
});

test('messages are kept of those sessions alone that a report showed, and read again when another is', async () => {
  const [folder, kept] = [newFolder(), newFolder()];
  // More than the report has room for; the one with the most tokens is shown first.
  const names = ['one', 'two', 'three', 'four', 'five', 'six'];
  const paths = names.map((name, index) => {
    const path = join(folder, `${name}.jsonl`);
    write(
      path,
      session(name, 80 + 2 * index, () => 'x'.repeat(4_000)),
    );
    return path;
  });
  await sleep(SETTLED);
  const { text } = await reported(folder, kept);
  const shown = JSON.parse(text).sessions.filter(({ messages }) => messages).length;
  assert.ok(shown > 0 && shown < names.length);
  assert.equal(readdirSync(kept).filter((name) => name.endsWith('.messages')).length, shown);
  for (const path of paths.slice(-shown)) rmSync(path);
  const then = await reported(folder, kept);
  assert.equal(then.text, (await reported(folder)).text);
  assert.ok(then.begun.length > 0);
  assert.deepEqual((await reported(folder, kept)).begun, []);
});

test('several reports at once keep whole entries', async () => {
  for (let round = 0; round < 8; round++) {
    const [folder, kept] = [newFolder(), newFolder()];
    for (let index = 0; index < 5; index++) write(join(folder, `${index}.jsonl`), session(`s${index}`, 3));
    await sleep(SETTLED);
    const reports = await Promise.all(Array.from({ length: 4 }, () => reported(folder, kept)));
    const { text } = await reported(folder);
    for (const one of reports) assert.equal(one.text, text);
    const last = await reported(folder, kept);
    assert.deepEqual([last.begun, last.text], [[], text]);
    assert.deepEqual(
      readdirSync(kept).filter((name) => name.endsWith('.tmp')),
      [],
      'nothing is left half written',
    );
  }
});

test('what is no entry in the folder of the cache stays, and keeps nothing of what is gone', async () => {
  const [folder, kept] = [newFolder(), newFolder()];
  const path = join(folder, 'one.jsonl');
  write(path, session('one', 3));
  write(join(folder, 'two.jsonl'), session('two', 3));
  // Read before all entries, whose names are of digits and small letters.
  mkdirSync(join(kept, '!folder'), { recursive: true });
  await sleep(SETTLED);
  await reported(folder, kept);
  assert.equal(readdirSync(kept).length, 5);
  rmSync(path);
  await reported(folder, kept);
  assert.equal(readdirSync(kept).length, 3);
  assert.ok(existsSync(join(kept, '!folder')));
});

test('a file whose entry is damaged is read while the one that reads has a later file', async () => {
  const [folder, kept] = [newFolder(), newFolder()];
  const paths = ['one', 'two'].map((name, index) => {
    const path = join(folder, `${name}.jsonl`);
    write(path, session(name, 3));
    touch(path, index);
    return path;
  });
  await sleep(SETTLED);
  await reported(folder, kept);
  // What the entry of the first says is another thing, and the second has none any more.
  for (const name of readdirSync(kept)) appendFileSync(join(kept, name), ' ');
  appendFileSync(paths[1], session('two', 4).slice(session('two', 3).length));
  touch(paths[1], 1);
  await sleep(SETTLED);
  const { text, begun } = await reported(folder, kept);
  assert.deepEqual([text, begun.length], [(await reported(folder)).text, 2]);
});

test('a pipe in the place of an entry is none', { skip: process.platform === 'win32' }, async () => {
  const [folder, kept] = [newFolder(), newFolder()];
  write(join(folder, 'one.jsonl'), session('one', 3));
  await sleep(SETTLED);
  const { text } = await reported(folder, kept);
  for (const name of readdirSync(kept)) {
    rmSync(join(kept, name));
    execFileSync('mkfifo', [join(kept, name)]);
  }
  assert.equal((await reported(folder, kept)).text, text);
});

test('a folder that takes no files makes no difference', async () => {
  const [folder, kept] = [newFolder(), newFolder()];
  write(join(folder, 'one.jsonl'), session('one', 3));
  write(kept, 'no folder');
  await sleep(SETTLED);
  assert.equal((await reported(folder, kept)).text, (await reported(folder)).text);
});

test('in threads files are what they are one behind the other, also where one begins with copies of another', async () => {
  const folder = newFolder();
  const words = (index) => Array.from({ length: 1_500 }, (_, at) => `word${(at * 7919 + index) % 4_001}`).join(' ');
  const paths = ['one', 'two', 'three', 'four'].map((name, index) => {
    const path = join(folder, `${name}.jsonl`);
    write(path, (index === 2 ? session('two', 60, words) : '') + session(name, 60 + index, words));
    touch(path, index);
    return path;
  });
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  assert.ok(bytes > 4_000_000, `${bytes} are enough for threads`);
  const skipped = [];
  const options = { limit: 30_000, now: NOW, skipped };
  assert.equal((await reported(folder)).text, JSON.stringify(await analyse(readAll(paths, skipped), options)));
});
