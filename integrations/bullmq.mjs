// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
export const { compactionJob, enqueueCompaction } = typeof require === 'function' ? require('./bullmq.js') : load('./bullmq.js');
