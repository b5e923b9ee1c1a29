import type { Fields } from './shapes.js';

/**
 * Maximum nesting of arrays and objects. Programs that send or store a message recurse into it:
 * `JSON.stringify` itself fails after some thousands of levels.
 */
export const MAX_LEVELS = 1000;

/** Whether JSON writes the members of a value. */
export const isNest = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !ArrayBuffer.isView(value) && typeof (value as Fields).toJSON !== 'function';
