// The report of files: what has not changed since the last report is known, all else is analysed, in threads if that is worth it.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { analyseFile } from './file.mjs';
import { Analysis } from './index.mjs';
import { Paid } from './paid.mjs';
import type { Report, SkippedFile } from '../types.mjs';
import type { Showable } from './bounds.mjs';
import type { Cache } from './cache.mjs';
import type { Asked, Told } from './file-worker.mjs';
import type { FileOptions, FileResult, FileTexts, PaidIn } from './file.mjs';
import type { Answers, Names } from './paid.mjs';

/** Bytes of files from which on threads are worth their start, and maximum number of threads: each has a heap of its own. */
const MIN_BYTES = 4_000_000;
const MAX_THREADS = 4;
/** Maximum number of results that wait for one before them. */
const MAX_WAITING = 16;

/** What a job asks, until the files before it have asked theirs. */
interface Question {
  names: Names;
  isLast: boolean;
  resolve: (paid: Answers<boolean>) => void;
}

/** A value that comes later. */
function later<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((...settle) => ([resolve, reject] = settle));
  // Whoever waits for it is told; nobody may.
  promise.catch(() => {});
  return { promise, resolve, reject };
}

/** The analysis of a file. */
class Job {
  /** of the file */
  index;
  path;
  done = later<FileTexts>();
  #questions: Question[] = [];
  #asked = later<void>();
  /** What was paid when the file was read before. */
  #known: Answers<boolean>[] | undefined;

  constructor(index: number, path: string, known?: Answers<boolean>[]) {
    this.index = index;
    this.path = path;
    this.#known = known && [...known];
    this.done.promise.catch((error) => this.#asked.reject(error));
  }

  ask: PaidIn = (names, isLast) => {
    if (this.#known) {
      const known = this.#known.shift();
      const isSame = known?.requests.length === names.requests.length && known.beside.length === names.beside.length;
      return isSame ? Promise.resolve(known) : Promise.reject(new Error('the file has changed'));
    }
    return new Promise((resolve) => {
      this.#questions.push({ names, isLast, resolve });
      this.#asked.resolve();
    });
  };

  /** @throws what the analysis failed with */
  async question(): Promise<Question> {
    await this.#asked.promise;
    this.#asked = later();
    this.done.promise.catch((error) => this.#asked.reject(error));
    return this.#questions.shift() as Question;
  }
}

/** Does jobs, one at a time. */
interface Worked {
  run: (job: Job) => Promise<FileTexts>;
  close: () => unknown;
}

/** Does jobs in a thread of its own. */
class Thread implements Worked {
  #worker;
  #job: Job | undefined;
  #onSession;
  /** why it does no more */
  #ended: unknown;

  constructor(options: FileOptions, onSession: () => void) {
    this.#onSession = onSession;
    this.#worker = new Worker(new URL('file-worker.mjs', import.meta.url), { workerData: options });
    this.#worker.on('message', (told: Told) => this.#take(told));
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('a thread of the report ended')));
  }

  #end(error: unknown) {
    this.#ended ??= error;
    this.#job?.done.reject(this.#ended);
  }

  run(job: Job) {
    this.#job = job;
    // It may have ended between two jobs.
    if (this.#ended !== undefined) job.done.reject(this.#ended);
    this.#tell({ type: 'file', path: job.path });
    return job.done.promise;
  }

  #tell(asked: Asked) {
    this.#worker.postMessage(asked);
  }

  #take(told: Told) {
    const job = this.#job as Job;
    if (told.type === 'names') job.ask(told.names, told.isLast).then((paid) => this.#tell({ type: 'paid', paid }), job.done.reject);
    else if (told.type === 'session') this.#onSession();
    else if (told.type === 'done') job.done.resolve(told.texts);
    else job.done.reject(told.error);
  }

  close() {
    return this.#worker.terminate();
  }
}

