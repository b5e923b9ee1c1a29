// The types of ES modules: those of index.d.ts.
export * from './index.js';
