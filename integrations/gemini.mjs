// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

export const { recallTool, withPalimpsest } = createRequire(import.meta.url)('palimpsest/gemini');
