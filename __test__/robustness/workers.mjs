// Workers come and go while calls run in them. In each round eight load the engine, and each is terminated at a random time: half of
// them soon after their start, perhaps while they load it, and half after their first results.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { conversation } from '../packed/conversation.mjs';

const ROUNDS = 5;

async function compressForever() {
  const { compress } = await import('palimpsest');
  const summarizer = async () => {
    await sleep(Math.random() * 3);
    return 'A summary.';
  };
  for (let seed = 0; ; seed += 1) {
    const pending = [1, 2, 3].map((one) => compress(conversation(seed + one), { summarizer }));
    for (let repeat = 0; repeat < 20; repeat += 1) compress(conversation(seed + repeat, 40));
    // Long enough for threads that help, which stay when the worker is gone.
    compress(conversation(seed, 1000));
    await Promise.all(pending);
    parentPort.postMessage(seed);
  }
}

async function terminateAtRandom(_, index) {
  const worker = new Worker(fileURLToPath(import.meta.url));
  const failed = new Promise((_, reject) => worker.once('error', reject));
  if (index % 2 === 1) await Promise.race([once(worker, 'message'), failed]);
  await Promise.race([sleep(50 + Math.random() * 250), failed]);
  await worker.terminate();
}

if (isMainThread) {
  // The engine is first loaded in workers, and gone with them: the main thread loads it last.
  for (let round = 0; round < ROUNDS; round += 1) await Promise.all(Array.from({ length: 8 }, terminateAtRandom));
  const { compress, uncompress } = await import('palimpsest');
  const messages = conversation(1);
  const result = compress(messages);
  assert.deepEqual(uncompress(result.messages, result.verbatim).messages, messages);
  console.log('main thread works');
} else {
  await compressForever();
}
