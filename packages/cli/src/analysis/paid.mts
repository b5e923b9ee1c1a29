// Which answers were paid: each counts once, across files, branches and copies.
import type { PaidAnswer, Transcript } from '../types.mjs';

/** The answers that were counted so far. Takes memory for each of them. */
export class Paid {
  #known: Set<string> = new Set();

  /** @param ids none of what nothing certain tells from others: it counts wherever it is */
  #add(ids: string[] = []) {
    const isNew = !ids.some((id) => this.#known.has(id));
    for (const id of ids) this.#known.add(id);
    return isNew;
  }

  /**
   * Counts the answers of a transcript.
   *
   * @returns `requests`: whether each was not counted before; `beside`: those of what else was paid that were not
   */
  add(transcript: Transcript): { requests: boolean[]; beside: PaidAnswer[] } {
    return {
      requests: transcript.requests.map(({ ids }) => this.#add(ids)),
      beside: (transcript.beside ?? []).filter(({ ids }) => this.#add(ids)),
    };
  }
}
