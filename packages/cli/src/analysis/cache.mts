// What was found in files, kept until they change. A cache that can't be read or written is none: the report needs it for nothing but time.
import { createHash, randomUUID } from 'node:crypto';
import { constants, readFileSync, statSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesWith } from '../transcripts/index.mjs';
import { periodIn } from './prices.mjs';
import type { FileOptions, FileResult, FileTexts } from './file.mjs';

const require = createRequire(import.meta.url);

/** Maximum bytes of all entries. The oldest go first. */
const MAX_BYTES = 256 * 2 ** 20;
/** Time in ms since the last change from which on another change shows: clocks of file systems go in steps. */
const SETTLED = 100;
/** Age in ms of a file that a program which ended has left half written. */
const LEFT_OVER = 3_600_000;
/** Length of the start of an entry in which its head ends, in bytes: a path takes 4 KiB at most. */
const HEAD = 16_384;

/** Opens without waiting: a pipe that nobody writes to is no entry. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

/** What results depend on beside files and options: this version. */
function versionNow() {
  const versionIn = (path: string) => JSON.parse(readFileSync(path, 'utf8')).version;
  const [library, prices] = [require.resolve('palimpsest/package.json'), require.resolve('@pydantic/genai-prices')];
  const own = dirname(fileURLToPath(import.meta.url));
  return [
    versionIn(join(own, '../../package.json')),
    versionIn(library),
    versionIn(join(dirname(prices), '../package.json')),
    process.versions.node,
    // A build of one's own has the version of the last one.
    ...[own, join(own, '../transcripts'), join(dirname(library), 'dist')].map((folder) => statSync(folder).mtimeMs),
  ].join(' ');
}

/** What the first line of an entry says. */
interface Head {
  path: string;
  options: string;
  version: string;
  /** of the file, and of those that are read with it */
  state: string;
  /** digest of what follows */
  sum: string;
}

/** The state of a file, and of those that are read with it. */
interface State {
  text: string;
  /** time of the last change, in ms */
  changed: number;
}

/** @returns of a file that can't be asked, that it can't */
async function stateOf(paths: string[]): Promise<State> {
  const parts = [];
  let changed = 0;
  for (const path of paths) {
    try {
      const { size, mtimeNs, ctimeNs, ino, dev } = await stat(path, { bigint: true });
      parts.push([size, mtimeNs, ctimeNs, ino, dev].join(' '));
      for (const time of [mtimeNs, ctimeNs]) changed = Math.max(changed, Number(time / 1_000_000n));
    } catch (error) {
      parts.push((error as NodeJS.ErrnoException).code);
    }
  }
  return { text: parts.join(', '), changed };
}

/** The folder of the cache, with those for the files of programs. @param home the user's folder */
export function cacheFolder(home: string, env: Record<string, string | undefined>): string {
  const usual = { darwin: join(home, 'Library/Caches'), win32: join(env.LOCALAPPDATA || join(home, 'AppData/Local'), 'Cache') };
  return join(env.XDG_CACHE_HOME || (usual[process.platform as keyof typeof usual] ?? join(home, '.cache')), 'palimpsest', 'report');
}

/** What was found in a file, as of a state of it. */
export interface Kept {
  state: string;
  result: FileResult;
}

/** Entries, one for a file and options: a line with its {@link Head}, and JSON. The messages of sessions are in another file beside it. */
export class Cache {
  #folder;
  #now;
  #options;
  #optionsName;
  #version = versionNow();
  #isWriting;
  #hasWritten = false;

  constructor(folder: string, { limit, now }: FileOptions, { isWriting }: { isWriting: boolean }) {
    this.#folder = folder;
    this.#now = now;
    this.#isWriting = isWriting;
    // Days are those of the zone.
    this.#options = JSON.stringify([limit, Intl.DateTimeFormat().resolvedOptions().timeZone]);
    this.#optionsName = digest(this.#options).slice(0, 12);
  }

  #entry(path: string, kind: 'result' | 'messages') {
    return join(this.#folder, `${digest(path).slice(0, 32)}-${this.#optionsName}.${kind}`);
  }

  /** The state of a file, before it is read. */
  async begin(path: string): Promise<{ state: string; isSettled: boolean } | undefined> {
    if (!this.#isWriting) return undefined;
    const begun = Date.now();
    const { text, changed } = await stateOf(filesWith(path, []) as string[]);
    return { state: text, isSettled: changed < begun - SETTLED };
  }

  #isCurrent(head: Partial<Head>, path: string, state: string) {
    return head.path === path && head.options === this.#options && head.version === this.#version && head.state === state;
  }

