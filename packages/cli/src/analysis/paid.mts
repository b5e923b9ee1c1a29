// Which answers were paid: each counts once, across files, branches and copies.
import type { Transcript } from '../types.mjs';

/** Of the answers of a transcript: to its requests, and what else was paid. */
export interface Answers<Of> {
  requests: Of[];
  beside: Of[];
}

/** The names of answers; none of what nothing certain tells from others: it counts wherever it is. */
export type Names = Answers<string[]>;

/** Tells which answers were not counted before, and counts them. */
export type PaidOf = (names: Names) => Answers<boolean> | Promise<Answers<boolean>>;

export const namesIn = ({ requests, beside = [] }: Transcript): Names => ({
  requests: requests.map(({ ids = [] }) => ids),
  beside: beside.map(({ ids = [] }) => ids),
});

/** The answers that were counted so far. Takes memory for each of them. */
export class Paid {
  #known: Set<string> = new Set();

  #add(names: string[]) {
    const isNew = !names.some((name) => this.#known.has(name));
    for (const name of names) this.#known.add(name);
    return isNew;
  }

  /** Counts the answers of a transcript. @returns whether each was not counted before */
  add({ requests, beside }: Names): Answers<boolean> {
    return { requests: requests.map((names) => this.#add(names)), beside: beside.map((names) => this.#add(names)) };
  }
}
