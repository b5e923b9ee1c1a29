// Written by scripts/entries.mjs.
import integration from './openai-agents.js';

export const { palimpsestFilter, palimpsestModel, recallTool } = integration;
