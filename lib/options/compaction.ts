// Options of `compactionJob`.

import { mismatch } from '../checks.js';
import { type Check, func } from './kinds.js';
import { concurrency } from './shared.js';
import type { Table } from './shared.js';
import type { CompactionOptions } from '../integrations/bullmq.js';

const having = (...methods: readonly string[]): Check => {
  return (name, value) => {
    if (methods.some((method) => typeof (value as Record<string, unknown> | null | undefined)?.[method] !== 'function'))
      throw mismatch(name, `an object with ${methods.join('(), ')}()`, value);
  };
};

export const compaction = {
  store: { kind: having('get', 'put', 'load'), isRequired: true },
  summarizer: { kind: func, isRequired: true },
  queue: { kind: having('rateLimit'), isRequired: true },
  concurrency,
} satisfies Table<CompactionOptions>;
