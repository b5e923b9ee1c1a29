// Written by scripts/entries.mjs.
import integration from './google-adk.js';

export const { palimpsestPlugin, recallTool } = integration;
