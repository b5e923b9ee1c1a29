// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

export const { palimpsestMiddleware, prepareStep } = createRequire(import.meta.url)('./ai-sdk.js');
