// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

export const { palimpsestProcessor } = createRequire(import.meta.url)('./mastra.js');
