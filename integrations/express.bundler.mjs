// Written by scripts/entries.mjs.
import integration from './express.js';

export const { palimpsestMiddleware } = integration;
