import { isObject } from '../../checks.js';
import { bothOf } from './spelling.js';
import type { Foreign, Role } from '../../types.js';

export const ROLES = new Map(Object.entries({ user: 'user', model: 'assistant', function: 'tool', system: 'system' })) as Map<
  unknown,
  Role
>;
export const MEDIA = bothOf('inlineData', 'fileData');
const CONTENT = bothOf('functionCall', 'functionResponse', 'executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse');
const KNOWN = ['text', 'thought', ...CONTENT, ...MEDIA, ...bothOf('audioTranscription', 'videoMetadata', 'thoughtSignature')];

export function recognises(message: Foreign) {
  const { role, parts } = message;
  if ((role !== undefined && !ROLES.has(role)) || message.content !== undefined || message.type !== undefined) return 'no';
  if (!Array.isArray(parts)) return 'no';
  if (parts.length === 0) return role === 'model' || role === 'function' ? 'yes' : 'maybe';
  const fits = parts
    .slice(0, 32)
    .every((part) => isObject(part) && part.type === undefined && KNOWN.some((key) => part[key] !== undefined));
  return fits ? 'yes' : 'no';
}
