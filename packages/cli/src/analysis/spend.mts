// What was paid: by day, project, model and agent.
import { OTHERS, withOthers } from './rows.mjs';
import type { Spend, SpendRow } from '../types.mjs';

const MAX_ROWS = 100;
const BY = ['day', 'project', 'model', 'agent'] as const;

/** `2026-11-27` in the zone of this machine. */
export function dayOf(time: number | undefined) {
  if (time === undefined) return '';
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function add(row: SpendRow, { requests, tokens, read, cost }: Omit<SpendRow, 'name'>) {
  row.requests += requests;
  row.tokens += tokens;
  row.read += read;
  if (cost !== undefined) row.cost = (row.cost ?? 0) + cost;
}

const empty = (name: string): SpendRow => ({ name, requests: 0, tokens: 0, read: 0 });

function sumOf(others: SpendRow[]) {
  const sum = empty(OTHERS);
  for (const row of others) add(sum, row);
  return sum;
}

/** Collects what requests cost. */
export class SpendTables {
  #tables = { day: new Map(), project: new Map(), model: new Map(), agent: new Map() };

  /** Adds requests. */
  add(names: Record<Spend['by'], string>, request: { requests: number; tokens: number; read: number; cost?: number }) {
    for (const by of BY) {
      const rows = this.#tables[by];
      if (!rows.has(names[by])) rows.set(names[by], empty(names[by]));
      add(rows.get(names[by]), request);
    }
  }

  /** @param tables of a transcript */
  addAll(tables: Spend[]) {
    for (const { by, rows } of tables) {
      const own = this.#tables[by];
      for (const row of rows) {
        if (!own.has(row.name)) own.set(row.name, empty(row.name));
        add(own.get(row.name), row);
      }
    }
  }

  tables(): Spend[] {
    return BY.map((by) => {
      const all: SpendRow[] = [...this.#tables[by].values()];
      all.sort((a, b) => (by === 'day' ? (a.name < b.name ? 1 : -1) : (b.cost ?? 0) - (a.cost ?? 0) || b.tokens - a.tokens));
      return { by, rows: withOthers(all, MAX_ROWS, sumOf) };
    });
  }
}
