// Prints by how many bytes the resident memory of this process grows with each session of 400,000 tokens, the messages aside:
// `node session-memory.mjs FOLDER`. The first session aside too, with which the code and the workspaces of the engine come.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPackage } from '../package.mjs';
import { history, open } from '../rows/requests.mjs';

const [folder] = process.argv.slice(2);
const SESSIONS = 8;

const { palimpsest } = await readPackage(folder);
const messages = history();

/** The resident memory once the collector is done, in bytes. */
async function resident() {
  for (let run = 0; run < 3; run++) {
    globalThis.gc();
    // The collector gives memory back to the system in the background.
    await sleep(200);
  }
  return 1_024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
}

/** A session that has come to its length step by step. */
function grown() {
  const session = open(palimpsest, 100_000);
  for (let length = 20; length <= messages.length; length += 20) session.next(messages.slice(0, length));
  return session;
}

const sessions = [grown()];
const before = await resident();
while (sessions.length <= SESSIONS) sessions.push(grown());
const after = await resident();
console.log((after - before) / SESSIONS);
// They are used below, so that they are there until now.
for (const session of sessions) session.next(messages);
