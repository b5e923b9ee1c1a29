// Prints what a session of 270 KB that nobody used for a minute has beside its messages in V8's heap and outside of it, in bytes, or how long its next
// step takes, in ms of the processor: `node server-resting.mjs FOLDER memory|step`.
import { mock } from 'node:test';
import { session } from '../generate.mjs';
import { readPackage } from '../package.mjs';
import { open } from '../rows/requests.mjs';

const [folder, what] = process.argv.slice(2);
const [SESSIONS, MESSAGES] = [100, 200];
const MINUTES = 2 * 60_000;

const { setTimeout } = globalThis;
mock.timers.enable({ apis: ['setTimeout', 'Date'] });
const { palimpsest } = await readPackage(folder);
const histories = JSON.parse(JSON.stringify(Array.from({ length: SESSIONS }, (_, seed) => session(seed + 1, MESSAGES, 270_000))));

const sleep = (time) => new Promise((resolve) => void setTimeout(resolve, time));
function grown(messages) {
  const own = open(palimpsest, 32_000);
  for (let length = 2; length <= messages.length; length += 2) own.next(messages.slice(0, length));
  return own;
}
/** Two minutes pass, in which sessions rest one after the other, partly on another thread. */
async function pass(sessions) {
  for (let passed = 0; passed < MINUTES; passed += 5000) {
    mock.timers.tick(5000);
    await sleep(20);
  }
  for (let one = 0; one < 3 * sessions; one++) {
    mock.timers.tick(1);
    await sleep(20);
  }
}
async function memory() {
  for (let run = 0; run < 3; run++) {
    globalThis.gc();
    await sleep(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
function processor(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

// The code comes with the first ones.
const first = histories.slice(0, 20).map(grown);
await pass(first.length);
first.forEach((one, index) => one.next(histories[index]));
await pass(first.length);
first.length = 0;
const before = await memory();
const sessions = histories.map(grown);
await pass(SESSIONS);
const after = await memory();
const time = processor(() => sessions.forEach((one, index) => one.next(histories[index])));
console.log((what === 'step' ? time : after - before) / SESSIONS);
