import { isAgUiSource } from '../shared/part-types.js';
import type { Foreign } from '../../types.js';

export const ROLES = new Set(['developer', 'system', 'user', 'assistant', 'tool', 'activity', 'reasoning']);
/** Roles of messages without content of their own for the model: reasoning, and what the user sees of the agent's work. */
export const SILENT = new Set<unknown>(['activity', 'reasoning']);
/** Types of parts that hold media; `binary` is of versions before 1. */
export const MEDIA = new Set(['image', 'audio', 'video', 'document', 'binary']);

export function recognises(message: Foreign) {
  const { id, role, content, toolCalls } = message;
  if (!ROLES.has(role) || message.type !== undefined || typeof message.index === 'number') return 'no';
  if (message.parts !== undefined || message.tool_calls !== undefined || message.tool_call_id !== undefined) return 'no';
  if (Array.isArray(toolCalls) || typeof message.toolCallId === 'string' || role === 'reasoning' || role === 'activity') return 'yes';
  if (content !== undefined && typeof content !== 'string' && !Array.isArray(content)) return 'no';
  let answer: 'yes' | 'maybe' = 'maybe';
  for (const part of Array.isArray(content) ? content.slice(0, 32) : []) {
    if (part?.type === 'binary' || (MEDIA.has(part?.type) && isAgUiSource(part.source))) answer = 'yes';
    else if (part?.type !== 'text') return 'no';
  }
  return answer === 'yes' || typeof id === 'string' ? answer : 'no';
}
