'use strict';

const { checkMessageList, checkText } = require('./analysis.js');
const { describe } = require('./arguments.js');
const native = require('./native.js');

/** See `index.d.ts`. */
function buildCoreferenceMap(messages) {
  checkMessageList(messages, 'buildCoreferenceMap');
  const texts = messages.map(({ content }, index) => {
    if (content && typeof content !== 'string') {
      throw new TypeError(
        `buildCoreferenceMap(): messages[${index}].content must be a string, got ${describe(content)}`,
      );
    }
    return content || '';
  });
  return native.buildCoreferenceMap(texts);
}

/** See `index.d.ts`. */
function findOrphanedReferences(definitions, compressedIndices, preservedIndices) {
  if (!Array.isArray(definitions)) {
    throw new TypeError(`findOrphanedReferences(): definitions must be an array, got ${describe(definitions)}`);
  }
  checkSet(compressedIndices, 'compressedIndices');
  checkSet(preservedIndices, 'preservedIndices');
  const wrong = definitions.findIndex((definition) => !Array.isArray(definition?.referencingMessageIndices));
  if (wrong >= 0) {
    throw new TypeError(`findOrphanedReferences(): definitions[${wrong}] must be an entity of buildCoreferenceMap`);
  }
  const orphans = new Map();
  for (const { entity, definingMessageIndex, referencingMessageIndices } of definitions) {
    if (!compressedIndices.has(definingMessageIndex)) continue;
    if (!referencingMessageIndices.some((index) => preservedIndices.has(index))) continue;
    const known = orphans.get(definingMessageIndex);
    if (known) known.push(entity);
    else orphans.set(definingMessageIndex, [entity]);
  }
  return orphans;
}

function checkSet(value, name) {
  if (value instanceof Set) return;
  throw new TypeError(`findOrphanedReferences(): ${name} must be a Set, got ${describe(value)}`);
}

/** See `index.d.ts`. */
function generateInlineDefinitions(entities, source) {
  if (!Array.isArray(entities) || entities.some((entity) => typeof entity !== 'string')) {
    throw new TypeError('generateInlineDefinitions(): entities must be an array of strings');
  }
  checkText(source, 'generateInlineDefinitions', 'source');
  return native.generateInlineDefinitions(entities, source);
}

module.exports = { buildCoreferenceMap, findOrphanedReferences, generateInlineDefinitions };
