import type { Foreign } from '../../types.js';

export const ROLES = new Set<unknown>(['system', 'user', 'assistant', 'data']);

export function recognises(message: Foreign) {
  const { role, parts } = message;
  if (!ROLES.has(role) || message.type !== undefined) return 'no';
  if (Array.isArray(message.toolInvocations)) return 'yes';
  if (Array.isArray(parts)) {
    if (parts.length === 0) return typeof message.id === 'string' ? 'yes' : 'maybe';
    return parts.slice(0, 32).every((part) => typeof part?.type === 'string') ? 'yes' : 'no';
  }
  // Version 4 without tools.
  const plain = parts === undefined && typeof message.content === 'string' && typeof message.id === 'string';
  return plain && message.index === undefined && !message.tool_calls ? 'maybe' : 'no';
}
