import { describe } from '../../checks.js';

/** Parses an LLM's reply, which is JSON as a whole or a single fenced block of it. */
export function parseReply(reply: unknown): unknown {
  if (typeof reply !== 'string') throw new TypeError(`callLlm must return a string or a promise of one, got ${describe(reply)}`);
  const text = reply.trim();
  try {
    return JSON.parse(insideFence(text) ?? text);
  } catch {
    // The parser's own error quotes the reply.
    throw new SyntaxError(`callLlm must answer with JSON, got text of ${text.length} characters`);
  }
}

function insideFence(text: string) {
  const lineEnd = text.indexOf('\n');
  if (!text.startsWith('```') || !text.endsWith('```') || lineEnd < 0 || lineEnd >= text.length - 3) return undefined;
  return text.slice(lineEnd + 1, -3);
}

/** Returns the strings of an array; none for anything else. */
export const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((element: unknown) => typeof element === 'string') : [];
