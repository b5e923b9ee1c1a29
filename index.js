'use strict';

// The engine is loaded with the package, so that the import tells when it can't be.
require('./lib/native.js');

// All else is read when it is first called: that takes longer than to load the engine, and no program calls everything.
// Each has its own line, by which an `import` of this file knows the names.
const analysis = () => require('./lib/analysis.js');
const llm = () => require('./lib/llm/index.js');

exports.compress = (messages, ...more) => require('./lib/compress.js').compress(messages, ...more);
exports.uncompress = (messages, store, options) => require('./lib/uncompress.js').uncompress(messages, store, options);
exports.classifyMessage = (text) => require('./lib/classify.js').classifyMessage(text);

exports.analyzeDuplicates = (messages, ...more) => analysis().analyzeDuplicates(messages, ...more);
exports.analyzeFuzzyDuplicates = (messages, ...more) => analysis().analyzeFuzzyDuplicates(messages, ...more);
exports.bestSentenceScore = (text) => analysis().bestSentenceScore(text);
exports.collectMessageEntities = (messages) => analysis().collectMessageEntities(messages);
exports.computeEntityRetention = (original, compressed) => analysis().computeEntityRetention(original, compressed);
exports.computeQualityScore = (original, compressed) => analysis().computeQualityScore(original, compressed);
exports.computeReferenceCoherence = (original, compressed) => analysis().computeReferenceCoherence(original, compressed);
exports.computeStructuralIntegrity = (original, compressed) => analysis().computeStructuralIntegrity(original, compressed);
exports.defaultTokenCounter = (message) => analysis().defaultTokenCounter(message);
exports.extractEntities = (text, cap) => analysis().extractEntities(text, cap);

exports.createSummarizer = (callLlm, options) => llm().createSummarizer(callLlm, options);
exports.createEscalatingSummarizer = (callLlm, options) => llm().createEscalatingSummarizer(callLlm, options);
exports.createClassifier = (callLlm, options) => llm().createClassifier(callLlm, options);
exports.createEscalatingClassifier = (callLlm, options) => llm().createEscalatingClassifier(callLlm, options);

exports.countTokens = (input, options) => require('./lib/tokens/index.js').countTokens(input, options);
exports.fit = (messages, options) => require('./lib/fit/index.js').fit(messages, options);
exports.prune = (messages, ...more) => require('./lib/agent/prune.js').prune(messages, ...more);
exports.restore = (messages, originals) => require('./lib/agent/restore.js').restore(messages, originals);
exports.validate = (messages, options) => require('./lib/validate/index.js').validate(messages, options);
