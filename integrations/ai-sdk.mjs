// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

export const { palimpsestMiddleware, prepareStep, recallTool } = createRequire(import.meta.url)('palimpsest/ai-sdk');
