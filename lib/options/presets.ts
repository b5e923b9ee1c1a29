/** The names of all formats, in the order of error messages. */
export const FORMATS = [
  'openai-chat',
  'openai-responses',
  'openai-agents',
  'anthropic',
  'ai-sdk-model',
  'ai-sdk-ui',
  'gemini',
  'langchain',
  'mastra',
  'ag-ui',
  'message',
];

// Values behind the names of a session's options; docs/sessions.md has them, research/sessions.md the sources.

const MINUTE = 60_000;

/** Shares of the limit that epochs leave. */
export const PRESETS = {
  careful: { low: 0.6, coldLow: 0.6 },
  balanced: { low: 0.5, coldLow: 0.35 },
  thrifty: { low: 0.3, coldLow: 0.3 },
};

/**
 * Prices of the providers' caches as multiples of uncached input; `ttl` in ms, `minimum` in tokens.
 * `ends`: only prefixes that end where an earlier request ended can be read, as with breakpoints; otherwise any prefix.
 */
export const CACHES = {
  anthropic: { write: 1.25, read: 0.1, ttl: 5 * MINUTE, minimum: 1024, ends: true },
  'anthropic-1h': { write: 2, read: 0.1, ttl: 60 * MINUTE, minimum: 1024, ends: true },
  openai: { write: 1, read: 0.1, ttl: 10 * MINUTE, minimum: 1024, ends: false },
  gemini: { write: 1, read: 0.1, ttl: 5 * MINUTE, minimum: 4096, ends: false },
  none: { write: 1, read: 1, ttl: Infinity, minimum: 0, ends: false },
};
