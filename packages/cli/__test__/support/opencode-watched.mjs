// An agent writes to opencode's database, and another reader follows it: `node opencode-watched.mjs FILE`. Prints what the follower saw.
import { Follower } from '../../dist/transcripts/follow.mjs';
import { listFiles, read } from '../../dist/transcripts/index.mjs';
import { openDatabase, store } from './opencode-database.mjs';
import { opencodeSession, TURNS } from './recorded.mjs';

const [file] = process.argv.slice(2);
const database = openDatabase(file);
const follower = new Follower(file);
const seen = [];
async function look() {
  const { found } = await listFiles([file]);
  const transcripts = await follower.read();
  seen.push({ state: found[0], sessions: transcripts.map(({ id, messages }) => ({ id, messages: messages.length })) });
}

const session = (id, turns, updated) => {
  const made = opencodeSession(turns);
  const of = (values) => values.map((value) => ({ ...value, sessionID: id }));
  return { session: { ...made.session, id, time: { created: 1, updated } }, messages: of(made.messages), parts: of(made.parts) };
};
for (const [id, turns, updated] of [
  ['ses_old', TURNS, 100],
  ['ses_new', TURNS, 200],
  ['ses_new', [...TURNS, ...TURNS], 300],
  ['ses_old', TURNS, 400],
]) {
  store(database, session(id, turns, updated));
  await look();
}
const all = [];
for await (const { id } of read(file)) all.push(id);
console.log(JSON.stringify({ seen, all }));
database.close();