/** Does jobs here. */
const here = (options: FileOptions, onSession: () => void): Worked => ({
  run: (job) => {
    analyseFile(job.path, options, job.ask, onSession).then(job.done.resolve, job.done.reject);
    return job.done.promise;
  },
  close: () => {},
});

/** Messages of a session that may be shown. */
interface Messages extends Showable {
  /** index of its file, and in it */
  file: number;
  session: number;
}

/** What was found in a file. */
interface Found {
  result: FileResult;
  messages: FileTexts['messages'];
  /** that of its entry in the cache */
  state: string | undefined;
}

/** What is told of the work. */
export interface Watching {
  /** a file is begun */
  onFile: (path: string) => void;
  /** a session was analysed */
  onSession: () => void;
  /** a file is done */
  onDone: (file: { path: string; bytes: number }) => void;
}

/** Does the work of a report. */
class Work {
  #files;
  #options;
  #cache;
  #watching;
  #analysis;
  #skipped;
  #paid = new Paid();
  /** Those that wait, and those that were begun or wait, by index of their file. */
  #queue: Job[] = [];
  #jobs: Map<number, Job> = new Map();
  #idle: Worked[] = [];
  #all: Worked[] = [];
  /** By index of the file. */
  #found;
  /** Of the files that were added: what was paid in them, and the state of their entries. */
  #added: { paid: Answers<boolean>[]; state: string | undefined }[] = [];
  /** Number of results that wait for one before them. */
  #waiting = 0;

  constructor(
    files: { path: string; bytes: number }[],
    { skipped, ...options }: FileOptions & { skipped: SkippedFile[] },
    cache: Cache | undefined,
    watching: Watching,
  ) {
    this.#files = files;
    this.#options = options;
    this.#cache = cache;
    this.#watching = watching;
    this.#skipped = skipped;
    this.#analysis = new Analysis({ ...options, skipped });
    this.#found = files.map(() => later<Found>());
  }

