// Loads the engine, so that the import fails if it cannot be loaded.
import './native.js';
import type * as api from '../index.js';
import type { Foreign } from './types.js';

// Everything else is loaded at its first call: loading it takes longer than loading the engine, and no program calls everything.
const llm = () => require('./llm/index.js') as typeof import('./llm/index.js');

export const compress: typeof api.compress = (messages: Foreign, ...more: Foreign[]) =>
  (require('./compress/index.js') as typeof import('./compress/index.js')).compress(messages, ...more);
export const uncompress: typeof api.uncompress = (messages: Foreign, store: Foreign, options: Foreign) =>
  (require('./uncompress.js') as typeof import('./uncompress.js')).uncompress(messages, store, options);

export const createSummarizer: typeof api.createSummarizer = (callLlm: Foreign, options: Foreign): Foreign =>
  llm().createSummarizer(callLlm, options);
export const createClassifier: typeof api.createClassifier = (callLlm: Foreign, options: Foreign): Foreign =>
  llm().createClassifier(callLlm, options);

export const recall: typeof api.recall = (history: Foreign, messages: Foreign, query: Foreign, options: Foreign) =>
  (require('./recall/index.js') as typeof import('./recall/index.js')).recall(history, messages, query, options);
export const recallTool: typeof api.recallTool = (session: Foreign) =>
  (require('./session/index.js') as typeof import('./session/index.js')).recallTool(session);
export const createSession: typeof api.createSession = (options: Foreign, saved: Foreign): Foreign =>
  (require('./session/index.js') as typeof import('./session/index.js')).createSession(options, saved);
export const countTokens: typeof api.countTokens = (input: Foreign, options: Foreign) =>
  (require('./tokens/index.js') as typeof import('./tokens/index.js')).countTokens(input, options);
export const fit: typeof api.fit = (messages: Foreign, options: Foreign) =>
  (require('./fit/index.js') as typeof import('./fit/index.js')).fit(messages, options);
export const fitRequest: typeof api.fitRequest = (request: Foreign, options: Foreign) =>
  (require('./fit/request.js') as typeof import('./fit/request.js')).fitRequest(request, options);
export const fitAsync: typeof api.fitAsync = (messages: Foreign, options: Foreign) =>
  (require('./fit/index.js') as typeof import('./fit/index.js')).fitAsync(messages, options);
export const fitRequestAsync: typeof api.fitRequestAsync = (request: Foreign, options: Foreign) =>
  (require('./fit/request.js') as typeof import('./fit/request.js')).fitRequestAsync(request, options);
export const prune: typeof api.prune = (messages: Foreign, ...more: Foreign[]) =>
  (require('./agent/prune.js') as typeof import('./agent/prune.js')).prune(messages, ...more);
export const saveOriginals: typeof api.saveOriginals = (store: Foreign, id: Foreign, originals: Foreign, options: Foreign) =>
  (require('./store/originals.js') as typeof import('./store/originals.js')).saveOriginals(store, id, originals, options);
export const loadOriginals: typeof api.loadOriginals = (store: Foreign, id: Foreign, key: Foreign) =>
  (require('./store/originals.js') as typeof import('./store/originals.js')).loadOriginals(store, id, key);
export const redactSecrets: typeof api.redactSecrets = (text: Foreign) =>
  (require('./redact.js') as typeof import('./redact.js')).redactSecrets(text);
export const mergeOriginals: typeof api.mergeOriginals = (...originals: Foreign[]) =>
  (require('./agent/merge.js') as typeof import('./agent/merge.js')).mergeOriginals(...originals);
export const restore: typeof api.restore = (messages: Foreign, originals: Foreign): Foreign =>
  (require('./agent/restore.js') as typeof import('./agent/restore.js')).restore(messages, originals);
export const validate: typeof api.validate = (messages: Foreign, options: Foreign) =>
  (require('./validate/index.js') as typeof import('./validate/index.js')).validate(messages, options);
export const warmUp: typeof api.warmUp = (options: Foreign) => (require('./warm-up.js') as typeof import('./warm-up.js')).warmUp(options);

export { marksNote } from './marks-note.js';
