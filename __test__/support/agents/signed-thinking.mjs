// Anthropic: thinking comes back as it was signed, and with `preserved` behind exactly what it was written for.
import { createHash } from 'node:crypto';
import { refuse } from '../providers/refusal.mjs';

/** Hash of a request before each of its pieces, and of the whole at the end. */
export function prefixes(pieces) {
  const all = [''];
  for (const { head, text } of pieces)
    all.push(
      createHash('sha256')
        .update(`${all.at(-1)}\n${head}\n${text}`)
        .digest('base64'),
    );
  return all;
}

export class SignedThinking {
  #issued = new Map(); // signature → { thinking, before }
  #preserved;

  constructor(preserved) {
    this.#preserved = preserved;
  }

  sign({ pieces }, thinking, signature) {
    this.#issued.set(signature, { thinking, before: prefixes(pieces).at(-1) });
    return signature;
  }

  /** @returns {number} how many blocks the model drops, because the request says that it shall not refuse them */
  check({ messages, thinking }, { pieces }) {
    const drops = thinking?.block_binding?.prefix_mismatch_behavior === 'drop_block';
    let dropped = 0;
    const before = this.#preserved ? prefixes(pieces) : [];
    let i = pieces.length - messages.reduce((sum, { content }) => sum + (Array.isArray(content) ? content.length : 1), 0);
    messages.forEach(({ content }, m) => {
      if (!Array.isArray(content)) return void i++;
      content.forEach((block, b) => {
        if (block.type === 'thinking') {
          const issued = this.#issued.get(block.signature);
          if (issued?.thinking !== block.thinking) refuse(`messages.${m}.content.${b}: Invalid \`signature\` in \`thinking\` block`);
          const isBound = !this.#preserved || issued.before === before[i];
          if (!isBound && drops) dropped++;
          else if (!isBound) refuse(`messages.${m}.content.${b}: The block is bound to a different conversation`);
        }
        i++;
      });
    });
    if (thinking?.type === 'enabled') readOpenTurn(messages, (message) => this.#hasThought(message));
    return dropped;
  }

  /** Whether the model thought before the calls of a message. */
  #hasThought({ content }) {
    const ids = content.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []));
    return ids.some((id) => this.#issued.has(id.replace(/^toolu_(.*)_\d+$/, 'sig_$1')));
  }
}

/**
 * With a fixed budget, the turn whose calls are being answered begins with its thinking, and so does the last message of it if the model thought
 * there. A turn goes on until the user says something that is no result.
 */
function readOpenTurn(messages, hasThought) {
  const answers = ({ role, content }) => role === 'user' && Array.isArray(content) && content.some(({ type }) => type === 'tool_result');
  if (!answers(messages.at(-1))) return;
  const start = messages.findLastIndex((message) => message.role === 'user' && !answers(message)) + 1;
  const turn = messages.slice(start).filter(({ role }) => role === 'assistant');
  for (const message of turn) {
    const first = message.content[0]?.type;
    if (first === 'thinking' || first === 'redacted_thinking') continue;
    if (message !== turn[0] && !(message === turn.at(-1) && hasThought(message))) continue;
    refuse(
      `messages.${messages.indexOf(message)}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`. When \`thinking\` is enabled, ` +
        'a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).',
    );
  }
}
