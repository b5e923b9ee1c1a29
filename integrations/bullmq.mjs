// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

export const { compactionJob, enqueueCompaction } = createRequire(import.meta.url)('palimpsest/bullmq');
