// @ts-check
// What was paid: by day, project, model and agent.
import { OTHERS, withOthers } from './rows.mjs';

/** @typedef {import('../types.d.ts').Spend} Spend */
/** @typedef {import('../types.d.ts').SpendRow} SpendRow */

const MAX_ROWS = 100;
const BY = /** @type {const} */ (['day', 'project', 'model', 'agent']);

/** `2026-11-27` in the zone of this machine. @param {number | undefined} time */
export function dayOf(time) {
  if (time === undefined) return '';
  const date = new Date(time);
  const two = (/** @type {number} */ value) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** @param {SpendRow} row @param {Omit<SpendRow, 'name'>} more */
function add(row, { requests, tokens, read, cost }) {
  row.requests += requests;
  row.tokens += tokens;
  row.read += read;
  if (cost !== undefined) row.cost = (row.cost ?? 0) + cost;
}

/** @param {string} name @returns {SpendRow} */
const empty = (name) => ({ name, requests: 0, tokens: 0, read: 0 });

/** @param {SpendRow[]} others */
function sumOf(others) {
  const sum = empty(OTHERS);
  for (const row of others) add(sum, row);
  return sum;
}

/** Collects what requests cost. */
export class SpendTables {
  #tables = { day: new Map(), project: new Map(), model: new Map(), agent: new Map() };

  /**
   * Adds a request.
   *
   * @param {Record<Spend['by'], string>} names
   * @param {{ tokens: number, read: number, cost?: number }} request
   */
  add(names, request) {
    for (const by of BY) {
      const rows = this.#tables[by];
      if (!rows.has(names[by])) rows.set(names[by], empty(names[by]));
      add(rows.get(names[by]), { requests: 1, ...request });
    }
  }

  /** @returns {Spend[]} */
  tables() {
    return BY.map((by) => {
      /** @type {SpendRow[]} */
      const all = [...this.#tables[by].values()];
      all.sort((a, b) => (by === 'day' ? (a.name < b.name ? 1 : -1) : (b.cost ?? 0) - (a.cost ?? 0) || b.tokens - a.tokens));
      return { by, rows: withOthers(all, MAX_ROWS, sumOf) };
    });
  }
}
