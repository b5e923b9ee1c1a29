// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

export const { palimpsestFilter, palimpsestModel, recallTool } = createRequire(import.meta.url)('palimpsest/openai-agents');
