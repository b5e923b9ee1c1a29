import { isObject } from '../../checks.js';
import { FOREIGN, isMistralThinking } from '../shared/part-types.js';
import type { Foreign } from '../../types.js';

export const MEDIA = new Set(['image_url', 'input_audio', 'file', 'video_url']);
/** Part types that only other formats have. */
const OTHERS = new Set(['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'document', ...FOREIGN]);

export function recognises(message: Foreign) {
  const { role, content } = message;
  if (typeof role !== 'string' || (typeof message.id === 'string' && typeof message.index === 'number')) return 'no';
  if (Array.isArray(message.parts) || message.toolInvocations !== undefined || message.type !== undefined) return 'no';
  if (Array.isArray(message.tool_calls) || isObject(message.function_call)) return 'yes';
  if (typeof message.tool_call_id === 'string' || role === 'function') return 'yes';
  let answer: 'yes' | 'maybe' = hasReasoning(message) ? 'yes' : 'maybe';
  if (!Array.isArray(content)) return content == null || typeof content === 'string' ? answer : 'no';
  for (const part of content.slice(0, 32)) {
    const type = part?.type;
    if (isMistralThinking(part)) {
      answer = 'yes';
      continue;
    }
    if (typeof type !== 'string' || OTHERS.has(type)) return 'no';
    if (type === 'file' ? !isObject(part.file) : type === 'image') return 'no';
    if (MEDIA.has(type) || type === 'refusal') answer = 'yes';
  }
  return answer;
}

/** Whether there is reasoning where only APIs that are compatible with chat completions put it. */
function hasReasoning({ reasoning_content: content, reasoning_details: details, thinking_blocks: blocks }: Foreign) {
  return (content ?? details ?? blocks ?? undefined) !== undefined;
}
