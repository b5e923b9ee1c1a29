// Terminates a worker while a call of its runs on libuv's thread pool: the engine's work goes on there when the worker is gone.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { conversation } from '../packed/conversation.mjs';

const ROUNDS = 21;

/** Long enough that the engine hands its work to another thread (from 131,072 UTF-16 code units on), which takes longer than most delays. */
const large = () => conversation(1, 2000);
const summarizer = async (text) => text.slice(0, 40);

const CALLS = {
  compress: ({ compress }, messages) => compress(messages, { summarizer, recencyWindow: 0 }),
  fit: ({ fitAsync }, messages) => fitAsync(messages, { limit: 100_000, summarizer }),
  next: ({ createSession }, messages) => createSession({ limit: 100_000, summarizer }).next(messages),
};

/** Terminates a worker `delay` ms after it began a call. Says whether the call was still under way. */
async function terminateAfter(name, delay) {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: name });
  await once(worker, 'message');
  let isDone = false;
  worker.once('message', () => {
    isDone = true;
  });
  await sleep(delay);
  await worker.terminate();
  return !isDone;
}

if (isMainThread) {
  const interrupted = new Set();
  for (let round = 0; round < ROUNDS; round += 1) {
    const names = Object.keys(CALLS);
    const name = names[round % names.length];
    if (await terminateAfter(name, round * 2)) interrupted.add(name);
  }
  assert.deepEqual([...interrupted].sort(), Object.keys(CALLS).sort(), 'some calls were never interrupted');
  const palimpsest = await import('palimpsest');
  const messages = conversation(1);
  const result = await CALLS.compress(palimpsest, messages);
  assert.deepEqual(palimpsest.uncompress(result.messages, result.verbatim).messages, messages);
  console.log('main thread works');
} else {
  const palimpsest = await import('palimpsest');
  const messages = large();
  const result = CALLS[workerData](palimpsest, messages);
  parentPort.postMessage('begun');
  await result;
  parentPort.postMessage('done');
}
