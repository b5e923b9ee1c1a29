import { isObject } from '../../checks.js';

export function recognises(message: { getType?: unknown; _getType?: unknown }) {
  return typeof message.getType === 'function' || typeof message._getType === 'function' ? 'yes' : 'no';
}

/** Key of a breakpoint of Bedrock's. */
export const CACHE_POINT = 'cachePoint';

/** Whether a block is a cache breakpoint of Bedrock's. It has no type, and belongs to the block before it. */
export function isCachePoint(block: unknown) {
  const { cachePoint, type } = (block ?? {}) as { [CACHE_POINT]?: unknown; type?: unknown };
  return type === undefined && isObject(cachePoint);
}
