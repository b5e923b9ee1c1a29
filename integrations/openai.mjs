// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

export const { withPalimpsest } = createRequire(import.meta.url)('./openai.js');
