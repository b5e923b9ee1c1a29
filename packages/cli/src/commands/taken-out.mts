// What a verb took out of a conversation, by kind, in words.
import { countTokens } from 'palimpsest';
import { readMessages } from '../analysis/parts.mjs';
import type { MessageFormat } from '../types.mjs';

/** What parts are called. Text is the speaker's. */
const KINDS: Record<string, string> = { result: 'results', call: 'calls', thinking: 'thinking', other: 'other content' };
const SPEAKERS: Record<string, string> = { user: 'the user', assistant: 'the model', system: 'instructions', tool: 'results' };

/** Tokens of each kind, and the number of images and files. */
function sums(messages: object[], format: MessageFormat | 'auto') {
  const tokens: Map<string, number> = new Map();
  let media = 0;
  for (const { role, parts } of readMessages(messages, format)) {
    for (const { label, text } of parts) {
      if (label === 'media') media++;
      const kind = label === 'text' ? SPEAKERS[role] : KINDS[label];
      if (kind !== undefined) tokens.set(kind, (tokens.get(kind) ?? 0) + countTokens(text));
    }
  }
  return { tokens, media };
}

/** Says what went, the most first; empty if nothing did. Tokens are those of the texts, with the marks that stand in their place. */
export function takenOut(before: object[], after: object[], format: MessageFormat | 'auto') {
  if (before === after || (before.length === after.length && before.every((message, index) => message === after[index]))) return '';
  const [had, has] = [sums(before, format), sums(after, format)];
  const rows = [...had.tokens]
    .map(([kind, tokens]) => ({ kind, tokens, gone: tokens - (has.tokens.get(kind) ?? 0) }))
    .filter(({ gone }) => gone > 0)
    .sort((one, other) => other.gone - one.gone)
    .map(({ kind, tokens, gone }) => `${kind} ${gone.toLocaleString('en')} of ${tokens.toLocaleString('en')}`);
  const media = had.media - has.media;
  const words = [...(rows.length > 0 ? [`tokens of ${rows.join(', ')}`] : []), ...(media > 0 ? [`${media} images or files`] : [])];
  return words.length === 0 ? '' : `; taken out: ${words.join('; ')}`;
}
