// Progress on standard error, with a clock of the test.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progress } from '../dist/progress.mjs';

/** Plays steps of 250 ms, a megabyte each, and returns what was written at each. */
function play({ steps = 40, env = {}, ...stream }, work = { files: 4, bytes: 40e6 }) {
  let time = 0;
  const written = [];
  const stderr = { ...stream, write: (text) => written.push({ time, text }) };
  const shown = progress({ stderr, env, now: () => time }, { what: 'reading', ...work });
  for (let step = 1; step <= steps; step++) {
    time += 250;
    shown.step({ bytes: 1e6, files: step % 10 === 0 ? 1 : 0 }, `folder/chat-${step}\x1b[31m\n.jsonl`);
  }
  shown.end();
  return written;
}

test('nothing is written before half a second, or if quiet', () => {
  assert.deepEqual(play({ steps: 1, isTTY: true, columns: 80 }), []);
  assert.deepEqual(play({ isTTY: true, columns: 80 }, { bytes: 1e6, quiet: true }), []);
  assert.equal(play({ isTTY: true, columns: 80 })[0].time, 500);
});

test('a terminal has one line with files, megabytes and time left, which is removed at the end', () => {
  const written = play({ isTTY: true, columns: 80, env: { NO_COLOR: '1' } });
  const last = '\r\x1b[2K';
  assert.equal(written.at(-1).text, last);
  for (const { text } of written) {
    assert.ok(text.startsWith(last) && !text.includes('\n') && !text.slice(last.length).includes('\x1b'), JSON.stringify(text));
    assert.ok(text.length - last.length < 80);
  }
  const half = written.find(({ time }) => time === 5000).text;
  assert.equal(half, `${last}reading 2 of 4 files, 20 of 40 MB, 5 s left  folder/chat-20 .jsonl`);
  for (const { text } of play({ isTTY: true, columns: 30, env: { NO_COLOR: '1' } })) assert.ok(text.length - last.length < 30, text);
});

test('elsewhere it writes plain lines, few of them', () => {
  const written = play({}).map(({ text }) => text);
  assert.deepEqual(written, [
    'palimpsest: reading 0 of 4 files, 2.0 of 40 MB\n',
    'palimpsest: reading 2 of 4 files, 22 of 40 MB, 5 s left\n',
  ]);
  const unknown = play({ steps: 4 }, {}).map(({ text }) => text);
  assert.deepEqual(unknown, ['palimpsest: reading 2.0 MB\n']);
});
