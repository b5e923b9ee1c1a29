// Written by scripts/entries.mjs. The types of ES modules: those of ai-sdk.d.ts.
export * from './ai-sdk.js';
