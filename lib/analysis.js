'use strict';

const native = require('./native.js');
const { textOf } = require('./messages.js');
const { describe } = require('./arguments.js');

/** UTF-16 code units per token, as the package that this one replaces estimates them. */
const UNITS_PER_TOKEN = 3.5;
/** Entities per message that the metrics look at. */
const ENTITY_LIMIT = 500;

function checkText(text, caller, name = 'text') {
  if (typeof text !== 'string') throw new TypeError(`${caller}(): ${name} must be a string, got ${describe(text)}`);
}

function checkMessageList(messages, caller, name = 'messages') {
  if (!Array.isArray(messages)) throw new TypeError(`${caller}(): ${name} must be an array, got ${describe(messages)}`);
  const index = messages.findIndex((message) => message === null || typeof message !== 'object');
  if (index >= 0) throw new TypeError(`${caller}(): ${name}[${index}] must be an object, got ${describe(messages[index])}`);
}

function defaultTokenCounter(message) {
  return Math.ceil(textOf(message).length / UNITS_PER_TOKEN);
}

function bestSentenceScore(text) {
  checkText(text, 'bestSentenceScore');
  return native.bestSentenceScore(text);
}

function extractEntities(text, cap) {
  checkText(text, 'extractEntities');
  const limit = cap ?? Math.min(Math.max(Math.round(text.length / 200), 3), 15);
  return native.listEntities([text], 0xffffffff).slice(0, limit);
}

function collectMessageEntities(messages) {
  checkMessageList(messages, 'collectMessageEntities');
  return new Set(native.listEntities(messages.map(textOf), ENTITY_LIMIT));
}

function quality(input, output, caller) {
  checkMessageList(input, caller, 'original');
  checkMessageList(output, caller, 'compressed');
  const ids = new Set(output.map(({ id }) => id));
  const hasId = input.map(({ id }) => ids.has(id));
  return native.computeQuality(input.map(textOf), hasId, output.map(textOf));
}

function computeEntityRetention(original, compressed) {
  return quality(original, compressed, 'computeEntityRetention')[0];
}

function computeStructuralIntegrity(original, compressed) {
  return quality(original, compressed, 'computeStructuralIntegrity')[1];
}

function computeReferenceCoherence(original, compressed) {
  return quality(original, compressed, 'computeReferenceCoherence')[2];
}

function computeQualityScore(original, compressed) {
  const [entity_retention, structural_integrity, reference_coherence, quality_score] = quality(
    original,
    compressed,
    'computeQualityScore',
  );
  return { entity_retention, structural_integrity, reference_coherence, quality_score };
}

function computeFactRetention(original, compressed) {
  checkMessageList(original, 'computeFactRetention', 'original');
  checkMessageList(compressed, 'computeFactRetention', 'compressed');
  return native.factRetention(original.map(textOf), compressed.map(textOf));
}

/** Whether a message may be a duplicate, as far as that does not lie in its text. */
function isEligible(message, preserveRoles) {
  const { role, tool_calls: calls } = message;
  return !(role && preserveRoles.has(role)) && !(Array.isArray(calls) && calls.length > 0);
}

function findDuplicates(messages, recencyStart, preserveRoles, isExcluded, fuzzyThreshold) {
  const eligible = messages.map((message, index) => isEligible(message, preserveRoles) && !isExcluded(index));
  const found = native.findDuplicates(messages.map(textOf), eligible, recencyStart, fuzzyThreshold);
  return new Map(
    found.map(({ index, of, length, similarity }) => {
      const duplicate = { duplicateOfIndex: of, contentLength: length };
      return [index, similarity === undefined ? duplicate : { ...duplicate, similarity }];
    }),
  );
}

function analyzeDuplicates(messages, recencyStart = 0, preserveRoles = ['system']) {
  checkMessageList(messages, 'analyzeDuplicates');
  return findDuplicates(messages, recencyStart, new Set(preserveRoles), () => false, undefined);
}

function analyzeFuzzyDuplicates(
  messages,
  recencyStart = 0,
  preserveRoles = ['system'],
  exactDuplicates = new Map(),
  threshold = 0.85,
) {
  checkMessageList(messages, 'analyzeFuzzyDuplicates');
  const isExact = (index) => exactDuplicates.has(index);
  return findDuplicates(messages, recencyStart, new Set(preserveRoles), isExact, threshold);
}

module.exports = {
  analyzeDuplicates,
  analyzeFuzzyDuplicates,
  bestSentenceScore,
  checkMessageList,
  checkText,
  collectMessageEntities,
  computeEntityRetention,
  computeFactRetention,
  computeQualityScore,
  computeReferenceCoherence,
  computeStructuralIntegrity,
  defaultTokenCounter,
  extractEntities,
};
