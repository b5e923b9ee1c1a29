import { checkArray, checkMessageList, checkString, checkStrings, mismatch } from '../checks.js';
import native from '../native.js';
import type { Foreign } from '../types.js';

/** See `index.d.ts`. */
export function buildCoreferenceMap(messages: readonly Foreign[]) {
  checkMessageList('buildCoreferenceMap(): messages', messages);
  const texts = messages.map(({ content }, index: number) => {
    if (content && typeof content !== 'string') {
      throw mismatch(`buildCoreferenceMap(): messages[${index}].content`, 'a string', content);
    }
    return content || '';
  });
  return native.buildCoreferenceMap(texts);
}

/** See `index.d.ts`. */
export function findOrphanedReferences(
  definitions: readonly Foreign[],
  compressedIndices: ReadonlySet<number>,
  preservedIndices: ReadonlySet<number>,
) {
  checkArray('findOrphanedReferences(): definitions', definitions);
  checkSet('findOrphanedReferences(): compressedIndices', compressedIndices);
  checkSet('findOrphanedReferences(): preservedIndices', preservedIndices);
  const wrong = definitions.findIndex((definition: Foreign) => !isDefinition(definition));
  if (wrong >= 0) {
    throw new TypeError(`findOrphanedReferences(): definitions[${wrong}] must be an entity of buildCoreferenceMap`);
  }
  const orphans = new Map();
  for (const { entity, definingMessageIndex, referencingMessageIndices } of definitions) {
    if (!compressedIndices.has(definingMessageIndex)) continue;
    if (!referencingMessageIndices.some((index: number) => preservedIndices.has(index))) continue;
    const known = orphans.get(definingMessageIndex);
    if (known) known.push(entity);
    else orphans.set(definingMessageIndex, [entity]);
  }
  return orphans;
}

const isDefinition = (value: Foreign) =>
  typeof value?.entity === 'string' && typeof value.definingMessageIndex === 'number' && Array.isArray(value.referencingMessageIndices);

function checkSet(name: string, value: Foreign) {
  if (!(value instanceof Set)) throw mismatch(name, 'a Set', value);
}

/** See `index.d.ts`. */
export function generateInlineDefinitions(entities: string[], source: Foreign) {
  checkStrings('generateInlineDefinitions(): entities', entities);
  checkString('generateInlineDefinitions(): source', source);
  return native.generateInlineDefinitions(entities, source);
}
