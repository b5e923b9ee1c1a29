import { measure, perMessage } from './measure.js';
import type { Message } from '../messages.js';
import type { Part, Path, Tokenizer } from '../types.js';

/** What is read of a call, which nobody has checked. */
type Called = { name?: unknown; arguments?: unknown; input?: unknown };
type Call = { id?: unknown; function?: Called; custom?: Called };

/**
 * The keys of the drop-in's messages that are sent: OpenAI's. `id`, `index` and `metadata` are not. Unlike a format it accepts
 * everything that `compress` does.
 */
function partsOf(messages: readonly Message[]) {
  const parts: Part[] = [];
  messages.forEach((message, index) => {
    const add = (kind: Part['kind'], path: Path, text: string, more?: Partial<Part>) =>
      parts.push({ message: index, role: 'user', kind, path, text, ...more });
    const { content, tool_calls: calls, tool_call_id: callId } = message;
    const answers = typeof callId === 'string' ? { callId } : undefined;
    if (Array.isArray(content)) {
      content.forEach((part: { type?: unknown; text?: unknown } | null, place) => {
        const path = ['content', place];
        if (typeof part?.text === 'string') add('text', path, part.text, answers);
        else add(typeof part?.type === 'string' && /image|audio|file|document/.test(part.type) ? 'media' : 'opaque', path, '', answers);
      });
    }
    if (typeof content === 'string' || !Array.isArray(content)) {
      const isText = typeof content === 'string' || content === undefined || content === null;
      add(isText ? 'text' : 'opaque', ['content'], isText ? (content ?? '') : '', answers);
    }
    if (!Array.isArray(calls)) return;
    calls.forEach((call: Call | null, place) => {
      const called = call?.function ?? call?.custom;
      const { name, arguments: text, input }: Called = typeof called === 'object' ? called : {};
      const found = [text, input].find((value) => typeof value === 'string');
      if (found === undefined || typeof name !== 'string') add('opaque', ['tool_calls', place], '');
      else add('call', ['tool_calls', place], found as string, { name, ...(typeof call?.id === 'string' && { callId: call.id }) });
    });
  });
  return parts;
}

/**
 * The tokens of the drop-in's messages.
 *
 * @returns of each message, of each without its text,
 * and those that belong to no message
 */
export function sentTokens(
  messages: readonly Message[],
  tokenizer: Tokenizer,
): { tokens: Float64Array; others: Float64Array; ofRequest: number } {
  const parts = partsOf(messages);
  const measured = measure(messages, parts, 'openai', tokenizer);
  const tokens = perMessage(parts, measured);
  const others = tokens.slice();
  parts.forEach(({ kind, message, path }, index) => {
    if (kind === 'text' && path.length === 1) others[message] -= measured.parts[index];
  });
  return { tokens, others, ofRequest: measured.request };
}
