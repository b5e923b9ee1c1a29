import type { Foreign } from '../../types.js';

export function recognises({ id, index, content, parts }: Foreign) {
  if (typeof id !== 'string' || typeof index !== 'number' || parts !== undefined) return 'no';
  return content === undefined || content === null || typeof content === 'string' || Array.isArray(content) ? 'yes' : 'no';
}
