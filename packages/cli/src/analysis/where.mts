// Where the money is: by tool, file, kind and server, over all sessions.
import { OTHERS, withOthers } from './rows.mjs';
import type { Where } from '../types.mjs';

/** Maximum number of rows, and of messages of a row. */
const MAX_ROWS = 200;
const MAX_MESSAGES = 50;
const BY = ['kind', 'tool', 'file', 'server'] as const;

/** Tokens once, tokens sent, and their cost if it is known. */
type Amounts = { tokens: number; sent: number; cost?: number };
type Entry = Amounts & { session?: object; message: number };

/** The most expensive first, then those with the most tokens sent; with equal ones the earlier stays first. */
const byWorth = (a: Amounts, b: Amounts) => (b.cost ?? 0) - (a.cost ?? 0) || b.sent - a.sent || b.tokens - a.tokens;
const bySent = (a: Amounts, b: Amounts) => b.sent - a.sent || b.tokens - a.tokens;

/** Messages of a row: index, tokens, tokens sent, and their cost if it is known. */
type Message = [message: number, tokens: number, sent: number, cost?: number];
/** A row of a transcript: at most the messages that a report shows. */
type RowOf = Amounts & { name: string; count: number; messages: Message[] };
/** All rows of a transcript. */
export type WhereRows = Record<Where['by'], RowOf[]>;

class Row {
  tokens = 0;
  sent = 0;
  cost?: number;
  count = 0;
  entries: Entry[] = [];

  add(entry: Entry) {
    this.tokens += entry.tokens;
    this.sent += entry.sent;
    if (entry.cost !== undefined) this.cost = (this.cost ?? 0) + entry.cost;
    if (entry.session === undefined) return;
    this.count++;
    this.entries.push(entry);
    this.trim();
  }

  /** Keeps the messages that are shown, once there are many. */
  trim() {
    if (this.entries.length > 4 * MAX_MESSAGES) this.entries = this.entries.sort(bySent).slice(0, MAX_MESSAGES);
  }
}

/** The rows of one question. */
class Table {
  #rows: Map<string, Row> = new Map();

  add(name: string, entry: Entry) {
    let row = this.#rows.get(name);
    if (row === undefined) {
      row = new Row();
      this.#rows.set(name, row);
    }
    row.add(entry);
  }

  /** @param rows of a transcript */
  addAll(session: object, rows: RowOf[]) {
    for (const { name, count, messages, ...sums } of rows) {
      this.add(name, { ...sums, message: 0 });
      const row = this.#rows.get(name) as Row;
      row.count += count;
      for (const [message, tokens, sent, cost] of messages)
        row.entries.push({ session, message, tokens, sent, ...(cost !== undefined && { cost }) });
      row.trim();
    }
  }

  all(): RowOf[] {
    return Array.from(this.#rows, ([name, { tokens, sent, cost, count, entries }]) => ({
      name,
      tokens,
      sent,
      ...(cost !== undefined && { cost }),
      count,
      messages: entries
        .sort(bySent)
        .slice(0, MAX_MESSAGES)
        .map(
          (one): Message => (one.cost === undefined ? [one.message, one.tokens, one.sent] : [one.message, one.tokens, one.sent, one.cost]),
        ),
    }));
  }

  /** @param indexOf index of a session whose messages are in the report */
  rows(indexOf: (session: object) => number | undefined): Where['rows'] {
    const all = [...this.#rows].sort(([, a], [, b]) => byWorth(a, b));
    return withOthers(all, MAX_ROWS, sumOf).map(([name, { tokens, sent, cost, count, entries }]) => ({
      name,
      tokens,
      sent: Math.round(sent),
      ...(cost !== undefined && { cost }),
      count,
      messages: entries
        .sort(bySent)
        .flatMap(({ session, message }) => {
          const index = session && indexOf(session);
          return index === undefined ? [] : [[index, message] as [number, number]];
        })
        .slice(0, MAX_MESSAGES),
    }));
  }
}

function sumOf(others: [name: string, row: Row][]): [name: string, row: Row] {
  const sum = new Row();
  for (const [, { tokens, sent, cost, count }] of others) {
    sum.add({ tokens, sent, message: 0, ...(cost !== undefined && { cost }) });
    sum.count += count;
  }
  return [OTHERS, sum];
}

/** Collects the tokens of parts of messages. */
export class WhereTables {
  #tables = { kind: new Table(), tool: new Table(), file: new Table(), server: new Table() };

  /**
   * Adds a message.
   *
   * @param session anything that identifies it
   * @param message index
   */
  add(session: object, message: number, parts: (Amounts & { kind: string; tool?: string; file?: string; server?: string })[]) {
    for (const by of BY) {
      const sums: Map<string, Entry> = new Map();
      for (const part of parts) {
        const sum = sums.get(part[by] ?? '') ?? { tokens: 0, sent: 0, session, message };
        sum.tokens += part.tokens;
        sum.sent += part.sent;
        if (part.cost !== undefined) sum.cost = (sum.cost ?? 0) + part.cost;
        sums.set(part[by] ?? '', sum);
      }
      for (const [name, entry] of sums) this.#tables[by].add(name, entry);
    }
  }

  /** Adds what no message says. */
  addBeside(kind: string, { tokens, cost }: { tokens: number; cost?: number }) {
    const entry = { tokens: 0, sent: tokens, message: 0, ...(cost !== undefined && { cost }) };
    for (const by of BY) this.#tables[by].add(by === 'kind' ? kind : '', entry);
  }

  /** @param rows of a transcript */
  addAll(session: object, rows: WhereRows) {
    for (const by of BY) this.#tables[by].addAll(session, rows[by]);
  }

  /** All rows. */
  all(): WhereRows {
    return Object.fromEntries(BY.map((by) => [by, this.#tables[by].all()])) as WhereRows;
  }

  tables(indexOf: (session: object) => number | undefined): Where[] {
    return BY.map((by) => ({ by, rows: this.#tables[by].rows(indexOf) }));
  }
}
