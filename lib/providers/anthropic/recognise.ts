import { FOREIGN, isAgUiSource, isMistralThinking } from '../shared/part-types.js';
import type { Foreign } from '../../types.js';

export const THINKING = new Set<unknown>(['thinking', 'redacted_thinking']);
/** Block types that identify a message of this format, as do every `server_tool_use` and `…_tool_result`. */
const OWN = new Set([
  'tool_use',
  'tool_result',
  ...THINKING,
  'document',
  'search_result',
  'server_tool_use',
  'mcp_tool_use',
  'container_upload',
]);
const OTHERS = new Set(['image_url', 'input_audio', 'file', 'refusal', ...FOREIGN]);

export function recognises(message: Foreign) {
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return 'no';
  if (typeof message.id === 'string' && typeof message.index === 'number') return 'no';
  if (Array.isArray(message.parts) || Array.isArray(message.tool_calls) || message.toolInvocations !== undefined) return 'no';
  // A response of the API can be sent back unchanged, with its `type: 'message'`.
  if (message.type !== undefined && !('stop_reason' in message)) return 'no';
  if (typeof content === 'string') return 'maybe';
  if (!Array.isArray(content)) return 'no';
  let answer: 'yes' | 'maybe' = 'maybe';
  for (const block of content.slice(0, 32)) {
    const type = block?.type;
    if (typeof type !== 'string' || OTHERS.has(type) || (type === 'image' && block.source === undefined)) return 'no';
    if (isAgUiSource(block.source) || isMistralThinking(block)) return 'no';
    if (OWN.has(type) || type === 'image' || type.endsWith('_tool_result') || block.cache_control !== undefined) answer = 'yes';
  }
  return answer;
}
