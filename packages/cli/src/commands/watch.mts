import { basename, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isShapeError, Misuse, Problem } from '../errors.mjs';
import { orphaning } from '../parent.mjs';
import { AGENTS as NAMES } from '../report/client/format.mjs';
import { coloursOf, cut, plain, widthOf } from '../terminal.mjs';
import { inputTokens } from '../usage.mjs';
import { homeOf, LIMIT, LIMIT_OPTION } from './sessions.mjs';
import { tell } from './verbs.mjs';
import { defineCommand } from './index.mjs';
import type { Agent, Transcript } from '../types.mjs';
import type { Io } from './index.mjs';
import type { Follower } from '../transcripts/follow.mjs';
import type { Played } from '../analysis/simulate.mjs';
import type { Playing } from '../analysis/playing.mjs';

/** Time between two looks at the file, and between two looks for a newer one, in ms. */
const EVERY = 1000;
const EVERY_SEARCH = 10_000;
/** Agents whose transcripts have a usual place. */
const AGENTS = (Object.keys(NAMES) as Agent[]).filter((agent) => !['messages', 'chatgpt', 'claude-ai'].includes(agent));

const thousands = (count: number) => (count < 1000 ? String(count) : `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k`);

/** The newest file of an agent, or of those that are named. */
async function newest(path: string | undefined, agent: Agent | undefined, io: Io) {
  const { find, listFiles } = await import('../transcripts/index.mjs');
  if (path !== undefined) {
    const { found, skipped } = await listFiles([resolve(io.cwd, path)]);
    if (found.length === 0 && skipped.length > 0) throw new Problem(`${plain(path)}: ${skipped[0].reason}`);
    return found[0];
  }
  const { found } = await find(homeOf(io), io.env);
  return found.find((one) => agent === undefined || one.agent === agent);
}

/** A file that is watched, and its sessions as far as they were shown. */
interface Watched {
  follower: Follower;
  /** size and time of the last change when it was read */
  state: string;
  /** by id */
  sessions: Map<string, Playing>;
}

/** Number of files whose sessions are remembered, so that they are not shown again. */
const MAX_FILES = 8;

/** The newest session of a file; undefined if there is none. */
async function lastSession({ follower }: Watched) {
  const { Unreadable } = await import('../transcripts/index.mjs');
  let last: Transcript | undefined;
  try {
    for (const transcript of await follower.read())
      if (last === undefined || (transcript.ended ?? 0) > (last.ended ?? 0)) last = transcript;
  } catch (error) {
    // An agent may be writing it just now.
    if (!(error instanceof Unreadable)) throw error;
  }
  return last;
}

/** The new requests of a session. */
function requestsOf(playing: Playing, transcript: Transcript, isFinal: boolean) {
  try {
    return playing.play(transcript, isFinal);
  } catch (error) {
    if (!isShapeError(error)) throw error;
    throw new Problem(`${plain(transcript.file)}: its messages don't have the shape of the format ${transcript.format}`);
  }
}

/** The line of a request. */
export function lineOf(index: number, { usage, withSession, time, epoch }: Played, { json }: { json?: boolean }) {
  const [tokens, sent] = [inputTokens(usage), inputTokens(withSession)];
  if (json) {
    const data = { request: index + 1, tokens, cached: usage.cacheRead, sent, sentCached: withSession.cacheRead };
    return JSON.stringify({ ...data, ...(time && { time }), ...(epoch && { epoch }) });
  }
  const at = time ? `${new Date(time).toISOString().slice(11, 19)}  ` : '';
  const share = tokens === 0 ? 0 : Math.round((100 * usage.cacheRead) / tokens);
  const percent = tokens === 0 ? 0 : Math.round(100 * (sent / tokens - 1));
  const change = percent === 0 ? '' : ` (${percent > 0 ? '+' : ''}${percent} %)`;
  return `${at}${String(index + 1).padStart(4)}  ${thousands(tokens).padStart(6)} tokens, ${String(share).padStart(3)} % cached; a session: ${thousands(sent)}${change}${epoch ? `, epoch: ${epoch}` : ''}`;
}

export const command = defineCommand({
  name: 'watch',
  summary: 'Follows the newest session of an agent, a line a request',
  usage: '[FILE or FOLDER]',
  positionals: 1,
  notes: [
    'Each line has the tokens of a request, the share that was read from the cache, and what a session within the limit would have sent. A request shows up once its usage is in the transcript. It runs until it is interrupted, and goes on with a newer session as soon as there is one.',
  ],
  options: {
    agent: { type: 'string', value: 'NAME', choices: AGENTS, text: `only its sessions: ${AGENTS.join(', ')}. Default: the newest of all` },
    limit: LIMIT_OPTION,
    once: { type: 'boolean', text: 'ends with the requests that are there' },
    json: { type: 'boolean', text: 'one JSON object a line' },
  },
  examples: [
    ['palimpsest watch', 'the newest session on this machine'],
    ['palimpsest watch --agent codex --limit 60k', 'of Codex'],
    ['palimpsest watch --once --json session.jsonl', 'all requests of a transcript, for a program'],
  ],
  async run({ values, positionals: [path], io }) {
    if (path !== undefined && values.agent !== undefined) throw new Misuse('--agent is for the usual places, not for a FILE');
    const limit = values.limit ?? LIMIT;
    const colours = coloursOf(io.stdout, io.env);
    const [{ Playing }, { Follower }] = await Promise.all([import('../analysis/playing.mjs'), import('../transcripts/follow.mjs')]);
    const files: Map<string, Watched> = new Map();
    const search = async () => {
      const found = await newest(path, values.agent, io);
      if (found !== undefined) return found;
      const of = values.agent ? ` of ${values.agent}` : '';
      throw new Problem(
        path === undefined ? `found no session${of} in the usual places; name a file` : `${plain(path)}: holds no transcript`,
      );
    };
    const isOrphan = orphaning(io.env);
    let file = await search();
    let searched = io.now();
    let id = '';
    for (;;) {
      const watched = files.get(file.path) ?? { follower: new Follower(file.path), state: '', sessions: new Map() };
      files.delete(file.path);
      files.set(file.path, watched);
      for (const old of [...files.keys()].slice(0, -MAX_FILES)) files.delete(old);
      const state = `${file.bytes} ${file.changed}`;
      const transcript = state === watched.state ? undefined : await lastSession(watched);
      if (transcript === undefined && values.once) throw new Problem(`${plain(file.path)}: holds no transcript`);
      watched.state = state;
      if (transcript !== undefined) {
        if (id !== `${file.path} ${transcript.id}`) {
          id = `${file.path} ${transcript.id}`;
          tell(io, values, `${transcript.agent}: ${transcript.title ?? transcript.id} (${basename(file.path)})`);
        }
        const playing = watched.sessions.get(transcript.id) ?? new Playing({ limit, now: io.now });
        watched.sessions.set(transcript.id, playing);
        for (const { index, played } of requestsOf(playing, transcript, values.once === true)) {
          const line = lineOf(index, played, values);
          const fitting = io.stdout.isTTY && !values.json ? cut(line, widthOf(io.stdout, io.env)) : line;
          io.stdout.write(`${played.epoch && !values.json ? colours.yellow(fitting) : fitting}\n`);
        }
      }
      if (values.once) return;
      await wait(EVERY);
      if (isOrphan()) return;
      if (io.now() - searched >= EVERY_SEARCH) {
        file = await search();
        searched = io.now();
      } else file = (await newest(file.path, undefined, io)) ?? file;
    }
  },
});
