// What has no price, and how much of it there was.
import { inputTokens } from '../usage.mjs';
import type { Price } from './prices.mjs';
import type { Usage, WithoutPrice } from '../types.mjs';

/** Name of the model of sessions that name none. */
const NO_MODEL = 'unknown';

export class Unpriced {
  #rows: Map<string, WithoutPrice> = new Map();

  #add({ name, kind, requests, tokens, output, calls }: WithoutPrice) {
    const row = this.#rows.get(`${kind} ${name}`) ?? { name, kind, requests: 0, tokens: 0, output: 0, calls: 0 };
    row.requests += requests;
    row.tokens += tokens;
    row.output += output;
    row.calls += calls;
    this.#rows.set(`${kind} ${name}`, row);
  }

  /**
   * Takes a request.
   *
   * @param price of its model
   */
  add(model: string = NO_MODEL, usage: Usage, price: Price | undefined) {
    const all = { requests: 1, tokens: inputTokens(usage), output: usage.output, calls: 0 };
    if (price === undefined) this.#add({ name: model, kind: 'model', ...all });
    else if (!price.isKnown(usage)) this.#add({ name: `${model}, ${Object.values(usage.served ?? {}).join(', ')}`, kind: 'tier', ...all });
    const tools = price === undefined ? Object.keys(usage.tools ?? {}) : price.toolsWithout(usage);
    for (const name of tools) this.#add({ name, kind: 'tool', requests: 1, tokens: 0, output: 0, calls: usage.tools?.[name] ?? 0 });
  }

  /** @param rows of a transcript */
  addAll(rows: WithoutPrice[]) {
    for (const row of rows) this.#add(row);
  }

  /** Names of the models. */
  names() {
    return [...this.#rows.values()].flatMap(({ name, kind }) => (kind === 'model' ? [name] : [])).sort();
  }

  /** The ones with the most tokens first. */
  list(): WithoutPrice[] {
    return [...this.#rows.values()].sort((a, b) => b.tokens - a.tokens || b.calls - a.calls || (a.name < b.name ? -1 : 1));
  }
}
