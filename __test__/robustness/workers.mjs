// Workers come and go while calls run in them: in each round eight load the engine, and each is terminated at a random time.
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { conversation } from '../packed/conversation.mjs';

const ROUNDS = 5;

async function compressForever() {
  const { compress } = await import('../../index.mjs');
  const summarizer = async () => {
    await sleep(Math.random() * 3);
    return 'A summary.';
  };
  for (let seed = 0; ; seed += 1) {
    const pending = [1, 2, 3].map((one) => compress(conversation(seed + one), { summarizer }));
    for (let repeat = 0; repeat < 20; repeat += 1) compress(conversation(seed + repeat, 40));
    await Promise.all(pending);
    parentPort.postMessage(seed);
  }
}

async function terminateAtRandom() {
  const worker = new Worker(fileURLToPath(import.meta.url));
  let calls = 0;
  worker.on('message', () => {
    calls += 1;
  });
  const failed = new Promise((_, reject) => worker.once('error', reject));
  await Promise.race([sleep(50 + Math.random() * 250), failed]);
  await worker.terminate();
  return calls;
}

if (isMainThread) {
  // The engine is first loaded in workers, and gone with them: the main thread loads it last.
  const calls = [];
  for (let round = 0; round < ROUNDS; round += 1) calls.push(...(await Promise.all(Array.from({ length: 8 }, terminateAtRandom))));
  assert.ok(
    calls.some((count) => count > 0),
    'every worker was terminated before it could do anything',
  );
  const { compress, uncompress } = await import('../../index.mjs');
  const messages = conversation(1);
  const result = compress(messages);
  assert.deepEqual(uncompress(result.messages, result.verbatim).messages, messages);
  console.log('main thread works');
} else {
  await compressForever();
}
