// report and watch, over folders of transcripts.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lineOf } from '../dist/commands/watch.mjs';
import { palimpsest } from './run.mjs';

const bin = fileURLToPath(new URL('../bin/palimpsest.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'palimpsest-commands-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const SECRET = 'the code of the safe';
/** Lines of a transcript of Claude Code: one request. */
function turn(session, index) {
  const at = { sessionId: session, cwd: '/home/me', version: '2', timestamp: new Date(Date.UTC(2026, 10, 1, 10, index)).toISOString() };
  const usage = { input_tokens: 100, cache_read_input_tokens: index * 1000, cache_creation_input_tokens: 900, output_tokens: 20 };
  const lines = [
    {
      type: 'user',
      uuid: `u${index}`,
      parentUuid: index ? `a${index - 1}` : null,
      message: { role: 'user', content: `${SECRET}, part ${index}` },
      ...at,
    },
    {
      type: 'assistant',
      uuid: `a${index}`,
      parentUuid: `u${index}`,
      message: { id: `m${index}`, role: 'assistant', model: 'claude-opus-5', content: [{ type: 'text', text: `Answer ${index}.` }], usage },
      ...at,
    },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
const projects = join(folder, 'home/.claude/projects/-home-me');
mkdirSync(projects, { recursive: true });
writeFileSync(join(projects, 'one.jsonl'), turn('one', 0) + turn('one', 1));
const env = { HOME: join(folder, 'home'), USERPROFILE: join(folder, 'home') };
const run = (argv, more) => palimpsest(argv, { cwd: folder, env, ...more });

test('report finds the sessions of this machine, says what it found, and writes a page and its data', async () => {
  const { code, stdout, stderr } = await run(['report']);
  assert.deepEqual([code, stdout], [0, 'palimpsest-report.html\n']);
  assert.match(stderr, /^palimpsest: found Claude Code: 1 file, 0\.0 MB\n/);
  assert.match(stderr, /palimpsest: 1 session, 2 requests, 3,000 tokens sent; /);
  assert.match(stderr, /; (\$\d+\.\d\d) → \1, the same\n/);
  assert.match(readFileSync(join(folder, 'palimpsest-report.html'), 'utf8'), /^<!doctype html>/i);
  const data = JSON.parse((await run(['report', '--json', '-q'])).stdout);
  assert.equal(data.totals.tokens, 3000);
  assert.ok(JSON.stringify(data).includes(SECRET));
});

test('report names the limit to take where it is another one', async () => {
  const file = join(folder, 'growing.jsonl');
  writeFileSync(file, Array.from({ length: 60 }, (_, index) => turn('growing', index)).join(''));
  const { curve, recommended, limit } = JSON.parse((await run(['report', file, '--limit', '20000', '--json', '-q'])).stdout);
  const best = curve[recommended];
  assert.notEqual(best.limit, limit);
  const { stderr } = await run(['report', file, '--limit', '20000', '--json']);
  assert.match(stderr, new RegExp(`; take a limit of ${best.limit.toLocaleString('en')}: \\$${best.cost.toFixed(2)}\\n`));
});

test('report --redact leaves contents out of the page and of the data', async () => {
  const { stdout } = await run(['report', '--json', '--redact']);
  assert.ok(!stdout.includes(SECRET));
  assert.equal(JSON.parse(stdout).sessions[0].messages.length, 4);
  await run(['report', '--redact', '-o', 'redacted.html']);
  assert.ok(!readFileSync(join(folder, 'redacted.html'), 'utf8').includes(SECRET));
});

test('report names what it skips and counts it; without a session it is a problem', async () => {
  const bad = join(folder, 'bad');
  mkdirSync(bad);
  writeFileSync(join(bad, 'empty.jsonl'), '');
  writeFileSync(join(bad, 'binary.json'), Buffer.from([0, 1, 2]));
  writeFileSync(join(bad, 'text.jsonl'), 'hello\n');
  if (process.platform !== 'win32') symlinkSync('loop.json', join(bad, 'loop.json'));
  const none = await run(['report', 'bad', 'missing']);
  assert.deepEqual([none.code, none.stdout], [1, '']);
  for (const line of [/skipped bad\/empty\.jsonl: is empty/, /skipped bad\/binary\.json: is binary/, /skipped missing: no such file/])
    assert.match(none.stderr.replaceAll('\\', '/'), line);
  assert.match(none.stderr, /^palimpsest: \d files skipped$/m);
  assert.match(none.stderr, /^palimpsest: found no session in \d files$/m);
  assert.match((await run(['report', 'bad/text.jsonl'])).stderr, /^palimpsest: found no session in 1 file$/m);
  assert.equal((await run(['report', 'bad', projects])).code, 0);
  assert.equal((await run(['report', 'missing', projects])).code, 1);
  const empty = await run(['report'], { env: { HOME: join(folder, 'nobody'), USERPROFILE: join(folder, 'nobody') } });
  assert.equal(empty.code, 1);
  assert.match(empty.stderr, /^palimpsest: found no sessions of coding agents \(.*name files or folders\n$/);
});

test('watch prints a line a request, and goes on as the session grows', async () => {
  const once1 = await run(['watch', '--once', '--json', '-q']);
  assert.deepEqual([once1.code, once1.stderr], [0, '']);
  const [first, second] = once1.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual([first.tokens, second.tokens, second.cached, second.request], [1000, 2000, 1000, 2]);
  const text = await run(['watch', '--once']);
  assert.match(
    text.stdout,
    /^10:00:00 +1 +1\.0k tokens, +0 % cached; a session: 1\.0k\n10:01:00 +2 +2\.0k tokens, +50 % cached; a session: 2\.0k\n$/,
  );

  const child = spawn(process.execPath, [bin, 'watch', '--json', '-q'], {
    env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const seen = [];
  for await (const line of createInterface(child.stdout)) {
    seen.push(JSON.parse(line).request);
    if (seen.length === 2) appendFileSync(join(projects, 'one.jsonl'), turn('one', 2));
    if (seen.length === 3) break;
  }
  child.kill();
  await once(child, 'close');
  assert.deepEqual(seen, [1, 2, 3]);
});

test('watch without a session, and of a file that is none', async () => {
  const none = await run(['watch', '--agent', 'codex']);
  assert.deepEqual([none.code, none.stderr], [1, 'palimpsest: found no session of codex in the usual places; name a file\n']);
  writeFileSync(join(folder, 'none.jsonl'), 'hello\n');
  assert.deepEqual((await run(['watch', '--once', 'none.jsonl'])).code, 1);
  assert.deepEqual((await run(['watch', 'missing.jsonl'])).code, 1);
  const odd = turn('odd', 0).replace(`"${SECRET}, part 0"`, '[{"type":"tool_result","tool_use_id":7,"content":5}]');
  writeFileSync(join(folder, 'odd.jsonl'), odd);
  const refused = await run(['watch', '--once', '-q', 'odd.jsonl']);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /^palimpsest: .*odd\.jsonl: its messages don't have the shape of the format anthropic\n$/);
});

test('the lines of report and watch say whether a session is less or more', async () => {
  const usage = (input) => ({ input, cacheRead: 0, cacheWrite: 0, output: 0 });
  const line = (tokens, sent) => lineOf(0, { usage: usage(tokens), withSession: usage(sent) }, {});
  assert.match(line(2000, 1000), /a session: 1\.0k \(-50 %\)$/);
  assert.match(line(1000, 1500), /a session: 1\.5k \(\+50 %\)$/);
  assert.match(line(1000, 1000), /a session: 1\.0k$/);
});
