import { measure, perMessage } from './measure.js';
import { providerOf } from './provider.js';
import type { Format, Part } from '../types.js';

/**
 * The tokens of messages before and after an edit, each as `countTokens` gives them: what stayed the same object is counted
 * once.
 *
 * @param parts those of `messages`
 */
export function countEdited(
  messages: readonly object[],
  parts: Part[],
  edited: readonly object[],
  format: Format,
  tokenizer: 'o200k_base' | 'cl100k_base' | 'estimate' = 'o200k_base',
) {
  const measured = measure(messages, parts, providerOf(format), tokenizer);
  const counts = perMessage(parts, measured);
  const before = counts.reduce((sum, count) => sum + count, measured.request);
  const known = new Map(messages.map((message, index) => [message, counts[index]]));
  const changed = edited.filter((message) => !known.has(message));
  const changedParts = format.read(changed);
  const changedCounts = perMessage(changedParts, measure(changed, changedParts, providerOf(format), tokenizer));
  let next = 0;
  const after = edited.reduce((sum, message) => sum + (known.get(message) ?? changedCounts[next++]), measured.request);
  return { before, after };
}
