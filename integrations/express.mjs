// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

export const { palimpsestMiddleware } = createRequire(import.meta.url)('palimpsest/express');
