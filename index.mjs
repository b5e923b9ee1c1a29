// The package by its path, for evaluations that are given one: what `palimpsest` and `palimpsest/compress` export. It is not published.
export * from './dist/drop-in.mjs';
export * from './dist/index.mjs';
// Exported by both.
export { compress, createClassifier, createSummarizer, uncompress } from './dist/index.mjs';
