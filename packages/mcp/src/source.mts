// The conversation that is asked about: that of the file that was named, or of the newest transcript of the agent that asks.
import { realpath } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { find, Follower, homeOf, plain, Problem, read, readerOf, sourceOf, Unreadable } from '@palimpsest/cli';
import type { Found, Io, Transcript } from '@palimpsest/cli';
import type { Given } from './arguments.mjs';

/** Number of transcripts that are looked at for one of the folder, the newest ones. */
const MAX_LOOKED = 200;
/** Number of files that are followed at a time. */
const MAX_FOLLOWED = 2;

const REMEDY = 'start the server with the path of a transcript: npx @palimpsest/mcp FILE';

/** Whether an agent's transcript has its own conversation first, and those of subagents behind it. */
const hasMain = ({ agent }: Transcript) => agent === 'claude-code';
/** Whether a transcript is that of a subagent alone. */
const isSide = ({ agent, path }: Found) => agent === 'claude-code' && basename(path).startsWith('agent-');

/** Where links lead, as far as they can be followed. */
const real = (path: string) => realpath(path).catch(() => resolve(path));

/** Returns conversations as they are now. */
export class Source {
  #file;
  #session;
  #io;
  /** Files that are followed, the one that was asked for last at the end. */
  #followed = new Map<string, Follower>();
  /** The folder of each transcript of which it is known. */
  #folders = new Map<string, string>();
  /** The last read: a file is not read by two at a time. */
  #running: Promise<unknown> = Promise.resolve();

  constructor({ file, session, store }: Given, io: Io) {
    this.#file = file;
    // With a store it names what is in there.
    this.#session = store === undefined ? session : undefined;
    this.#io = io;
  }

  /**
   * Reads the conversation.
   *
   * @param client name that the asking program gave itself
   * @throws {Problem}
   */
  read(client: string | undefined): Promise<Transcript> {
    const reading = this.#running.then(() => this.#read(client));
    this.#running = reading.catch(() => {});
    return reading;
  }

  async #read(client: string | undefined) {
    const file = this.#file === undefined ? await this.#newest(client) : resolve(this.#io.cwd, this.#file);
    const name = plain(this.#file ?? file);
    try {
      return await this.#chosen(file, name);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      throw new Problem(`${name}: ${error.message}; ${REMEDY}`);
    }
  }

  async #chosen(file: string, name: string): Promise<Transcript> {
    const all = (await this.#follower(file).read()).filter(({ messages }) => messages.length > 0);
    const session = this.#session;
    if (session !== undefined) {
      const isIt = ({ id }: Transcript, index: number) => id === session || String(index + 1) === session;
      const found = all.find(({ id }) => id === session) ?? (await first(read(file), isIt));
      if (found === undefined) throw new Problem(`${name} has no session ${JSON.stringify(plain(session))}; give another --session`);
      return found;
    }
    if (all.length === 0) throw new Unreadable('contains no messages');
    if (all.length > 1 && !hasMain(all[0]))
      throw new Problem(`${name} holds ${all.length} conversations; start the server with --session ID or its number`);
    return all[0];
  }

  #follower(file: string) {
    const follower = this.#followed.get(file) ?? new Follower(file);
    this.#followed.delete(file);
    this.#followed.set(file, follower);
    for (const old of [...this.#followed.keys()].slice(0, -MAX_FOLLOWED)) this.#followed.delete(old);
    return follower;
  }

  /** The newest transcript of this folder, of the agent that asks if its name tells which that is. */
  async #newest(client: string | undefined) {
    const { cwd, env } = this.#io;
    const { found } = await find(homeOf(this.#io), env);
    const agents = new Set(found.map(({ agent }) => agent));
    const own = [...agents].find((agent) => client?.toLowerCase().startsWith(agent));
    const looked = found.filter((one) => (own === undefined || one.agent === own) && !isSide(one)).slice(0, MAX_LOOKED);
    const folder = await real(cwd);
    for (const { path } of looked) if ((await this.#folderOf(path)) === folder) return path;
    throw new Problem(`found no transcript${own === undefined ? '' : ` of ${own}`} for the folder ${plain(cwd)}; ${REMEDY}`);
  }

  async #folderOf(path: string): Promise<string | undefined> {
    const known = this.#folders.get(path);
    if (known !== undefined) return known;
    try {
      const cwd = (await first(head(path)))?.cwd ?? (await this.#follower(path).read())[0]?.cwd;
      if (cwd === undefined) return undefined;
      const folder = await real(cwd);
      this.#folders.set(path, folder);
      return folder;
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      // It may have gone meanwhile.
      if (typeof (error as NodeJS.ErrnoException).syscall === 'string') return undefined;
      throw error;
    }
  }
}

/** The conversations in the first lines of a file of lines. */
async function* head(path: string): AsyncGenerator<Transcript> {
  const source = await sourceOf(path);
  if (!('lines' in source)) return;
  const reader = new (readerOf(source.first))(path);
  for (const value of source.first) reader.add(value);
  yield* reader.transcripts();
}

/** The first value of which something is true. */
async function first<T>(values: AsyncIterable<T>, is: (value: T, index: number) => boolean = () => true): Promise<T | undefined> {
  let index = 0;
  for await (const value of values) if (is(value, index++)) return value;
  return undefined;
}
