// Helpers that turn a call to an LLM into the callbacks that `compress` takes.
export * from './summarizer.js';
export * from './classifier.js';
