// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

export const { palimpsestEdit, palimpsestMiddleware } = createRequire(import.meta.url)('./langchain.js');