  async report(): Promise<Report> {
    try {
      await this.#begin();
      await Promise.all([this.#inTurn(), this.#addAll()]);
      await this.#completeShown();
      return this.#analysis.report();
    } finally {
      await Promise.all(this.#all.map((one) => one.close()));
      await this.#cache?.sweep(this.#files.map(({ path }) => path));
    }
  }

  /** Begins with what the cache does not have. */
  async #begin() {
    let bytes = 0;
    for (const [index, file] of this.#files.entries()) {
      if (await this.#cache?.has(file.path)) continue;
      bytes += file.bytes;
      this.#queue.push(this.#jobFor(index));
    }
    const threads = bytes < MIN_BYTES ? 0 : Math.min(availableParallelism(), MAX_THREADS, this.#queue.length);
    const { onSession } = this.#watching;
    this.#all =
      threads < 2 ? [here(this.#options, onSession)] : Array.from({ length: threads }, () => new Thread(this.#options, onSession));
    this.#idle = [...this.#all];
    this.#goOn();
  }

  /** @param known what is paid in it, if that is known */
  #jobFor(index: number, known?: Answers<boolean>[]) {
    const job = new Job(index, this.#files[index].path, known);
    this.#jobs.set(index, job);
    return job;
  }

  /** Has one done before all that wait: here, where those that do jobs have later files, which wait for this one. */
  #urge(job: Job) {
    if (this.#idle.length === 0) return void this.#run(job, here(this.#options, this.#watching.onSession), true);
    this.#queue.unshift(job);
    this.#goOn();
  }

  /** Starts as many as there is room for. What is waited for is started in any case: it is the first in the queue, or has begun. */
  #goOn() {
    while (this.#queue.length > 0 && this.#idle.length > 0 && (this.#waiting < MAX_WAITING || this.#queue[0].index <= this.#added.length))
      void this.#run(this.#queue.shift() as Job, this.#idle.pop() as Worked);
  }

  /** @param isBeside it is none of those that do the queue */
  async #run(job: Job, one: Worked, isBeside = false) {
    const found = this.#found[job.index];
    try {
      this.#watching.onFile(job.path);
      const begun = await this.#cache?.begin(job.path);
      const { result: text, messages } = await one.run(job);
      const result: FileResult = JSON.parse(text);
      this.#waiting++;
      found.resolve({ result, messages, state: await this.#cache?.add(job.path, begun, { result, text }) });
    } catch (error) {
      job.done.reject(error);
      found.reject(error);
    }
    if (!isBeside) this.#idle.push(one);
    this.#goOn();
  }

  /** Tells of each file, in their order, what is paid in it: an answer counts where it is met first. */
  async #inTurn() {
    for (const [index, { path }] of this.#files.entries()) {
      const kept = this.#jobs.has(index) ? undefined : await this.#cache?.find(path);
      if (kept) {
        // Otherwise the files before it are others.
        if (this.#paid.addAgain(kept.result.asked)) {
          this.#found[index].resolve({ ...kept, messages: [] });
          continue;
        }
      }
      let job = this.#jobs.get(index);
      if (job === undefined) {
        job = this.#jobFor(index);
        this.#urge(job);
      }
      for (let isLast = false; !isLast; ) {
        const question = await job.question();
        ({ isLast } = question);
        question.resolve(this.#paid.add(question.names));
      }
    }
  }

  /** Adds what is found, in the order of the files. */
  async #addAll() {
    for (const [index, file] of this.#files.entries()) {
      const { result, messages, state } = await this.#found[index].promise;
      // What was read is no longer needed.
      if (this.#jobs.delete(index)) this.#waiting--;
      this.#found[index] = later();
      for (const [session, { analysed, bytes }] of result.sessions.entries())
        this.#analysis.add(analysed, bytes === undefined ? undefined : messagesOf(bytes, index, session, messages[session]));
      this.#skipped.push(...result.skipped);
      this.#added.push({ paid: result.asked.map(({ paid }) => paid), state });
      this.#watching.onDone(file);
      this.#goOn();
    }
  }

  /** Reads the messages that are shown and that the cache did not tell yet. */
  async #completeShown() {
    const byFile: Map<number, Messages[]> = new Map();
    for (const shown of this.#analysis.shown as Messages[]) byFile.set(shown.file, [...(byFile.get(shown.file) ?? []), shown]);
    for (const [index, shown] of byFile) {
      const { path } = this.#files[index];
      const { paid, state } = this.#added[index];
      const isNew = shown.some(({ text }) => text !== undefined);
      let texts = isNew || state === undefined ? [] : ((await this.#cache?.messages(path, state)) ?? []);
      const isKept = shown.every(({ session }) => texts[session] !== undefined);
      if (!isNew && !isKept) {
        const job = this.#jobFor(index, paid);
        this.#urge(job);
        // If it has changed meanwhile, nothing of it is shown.
        texts = await job.done.promise.then(
          ({ messages }) => messages,
          () => [],
        );
      }
      for (const one of shown) {
        const text = one.text ?? texts[one.session];
        if (text !== undefined) one.text = text;
      }
      if (state === undefined || isKept) continue;
      const own: FileTexts['messages'] = [];
      for (const { session, text } of shown) own[session] = text;
      await this.#cache?.addMessages(path, state, own);
    }
  }
}

function messagesOf(bytes: number, file: number, session: number, text: string | undefined): Messages {
  return { bytes, file, session, ...(text !== undefined && { text }) };
}

/**
 * Makes the report of files.
 *
 * @param files the ones whose answers count first are the first
 * @param options `skipped`: files that are no transcripts are added
 * @param cache what was found before; none: nothing is kept
 */
export const reportOf = (
  files: { path: string; bytes: number }[],
  options: FileOptions & { skipped: SkippedFile[] },
  cache: Cache | undefined,
  watching: Watching,
): Promise<Report> => new Work(files, options, cache, watching).report();
