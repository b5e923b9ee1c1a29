// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

export const { recallTool, shortenToolOutput } = createRequire(import.meta.url)('palimpsest/claude-agent-sdk');
