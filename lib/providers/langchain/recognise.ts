import { isObject } from '../../checks.js';
import type { Foreign } from '../../types.js';

export function recognises(message: Foreign) {
  return typeof message.getType === 'function' || typeof message._getType === 'function' ? 'yes' : 'no';
}

/** Whether a block is a cache breakpoint of Bedrock's. It has no type, and belongs to the block before it. */
export const isCachePoint = (block: Foreign) => isObject(block?.cachePoint) && block.type === undefined;