  /** Reads an entry. @returns undefined if there is none, or it is of another state, or damaged */
  async #read(path: string, kind: 'result' | 'messages', state: string): Promise<unknown> {
    try {
      const text = await readFile(this.#entry(path, kind), { encoding: 'utf8', flag: READ });
      const end = text.indexOf('\n');
      const head: Partial<Head> = JSON.parse(text.slice(0, end));
      const body = text.slice(end + 1);
      return this.#isCurrent(head, path, state) && head.sum === digest(body) ? JSON.parse(body) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether there may be an entry of the state that a file is in. */
  async has(path: string): Promise<boolean> {
    const head = await headOf(this.#entry(path, 'result'));
    return head !== undefined && this.#isCurrent(head, path, (await stateOf(filesWith(path, []) as string[])).text);
  }

  /** What was found in a file, if neither it nor prices have changed since. */
  async find(path: string): Promise<Kept | undefined> {
    const { text: state } = await stateOf(filesWith(path, []) as string[]);
    const result = (await this.#read(path, 'result', state)) as FileResult | undefined;
    if (result?.models.every(([name, period]) => periodIn(name, this.#now) === period)) return { state, result };
    return undefined;
  }

  /** The messages of the sessions of a file that a report showed. */
  async messages(path: string, state: string): Promise<FileTexts['messages']> {
    const found = ((await this.#read(path, 'messages', state)) ?? []) as (string | null)[];
    return found.map((text) => text ?? undefined);
  }

  /**
   * Keeps what was found in a file, unless it has changed since it began to be read.
   *
   * @returns the state of the entry; undefined if there is none
   */
  async add(
    path: string,
    begun: { state: string; isSettled: boolean } | undefined,
    { result: { sessions, skipped }, text }: { result: FileResult; text: string },
  ): Promise<string | undefined> {
    if (!begun?.isSettled) return undefined;
    const files = filesWith(
      path,
      sessions.map(({ analysed }) => analysed.session.agent),
    );
    // What could not be read may be readable then.
    if (sessions.length === 0 || skipped.length > 0 || files === undefined) return undefined;
    if ((await stateOf(files)).text !== begun.state) return undefined;
    await this.#write(path, 'result', begun.state, text);
    return begun.state;
  }

  /** Keeps messages of a file's sessions. */
  async addMessages(path: string, state: string, messages: FileTexts['messages']) {
    if (this.#isWriting) await this.#write(path, 'messages', state, JSON.stringify(messages.map((text) => text ?? null)));
  }

  async #write(path: string, kind: 'result' | 'messages', state: string, body: string) {
    const head: Head = { path, options: this.#options, version: this.#version, state, sum: digest(body) };
    const entry = this.#entry(path, kind);
    // A number of a process may be that of another one: of another container, or of another report here.
    const scratch = `${entry}.${randomUUID()}.tmp`;
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      // Whole or not at all, also if another process writes the same.
      await writeFile(scratch, `${JSON.stringify(head)}\n${body}`, { mode: 0o600, flag: 'wx' });
      await rename(scratch, entry);
      this.#hasWritten = true;
    } catch {
      await removed(scratch);
    }
  }

  /**
   * Removes the entries of files that are gone, and the oldest ones if there are too many.
   *
   * @param paths of files that are there
   */
  async sweep(paths: Iterable<string>) {
    const there = new Set(Array.from(paths, (path) => digest(path).slice(0, 32)));
    const isLeft = async (entry: string, name: string, changed: number) =>
      name.endsWith('.tmp') ? Date.now() - changed > LEFT_OVER : !(there.has(name.slice(0, 32)) || (await isThere(entry)));
    const entries = [];
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const entry = join(this.#folder, name);
      // Another process may sweep, too, and what is no file is not the report's.
      const info = await stat(entry).catch(() => undefined);
      if (!info?.isFile()) continue;
      if (await isLeft(entry, name, info.mtimeMs)) await removed(entry);
      else entries.push({ entry, size: info.size, time: info.mtimeMs });
    }
    if (!this.#hasWritten) return;
    entries.sort((a, b) => b.time - a.time);
    let bytes = 0;
    for (const { entry, size } of entries) {
      bytes += size;
      if (bytes > MAX_BYTES) await removed(entry);
    }
  }
}

/** Removes a file, where that is possible. */
const removed = (path: string) => rm(path, { force: true }).catch(() => {});

/** The head of an entry; undefined if it can't be read. */
async function headOf(entry: string): Promise<Partial<Head> | undefined> {
  try {
    const handle = await open(entry, READ);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
      return JSON.parse(buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0]);
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

/** Whether the file of an entry is there. */
async function isThere(entry: string) {
  const { path } = (await headOf(entry)) ?? {};
  return path !== undefined && (await stat(path).catch(() => undefined)) !== undefined;
}
