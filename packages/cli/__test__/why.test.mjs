// why and context: what a session within a limit did with a conversation, in words and as data.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createSession } from 'palimpsest';
import { palimpsest } from './run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-why-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const run = (argv, more) => palimpsest(argv, { cwd: folder, ...more });

const FACT = 'staging listens on port 8412';
const history = Array.from({ length: 80 }, (_, turn) => [
  { role: 'user', content: `Question ${turn}: how many rows did worker ${turn} write?` },
  {
    role: 'assistant',
    content: `${turn === 4 ? `By the way, ${FACT}. ` : ''}${`It wrote ${turn * 17} rows to table_${turn}. `.repeat(9)}`,
  },
]).flat();
const file = (name, value) => {
  writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  return name;
};
file('history.json', history);

/** The requests as a session sends them. */
function sent(limit) {
  const session = createSession({ limit, warn: false, now: () => 0 });
  const texts = [];
  for (let length = 1; length <= history.length; length += 2) texts.push(JSON.stringify(session.next(history.slice(0, length)).messages));
  texts.push(JSON.stringify(session.next(history).messages));
  return { session, texts };
}

test('why names the message that says it, the requests that had it, and the one without it', async () => {
  const { texts } = sent(2000);
  const first = texts.findIndex((text) => text.includes(FACT)) + 1;
  const lost = texts.findIndex((text, index) => index >= first && !text.includes(FACT)) + 1;
  assert.ok(first > 0 && lost > first);
  const { code, stdout } = await run(['why', FACT, 'history.json', '--limit', '2000']);
  assert.equal(code, 0);
  assert.match(
    stdout,
    new RegExp(
      `^Said in 1 place\\. The last request lacks it\\.\nmessage 9 \\(assistant\\): requests ${first}–${lost - 1} had it; in request ${lost} \\(epoch: \\w+\\)`,
    ),
  );
  const json = JSON.parse((await run(['why', FACT, 'history.json', '-l', '2000', '--json'])).stdout);
  assert.deepEqual([json.said[0].message, json.said[0].gone.request], [9, lost]);
  const other = JSON.parse((await run(['why', '--message', '9', 'history.json', '-l', '2000', '--json'])).stdout);
  assert.equal(other.said[0].message, 9);
});

test('why --saved answers for the requests that went out', async () => {
  const { session } = sent(3000);
  file('session.json', session);
  const { stdout } = await run(['why', FACT, 'history.json', '--saved', 'session.json', '-l', '3000', '--json']);
  assert.deepEqual(
    JSON.parse(stdout).said,
    session.why(FACT).said.map((said) => JSON.parse(JSON.stringify(said))),
  );
  const missing = await run(['why', FACT, 'history.json', '--saved', 'none.json']);
  assert.deepEqual([missing.code, missing.stderr.includes('none.json')], [1, true]);
  file('broken.json', '{');
  assert.match((await run(['why', FACT, 'history.json', '--saved', 'broken.json'])).stderr, /broken\.json: is not JSON/);
  file('other.json', '{"version":99}');
  assert.match((await run(['why', FACT, 'history.json', '--saved', 'other.json'])).stderr, /saved\.version must be 1/);
});

test('why says that nothing says it, and what it needs', async () => {
  const { code, stdout } = await run(['why', 'nobody said this', 'history.json']);
  assert.deepEqual([code, stdout], [1, 'Nothing in this history says it.\n']);
  assert.deepEqual([(await run(['why'])).code, (await run(['why', ' ', 'history.json'])).code], [2, 2]);
});

test('context shows what the last request is made of', async () => {
  const { session } = sent(2000);
  const context = JSON.parse((await run(['context', 'history.json', '-l', '2000', '--json'])).stdout);
  assert.deepEqual(
    context.parts.map(({ kind, tokens }) => [kind, tokens]),
    session.context().parts.map(({ kind, tokens }) => [kind, tokens]),
  );
  assert.equal(
    context.parts.reduce((sum, { tokens }) => sum + tokens, 0),
    context.tokens,
  );
  const { stdout } = await run(['context', 'history.json', '-l', '2000']);
  const [head, ...rows] = stdout.trimEnd().split('\n');
  assert.match(head, /^request 81: [\d,]+ of 2,000 tokens$/);
  assert.match(rows[0], /^kind +tokens +share +messages +age +cost$/);
  assert.equal(rows.length, context.parts.length + 2);
  assert.match(rows.at(-1), /^free +[\d,]+$/);
});
