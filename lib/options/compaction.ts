// Options of `compactionJob`.

import { mismatch } from '../checks.js';
import { type Check, func } from './kinds.js';
import { concurrency } from './shared.js';
import type { Option } from './shared.js';

const having = (...methods: readonly string[]): Check => {
  return (name, value) => {
    if (methods.some((method) => typeof value?.[method] !== 'function'))
      throw mismatch(name, `an object with ${methods.join('(), ')}()`, value);
  };
};

export const compaction: Record<string, Option> = {
  store: { kind: having('get', 'put', 'load'), isRequired: true },
  summarizer: { kind: func, isRequired: true },
  queue: { kind: having('rateLimit'), isRequired: true },
  concurrency,
};
