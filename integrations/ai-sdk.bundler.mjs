// Written by scripts/entries.mjs.
import integration from './ai-sdk.js';

export const { palimpsestMiddleware, prepareStep, recallTool } = integration;
