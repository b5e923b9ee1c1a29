// examples/fleet, smaller: two servers and two workers share conversations, one of each is killed, and nothing is lost.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { withoutRedis } from './support/servers/redis.mjs';

const RUN = fileURLToPath(new URL('../examples/fleet/run.mjs', import.meta.url));

test('a fleet of which half is killed answers everything, and summarises no text twice', { skip: withoutRedis }, async () => {
  const [conversations, turns] = [6, 36];
  const args = [RUN, '--on', 'redis', '--conversations', String(conversations), '--turns', String(turns)];
  const { code, printed } = await new Promise((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, printed: stdout + stderr }));
  });
  assert.equal(code, 0, printed);
  const [head, requests, epochs, cache, jobs, summaries, again, lost, next, ...more] = printed.trim().split('\n');
  const numbers = (line) => (line.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
  assert.match(head, new RegExp(`^${conversations} conversations of ${turns} turns on redis, .*; 2 processes killed$`));
  const [sent, refused] = numbers(requests);
  assert.ok(sent >= conversations * turns, requests);
  assert.equal(refused, 0);
  const [cut, , broken] = numbers(epochs);
  assert.ok(cut >= conversations, epochs);
  assert.equal(broken, 0);
  assert.ok(numbers(cache)[0] > 50, cache);
  assert.ok(numbers(jobs)[0] > 0, jobs);
  const [made, duplicates] = numbers(summaries);
  assert.ok(made > 0, summaries);
  assert.equal(duplicates, 0);
  assert.match(again, /^asked again, /);
  assert.deepEqual(numbers(lost), [0, 0, 0, 0]);
  assert.match(next, /^next: p50 [\d.]+ ms, p99 [\d.]+ ms$/);
  assert.deepEqual(more, []);
});
