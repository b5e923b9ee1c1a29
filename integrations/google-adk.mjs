// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

export const { palimpsestPlugin, recallTool } = createRequire(import.meta.url)('palimpsest/google-adk');
