// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

export const { recallTool, shortenResults, withPalimpsest } = createRequire(import.meta.url)('palimpsest/anthropic');
