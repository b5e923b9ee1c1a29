// What the Responses API keeps: responses that requests go on from, items that they refer to, and reasoning.
import { refuseWith } from './errors.mjs';
import { prefixes } from './signed-thinking.mjs';

const notFound = (id) =>
  refuseWith(
    { status: 404 },
    `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
    'input',
  );

export class ResponseStore {
  #responses = new Map(); // id → input and output
  #items = new Map(); // id → item, of stored responses
  #thoughts = new Map(); // id of a reasoning item → what was thought, and the hash of what stood before it
  #reasons = new Map(); // id of an item → id of the reasoning that led to it

  /** The whole input, without references. */
  resolve({ input, previous_response_id: previous }) {
    const items = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : (input ?? []);
    if (!Array.isArray(items)) return items;
    const whole = items.map((item) => {
      if (item?.type !== 'item_reference') return item;
      return this.#items.get(item.id) ?? notFound(item.id);
    });
    if (previous == null) return whole;
    const before = this.#responses.get(previous);
    if (!before)
      refuseWith({ code: 'previous_response_not_found' }, `Previous response with id '${previous}' not found.`, 'previous_response_id');
    return [...before, ...whole];
  }

  /** Reasoning is the model's own, and what followed it comes with it as long as both have their ids. */
  checkReasoning(input) {
    const given = new Set(input.filter(({ type }) => type === 'reasoning').map(({ id }) => id));
    input.forEach((item, i) => {
      if (item.type === 'reasoning') {
        const { id, encrypted_content: encrypted } = item;
        if (encrypted == null && !this.#items.has(id)) notFound(id);
        if (!this.#thoughts.has(id) || (encrypted != null && encrypted !== this.#thoughts.get(id).encrypted))
          refuseWith({ code: 'invalid_encrypted_content' }, `The encrypted content for item ${id} could not be verified.`, `input[${i}]`);
      }
      const reason = this.#reasons.get(item.id);
      if (reason !== undefined && !given.has(reason))
        refuseWith(
          {},
          `Item '${item.id}' of type '${item.type}' was provided without its required 'reasoning' item: '${reason}'.`,
          'input',
        );
    });
  }

  /** A reasoning item. */
  think(thought, id, pieces, encrypted) {
    const summary = [{ type: 'summary_text', text: thought }];
    const item = this.thinkAs({ type: 'reasoning', id, summary, encrypted_content: `encrypted-${id}` }, pieces);
    return encrypted ? item : { type: 'reasoning', id, summary };
  }

  /** Takes a reasoning item as the model's own. */
  thinkAs(item, pieces) {
    const { id, encrypted_content: encrypted, summary } = item;
    this.#thoughts.set(id, { thought: summary.map(({ text }) => text).join('\n'), before: prefixes(pieces).at(-1), encrypted });
    return item;
  }

  thoughtOf = ({ id }) => this.#thoughts.get(id)?.thought;

  /** The pieces without reasoning that stands behind anything else than it was written for. The input's pieces are the last. */
  dropChanged(pieces, input) {
    const before = prefixes(pieces);
    const start = pieces.length - input.length;
    const isChanged = (_, i) =>
      i >= start && input[i - start].type === 'reasoning' && this.#thoughts.get(input[i - start].id).before !== before[i];
    return pieces.filter((...at) => !isChanged(...at));
  }

  keep({ input, store }, { id: response, output }) {
    output.forEach(({ type, id }, i) => {
      if (type === 'reasoning' && output[i + 1]) this.#reasons.set(output[i + 1].id, id);
    });
    if (store === false) return;
    this.#responses.set(response, [...input, ...output]);
    for (const item of output) this.#items.set(item.id, item);
  }
}
