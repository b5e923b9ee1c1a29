import { isObject } from '../../checks.js';
import type { Foreign } from '../../types.js';
import type { Breakpoints } from '../provider.js';

export const ROLES = new Set<unknown>(['system', 'user', 'assistant', 'tool']);
/** Breakpoints in options for providers, of messages for models and of those for users: Anthropic's, Bedrock's and OpenAI's. */
export const BREAKPOINTS: Breakpoints = {
  keys: ['cacheControl', 'cachePoint', 'promptCacheBreakpoint'],
  options: ['providerOptions', 'providerMetadata', 'callProviderMetadata'],
};
export const REASONING = new Set<unknown>(['reasoning', 'redacted-reasoning']);
/** Part types that identify a message of this format. */
const OWN = new Set([
  'tool-call',
  'tool-result',
  'tool-approval-request',
  'tool-approval-response',
  'reasoning-file',
  'custom',
  ...REASONING,
]);

export function recognises(message: Foreign) {
  const { role, content } = message;
  if (!ROLES.has(role) || message.type !== undefined || Array.isArray(message.parts)) return 'no';
  if (typeof message.id === 'string' && typeof message.index === 'number') return 'no';
  if (message.tool_calls || message.tool_call_id || message.toolInvocations || message.toolCalls || message.toolCallId) return 'no';
  if (typeof content === 'string') return role === 'tool' ? 'no' : 'maybe';
  if (!Array.isArray(content)) return 'no';
  let answer: 'yes' | 'maybe' = role === 'tool' ? 'yes' : 'maybe';
  for (const part of content.slice(0, 32)) {
    const type = part?.type;
    if (typeof type !== 'string' || type.includes('_') || type === 'thinking' || type === 'document') return 'no';
    if (OWN.has(type)) answer = 'yes';
    else if (type === 'image' || type === 'file') {
      if (part.image === undefined && (part.data === undefined || isObject(part.file))) return 'no';
      answer = 'yes';
    }
  }
  return answer;
}
