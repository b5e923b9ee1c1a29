// The analysis of a file, here or in a thread.
import { readAll } from '../transcripts/index.mjs';
import { analyseOne } from './index.mjs';
import { createPrices, periodIn } from './prices.mjs';
import type { SkippedFile, Transcript } from '../types.mjs';
import type { Analysed } from './index.mjs';
import type { Answers, Names } from './paid.mjs';

/** What decides about results, beside the files. */
export interface FileOptions {
  /** of a request with a session, in tokens */
  limit: number;
  /** time at which prices hold where none is given, in ms */
  now: number;
}

/** What was found in a file. */
export interface FileResult {
  /** The names of answers that it asked for, and which of them count here: the sessions were analysed with that. */
  asked: { names: Names; paid: Answers<boolean> }[];
  /** `bytes`: those of its messages in a page; absent if they are too many */
  sessions: { analysed: Analysed; bytes?: number }[];
  skipped: SkippedFile[];
  /** Of the models that it names, the time whose prices they have. */
  models: [name: string, period: string][];
}

/** The same as JSON, and the messages of each session. */
export interface FileTexts {
  result: string;
  messages: (string | undefined)[];
}

/** Tells which answers of a session were not counted before. @param isLast whether the file has no other */
export type PaidIn = (names: Names, isLast: boolean) => Promise<Answers<boolean>>;

/** Each, and whether it is the last. */
async function* withLast<T>(values: AsyncIterable<T>): AsyncGenerator<[value: T, isLast: boolean]> {
  let before: { value: T } | undefined;
  for await (const value of values) {
    if (before) yield [before.value, false];
    before = { value };
  }
  if (before) yield [before.value, true];
}

const modelsIn = ({ model, requests, beside = [] }: Transcript) =>
  [model, ...requests.map((one) => one.model), ...beside.map((one) => one.model)].filter((name) => name !== undefined);

/**
 * Reads a file and analyses its sessions.
 *
 * @param paidIn is asked for each session that can be read, and last with `isLast`
 * @param onSession called after each
 */
export async function analyseFile(path: string, { limit, now }: FileOptions, paidIn: PaidIn, onSession: () => void): Promise<FileTexts> {
  const result: Omit<FileResult, 'models'> = { asked: [], sessions: [], skipped: [] };
  const messages: (string | undefined)[] = [];
  const models: Set<string> = new Set();
  const priceOf = createPrices(now);
  let isEnded = false;
  const ask = async (names: Names, isLast: boolean) => {
    isEnded = isLast;
    const paid = await paidIn(names, isLast);
    result.asked.push({ names, paid });
    return paid;
  };
  for await (const [transcript, isLast] of withLast(readAll([path], result.skipped))) {
    for (const model of modelsIn(transcript)) models.add(model);
    const one = await analyseOne(transcript, { limit, priceOf }, (names) => ask(names, isLast));
    if ('reason' in one) result.skipped.push(one);
    else {
      result.sessions.push({ analysed: one.analysed, ...(one.shown && { bytes: one.shown.bytes }) });
      messages.push(one.shown?.text);
    }
    onSession();
  }
  if (!isEnded) await ask({ requests: [], beside: [] }, true);
  return { result: JSON.stringify({ ...result, models: Array.from(models, (name) => [name, periodIn(name, now)]) }), messages };
}
