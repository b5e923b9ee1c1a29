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

  /**
   * Counts the answers of transcripts if they count as they once did.
   *
   * @returns whether they do; if not, none is counted
   */
  addAgain(asked: { names: Names; paid: Answers<boolean> }[]): boolean {
    const own: Set<string> = new Set();
    const isAsBefore = (all: string[][], paid: boolean[]) =>
      all.every((names, index) => {
        const isNew = !names.some((name) => this.#known.has(name) || own.has(name));
        for (const name of names) own.add(name);
        return isNew === paid[index];
      });
    if (!asked.every(({ names, paid }) => isAsBefore(names.requests, paid.requests) && isAsBefore(names.beside, paid.beside))) return false;
    for (const name of own) this.#known.add(name);
    return true;
  }

  /** Counts the answers of a transcript. @returns whether each was not counted before */
  add({ requests, beside }: Names): Answers<boolean> {
    return { requests: requests.map((names) => this.#add(names)), beside: beside.map((names) => this.#add(names)) };
  }
}
