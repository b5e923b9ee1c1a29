// @ts-check
// Where the tokens are: by tool, by file and by kind, over all sessions.

/** @typedef {import('../types.d.ts').Where} Where */

/** Maximum number of rows, and of messages of a row. */
const MAX_ROWS = 200;
const MAX_MESSAGES = 50;
/** Name of the row of all others. */
const OTHERS = '…';

/** @typedef {{ tokens: number, session: object, message: number }} Entry */

/** Orders numbers from the largest; with equal ones the earlier stays first. @param {{ tokens: number }} a @param {{ tokens: number }} b */
const byTokens = (a, b) => b.tokens - a.tokens;

class Row {
  tokens = 0;
  count = 0;
  /** @type {Entry[]} */
  entries = [];

  /** @param {Entry} entry */
  add(entry) {
    this.tokens += entry.tokens;
    this.count++;
    this.entries.push(entry);
    if (this.entries.length > 4 * MAX_MESSAGES) this.entries = this.entries.sort(byTokens).slice(0, MAX_MESSAGES);
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
    const all = [...this.#rows].sort(([, a], [, b]) => byTokens(a, b));
    const rows = all.slice(0, all.length > MAX_ROWS ? MAX_ROWS - 1 : MAX_ROWS).map(([name, { tokens, count, entries }]) => ({
      name,
      tokens,
      count,
      messages: entries
        .sort(byTokens)
        .flatMap(({ session, message }) => {
          const index = indexOf(session);
          return index === undefined ? [] : [/** @type {[number, number]} */ ([index, message])];
        })
        .slice(0, MAX_MESSAGES),
    }));
    const others = all.slice(rows.length);
    if (others.length === 0) return rows;
    const sum = (/** @type {(row: Row) => number} */ of) => others.reduce((total, [, row]) => total + of(row), 0);
    return [...rows, { name: OTHERS, tokens: sum(({ tokens }) => tokens), count: sum(({ count }) => count), messages: [] }];
  }
}

/** Collects the tokens of parts of messages. */
export class WhereTables {
  #tables = { kind: new Table(), tool: new Table(), file: new Table() };

  /**
   * Adds a message.
   *
   * @param {object} session anything that identifies it
   * @param {number} message index
   * @param {{ tokens: number, kind: string, tool?: string, file?: string }[]} parts
   */
  add(session, message, parts) {
    for (const by of /** @type {const} */ (['kind', 'tool', 'file'])) {
      /** @type {Map<string, number>} */
      const sums = new Map();
      for (const part of parts) sums.set(part[by] ?? '', (sums.get(part[by] ?? '') ?? 0) + part.tokens);
      for (const [name, tokens] of sums) this.#tables[by].add(name, { tokens, session, message });
    }
  }

  /** @param {(session: object) => number | undefined} indexOf @returns {Where[]} */
  tables(indexOf) {
    return /** @type {const} */ (['kind', 'tool', 'file']).map((by) => ({ by, rows: this.#tables[by].rows(indexOf) }));
  }
}
