// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

export const { palimpsestEdit, palimpsestMiddleware, recallTool } = createRequire(import.meta.url)('palimpsest/langchain');
