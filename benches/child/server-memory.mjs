// Prints by how many bytes the resident memory of this process grows with 200 sessions of 270 KB, their messages aside: `node server-memory.mjs FOLDER`.
import { readPackage } from '../package.mjs';
import { session } from '../generate.mjs';
import { open } from '../rows/requests.mjs';
import { resident } from './resident.mjs';

const [folder] = process.argv.slice(2);
const [SESSIONS, MESSAGES] = [200, 200];

const { palimpsest } = await readPackage(folder);
// As they are read from a database: strings put together in pieces would be made flat by the first session.
const histories = JSON.parse(JSON.stringify(Array.from({ length: SESSIONS }, (_, seed) => session(seed + 1, MESSAGES, 270_000))));

/** A session that has come to its length step by step. */
function grown(messages) {
  const own = open(palimpsest, 32_000);
  for (let length = 2; length <= messages.length; length += 2) own.next(messages.slice(0, length));
  return own;
}

// The code and the workspaces of the engine come with the first one.
grown(histories[0]);
const before = await resident();
const sessions = histories.map(grown);
console.log((await resident()) - before);
// They are used below, so that they are there until now.
sessions.forEach((one, index) => one.next(histories[index]));
