// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const integration = typeof require === 'function' ? require('./bullmq.js') : load('./bullmq.js');

export const { compactionJob, enqueueCompaction } = integration;
