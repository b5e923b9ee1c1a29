// The prefix check of models with preserved thinking (platform.claude.com/docs/en/build-with-claude/preserved-thinking): each
// thinking block is valid only after exactly the messages that it was written for.
import { createHash } from 'node:crypto';
import { refuse } from './refusal.mjs';

/** The name of the model that checks. */
export const PRESERVED = 'test-preserved-thinking';

const sealOf = { thinking: 'signature', redacted_thinking: 'data' };

/** Returns every block in order, with a hash of everything before it. Cache breakpoints don't count. */
function* readInOrder(messages) {
  let before = '';
  const add = (value) => {
    const json = JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner));
    before = createHash('sha256').update(before).update(json).digest('hex');
  };
  let speaker;
  for (const [index, { role, content }] of messages.entries()) {
    // Consecutive messages of one role are one turn.
    if (role !== speaker) add({ role });
    speaker = role;
    for (const block of typeof content === 'string' ? [{ type: 'text', text: content }] : content) {
      yield { block, before, index };
      add(block);
    }
  }
}

export class PreservedThinking {
  #issued = new Map(); // signature → what stood before it

  /** Copies a conversation as this model would have written it: each thinking block has a signature for its place. */
  issue(messages) {
    const copy = structuredClone(messages);
    for (const read of readInOrder(copy)) this.#sign(read);
    return copy;
  }

  /** Copies a message as this model would have written it after `sent`. */
  answer(sent, message) {
    const copy = structuredClone(message);
    for (const read of readInOrder([...sent, copy])) if (read.index === sent.length) this.#sign(read);
    return copy;
  }

  #sign({ block, before }) {
    const key = sealOf[block.type];
    if (key === undefined) return;
    block[key] = `issued-${this.#issued.size}`;
    this.#issued.set(block[key], before);
  }

  check({ messages }) {
    for (const { block, before, index } of readInOrder(messages)) {
      const key = sealOf[block.type];
      if (key !== undefined && this.#issued.get(block[key]) !== before) {
        refuse(`messages.${index}: \`${block.type}\` blocks must stand behind exactly what they were generated for`);
      }
    }
  }
}
