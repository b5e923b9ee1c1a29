// Written by scripts/entries.mjs: memory.d.ts for ES modules.
// Types of palimpsest/store/memory.
import type { Store, StoreLimits } from '../index.js';

export type { Store, StoreLimits };

/**
 * Creates a store in the memory of this process, for tests and for programs that keep nothing.
 *
 * @throws {TypeError | RangeError} an option is wrong; the error names it
 */
export function memoryStore(options?: StoreLimits | null): Store;
