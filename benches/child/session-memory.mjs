// Prints by how many bytes the resident memory of this process grows with each session of 400,000 tokens, the messages aside:
// `node session-memory.mjs FOLDER`. The first session aside too, with which the code and the workspaces of the engine come.
import { readPackage } from '../package.mjs';
import { history, open } from '../rows/requests.mjs';
import { resident } from './resident.mjs';

const [folder] = process.argv.slice(2);
const SESSIONS = 8;

const { palimpsest } = await readPackage(folder);
const messages = history();

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
