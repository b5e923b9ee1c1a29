import { isObject } from '../../checks.js';
import type { Foreign } from '../../types.js';

export function recognises({ role, content }: Foreign) {
  return typeof role === 'string' && isObject(content) && content.format === 2 && Array.isArray(content.parts) ? 'yes' : 'no';
}
