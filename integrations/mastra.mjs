// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

export const { palimpsestProcessor, recallTool } = createRequire(import.meta.url)('palimpsest/mastra');
