// @ts-check
// Where the money is: by tool, file, kind and server, over all sessions.
import { OTHERS, withOthers } from './rows.mjs';

/** @typedef {import('../types.d.ts').Where} Where */

/** Maximum number of rows, and of messages of a row. */
const MAX_ROWS = 200;
const MAX_MESSAGES = 50;
const BY = /** @type {const} */ (['kind', 'tool', 'file', 'server']);

/** @typedef {{ tokens: number, sent: number, cost?: number }} Amounts tokens once, tokens sent, and their cost if it is known */
/** @typedef {Amounts & { session?: object, message: number }} Entry */

/** The most expensive first, then those with the most tokens sent; with equal ones the earlier stays first. @param {Amounts} a @param {Amounts} b */
const byWorth = (a, b) => (b.cost ?? 0) - (a.cost ?? 0) || b.sent - a.sent || b.tokens - a.tokens;
/** @param {Amounts} a @param {Amounts} b */
const bySent = (a, b) => b.sent - a.sent || b.tokens - a.tokens;

class Row {
  tokens = 0;
  sent = 0;
  /** @type {number | undefined} */
  cost;
  count = 0;
  /** @type {Entry[]} */
  entries = [];

  /** @param {Entry} entry */
  add(entry) {
    this.tokens += entry.tokens;
    this.sent += entry.sent;
    if (entry.cost !== undefined) this.cost = (this.cost ?? 0) + entry.cost;
    if (entry.session === undefined) return;
    this.count++;
    this.entries.push(entry);
    if (this.entries.length > 4 * MAX_MESSAGES) this.entries = this.entries.sort(bySent).slice(0, MAX_MESSAGES);
  }
}

/** The rows of one question. */
class Table {
  /** @type {Map<string, Row>} */
  #rows = new Map();

  /** @param {string} name @param {Entry} entry */
  add(name, entry) {
    let row = this.#rows.get(name);
    if (row === undefined) {
      row = new Row();
      this.#rows.set(name, row);
    }
    row.add(entry);
  }

  /** @param {(session: object) => number | undefined} indexOf index of a session whose messages are in the report @returns {Where['rows']} */
  rows(indexOf) {
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
          return index === undefined ? [] : [/** @type {[number, number]} */ ([index, message])];
        })
        .slice(0, MAX_MESSAGES),
    }));
  }
}

/** @param {[name: string, row: Row][]} others @returns {[name: string, row: Row]} */
function sumOf(others) {
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
   * @param {object} session anything that identifies it
   * @param {number} message index
   * @param {(Amounts & { kind: string, tool?: string, file?: string, server?: string })[]} parts
   */
  add(session, message, parts) {
    for (const by of BY) {
      /** @type {Map<string, Entry>} */
      const sums = new Map();
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

  /**
   * Adds what no message says.
   *
   * @param {string} kind
   * @param {{ tokens: number, cost?: number }} sent
   */
  addBeside(kind, { tokens, cost }) {
    const entry = { tokens: 0, sent: tokens, message: 0, ...(cost !== undefined && { cost }) };
    for (const by of BY) this.#tables[by].add(by === 'kind' ? kind : '', entry);
  }

  /** @param {(session: object) => number | undefined} indexOf @returns {Where[]} */
  tables(indexOf) {
    return BY.map((by) => ({ by, rows: this.#tables[by].rows(indexOf) }));
  }
}
