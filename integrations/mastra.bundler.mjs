// Written by scripts/entries.mjs.
import integration from './mastra.js';

export const { palimpsestProcessor, recallTool } = integration;
