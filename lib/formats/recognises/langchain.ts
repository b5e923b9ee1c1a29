import type { Foreign } from '../../types.js';

export function recognises(message: Foreign) {
  return typeof message.getType === 'function' || typeof message._getType === 'function' ? 'yes' : 'no';
}
