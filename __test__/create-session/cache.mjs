// Anthropic's prompt cache as its documentation describes it: a request writes an entry at each breakpoint, and reads the longest entry
// that one of its breakpoints finds within the 20 blocks up to it.
import { createHash } from 'node:crypto';

const LOOKBACK = 20;
const withoutControl = (value) => JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner));

/** The blocks of a request in the order in which they are cached: tools, system, messages. */
function* blocksOf({ tools = [], system = [], messages }) {
  for (const tool of tools) yield { block: tool, name: 'tool' };
  for (const block of typeof system === 'string' ? [{ type: 'text', text: system }] : system) yield { block, name: 'system' };
  let speaker;
  let turn = 0;
  for (const { role, content } of messages) {
    if (role !== speaker) turn++;
    speaker = role;
    for (const block of typeof content === 'string' ? [{ type: 'text', text: content }] : content) yield { block, name: `${role} ${turn}` };
  }
}

export class AnthropicCache {
  #entries = new Set();

  /** The blocks that a request reads and writes; `faults` are the API's objections to its breakpoints. */
  send(request) {
    const faults = [];
    const breakpoints = [];
    const prefixes = [''];
    let hash = '';
    for (const { block, name } of blocksOf(request)) {
      hash = createHash('sha256').update(hash).update(name).update(withoutControl(block)).digest('hex');
      if (block.cache_control) breakpoints.push(prefixes.length);
      if (block.cache_control && /thinking/.test(block.type)) faults.push(`${block.type} blocks take no cache_control`);
      if (block.cache_control && block.text === '') faults.push('empty text blocks take no cache_control');
      if (block.cache_control && block.cache_control.type !== 'ephemeral') faults.push('cache_control.type is ephemeral');
      prefixes.push(hash);
    }
    if (breakpoints.length > 4) faults.push(`A maximum of 4 blocks with cache_control may be provided. Found ${breakpoints.length}.`);
    const found = (end) => {
      for (let at = end; at > 0 && at > end - LOOKBACK; at--) if (this.#entries.has(prefixes[at])) return at;
      return 0;
    };
    const read = Math.max(0, ...breakpoints.map(found));
    for (const at of breakpoints) this.#entries.add(prefixes[at]);
    return { blocks: prefixes.length - 1, read, written: Math.max(0, ...breakpoints), breakpoints: breakpoints.length, faults };
  }
}
