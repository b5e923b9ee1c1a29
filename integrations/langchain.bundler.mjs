// Written by scripts/entries.mjs.
import integration from './langchain.js';

export const { palimpsestEdit, palimpsestMiddleware, recallTool } = integration;
