// What the proxy keeps in a file, so that it goes on after a restart: counts, no content.
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { homeOf } from '../commands/sessions.mjs';
import { Problem } from '../errors.mjs';
import { objectText, writeOutput } from '../output.mjs';
import { plain } from '../terminal.mjs';
import type { ShadowReport } from 'palimpsest';
import type { Io } from '../commands/index.mjs';
import type { ProxyTotals } from '../types.mjs';

export interface State {
  version: 1;
  /** tokens of a request */
  limit: number;
  totals: ProxyTotals;
  /** with this limit */
  shadow?: ShadowReport | undefined;
}

/** Time between two writes while requests come, in ms. */
const PAUSE = 1000;
/** Port of a proxy without `--port`. */
export const PORT = 8377;

/** The file of a proxy at a port, in the folder for the state of programs. */
export function stateFile(io: Io, port: number = PORT) {
  const home = homeOf(io);
  const folder = {
    darwin: join(home, 'Library/Application Support'),
    win32: io.env.LOCALAPPDATA || join(home, 'AppData/Local'),
  }[process.platform as string];
  return join(folder ?? (io.env.XDG_STATE_HOME || join(home, '.local/state')), 'palimpsest', `proxy-${port}.json`);
}

/**
 * Reads a state.
 *
 * @returns undefined if there is none yet
 * @throws {Problem} it is no state
 */
export async function readState(file: string, io: Io): Promise<State | undefined> {
  let text: string;
  try {
    text = await readFile(resolve(io.cwd, file), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Problem(`${plain(file)}: can't be read (${code}); --state names another file`);
  }
  try {
    const state = JSON.parse(text);
    const isRight = state.version === 1 && Object.values(state.totals).every(Number.isFinite);
    if (isRight && (state.shadow === undefined || Number.isFinite(state.shadow.changed.share))) return state;
  } catch {
    // It is told below.
  }
  throw new Problem(`${plain(file)} is not the state of a proxy: remove it, or name another file with --state`);
}

/** Writes the states of a proxy to its file, one at a time. */
export class StateFile {
  #file;
  #io;
  #next: State | undefined;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasWarned = false;

  constructor(file: string, io: Io) {
    this.#file = file;
    this.#io = io;
  }

  /** Writes a state, soon. */
  save(state: State) {
    this.#next = state;
    this.#timer ??= setTimeout(() => this.#write(), PAUSE);
  }

  /** Writes what is not written yet. */
  async close() {
    await this.#writing;
    await this.#write();
  }

  async #write() {
    clearTimeout(this.#timer);
    const state = this.#next;
    this.#next = undefined;
    if (state !== undefined) {
      this.#writing = this.#put(state);
      await this.#writing;
    }
    this.#timer = undefined;
    if (this.#next !== undefined) this.save(this.#next);
  }

  /** A proxy goes on without its file. */
  async #put(state: State) {
    try {
      await mkdir(dirname(resolve(this.#io.cwd, this.#file)), { recursive: true });
      await writeOutput(this.#file, this.#io, [...objectText(Object.entries(state)), '\n']);
    } catch (error) {
      if (!this.#hasWarned) this.#io.stderr.write(`palimpsest: the state is not kept: ${(error as Error).message}\n`);
      this.#hasWarned = true;
    }
  }
}
