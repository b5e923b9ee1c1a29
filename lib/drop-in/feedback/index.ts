// Conclusions from the outcomes of agents with compressed histories: terms that a summarizer should keep, terms that it need not
// keep, and pairs of texts to train one with.
export * from './collector.js';
export * from './refine.js';
export * from './distillation.js';
