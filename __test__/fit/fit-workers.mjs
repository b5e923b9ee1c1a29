// Starts workers that fit, and terminates each at a random time.
// At the end the process exits while some are running.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { closed, lines, sentence, Talk } from './talk.mjs';

const ROUNDS = 5;
const WORKERS = 6;

const { Fitting } = createRequire(import.meta.url)('../../unbundled/fit/fitting.js');
const { takeUp } = createRequire(import.meta.url)('../../unbundled/fit/earlier.js');

function work() {
  const talk = new Talk().user('Read them all.');
  for (let n = 0; n < 20; n++)
    talk.call(
      'Read',
      { path: `src/f${n}.ts` },
      lines(100, (line) => sentence(100 * n + line)),
    );
  return closed(talk).messages;
}
const messages = work();
const options = { limit: 20_000 };

async function fitOnce() {
  const fitting = await Fitting.open(takeUp(messages, options), options);
  const promise = fitting.searchAsync(options.limit);
  // Some results are never awaited.
  if (Math.random() < 0.3) fitting.close();
  const made = await promise.catch(() => {});
  fitting.close();
  return made;
}

async function fitForever() {
  parentPort.postMessage('started');
  for (;;) await Promise.all([fitOnce(), fitOnce(), fitOnce()]);
}

async function terminateAtRandom() {
  const worker = new Worker(fileURLToPath(import.meta.url));
  await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  await sleep(Math.random() * 150);
  await worker.terminate();
}

if (isMainThread) {
  for (let round = 0; round < ROUNDS; round += 1) await Promise.all(Array.from({ length: WORKERS }, terminateAtRandom));
  const fitting = await Fitting.open(takeUp(messages, options), options);
  assert.ok((await fitting.searchAsync(options.limit)).tokens <= options.limit);
  console.log('main thread works');
  for (let one = 0; one < 5; one += 1) fitOnce();
  await sleep(20);
  process.exit();
} else {
  await fitForever();
}
