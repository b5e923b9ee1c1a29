// Loads the engine, so that the import fails if it cannot be loaded.
import './native.js';
import { later } from './later.js';
import type * as api from '../index.js';

// Everything else is loaded at its first call: loading it takes longer than loading the engine, and no program calls everything.
const llm = () => require('./drop-in/llm/index.js');

export const compress = later<typeof api.compress>('compress', 1, () => require('./drop-in/compress/index.js'));
export const uncompress = later<typeof api.uncompress>('uncompress', 3, () => require('./drop-in/uncompress.js'));

export const createSummarizer = later<typeof api.createSummarizer>('createSummarizer', 2, llm);
export const createClassifier = later<typeof api.createClassifier>('createClassifier', 2, llm);

export const recall = later<typeof api.recall>('recall', 4, () => require('./recall/index.js'));
export const recallTool = later<typeof api.recallTool>('recallTool', 1, () => require('./session/index.js'));
export const pinTool = later<typeof api.pinTool>('pinTool', 1, () => require('./session/index.js'));
export const createSession = later<typeof api.createSession>('createSession', 2, () => require('./session/index.js'));
export const createShadow = later<typeof api.createShadow>('createShadow', 2, () => require('./shadow/index.js'));
export const countTokens = later<typeof api.countTokens>('countTokens', 2, () => require('./tokens/index.js'));
export const fit = later<typeof api.fit>('fit', 2, () => require('./fit/index.js'));
export const fitRequest = later<typeof api.fitRequest>('fitRequest', 2, () => require('./fit/request.js'));
export const fitAsync = later<typeof api.fitAsync>('fitAsync', 2, () => require('./fit/index.js'));
export const fitRequestAsync = later<typeof api.fitRequestAsync>('fitRequestAsync', 2, () => require('./fit/request.js'));
export const defineFormat = later<typeof api.defineFormat>('defineFormat', 1, () => require('./options/custom-format.js'));
export const prune = later<typeof api.prune>('prune', 1, () => require('./agent/prune.js'));
export const saveOriginals = later<typeof api.saveOriginals>('saveOriginals', 4, () => require('./store/originals.js'));
export const loadOriginals = later<typeof api.loadOriginals>('loadOriginals', 3, () => require('./store/originals.js'));
export const redactSecrets = later<typeof api.redactSecrets>('redactSecrets', 1, () => require('./redact.js'));
export const mergeOriginals = later<typeof api.mergeOriginals>('mergeOriginals', 0, () => require('./agent/merge.js'));
export const restore = later<typeof api.restore>('restore', 2, () => require('./agent/restore.js'));
export const validate = later<typeof api.validate>('validate', 2, () => require('./validate/index.js'));
export const warmUp = later<typeof api.warmUp>('warmUp', 1, () => require('./warm-up.js'));

export { marksNote } from './marks-note.js';
