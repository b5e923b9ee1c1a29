// Written by scripts/entries.mjs.
import integration from './bullmq.js';

export const { compactionJob, enqueueCompaction } = integration;
