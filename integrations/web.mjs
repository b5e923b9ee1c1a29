// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

export const { createChatParser } = createRequire(import.meta.url)('palimpsest/web');
