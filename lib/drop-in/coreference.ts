import { checkArray, checkMessageList, checkString, checkStrings, mismatch } from '../checks.js';
import native from '../native.js';
import type { EntityDefinition } from '../../drop-in.js';
import type { Message } from '../messages.js';

/** See `index.d.ts`. */
export function buildCoreferenceMap(messages: readonly Message[]) {
  checkMessageList('buildCoreferenceMap(): messages', messages);
  const texts = messages.map(({ content }, index) => {
    if (content && typeof content !== 'string') {
      throw mismatch(`buildCoreferenceMap(): messages[${index}].content`, 'a string', content);
    }
    return (content as string) || '';
  });
  return native.buildCoreferenceMap(texts);
}

/** See `index.d.ts`. */
export function findOrphanedReferences(
  definitions: EntityDefinition[],
  compressedIndices: ReadonlySet<number>,
  preservedIndices: ReadonlySet<number>,
) {
  checkArray('findOrphanedReferences(): definitions', definitions);
  checkSet('findOrphanedReferences(): compressedIndices', compressedIndices);
  checkSet('findOrphanedReferences(): preservedIndices', preservedIndices);
  const wrong = definitions.findIndex((definition) => !isDefinition(definition));
  if (wrong >= 0) {
    throw new TypeError(`findOrphanedReferences(): definitions[${wrong}] must be an entity of buildCoreferenceMap`);
  }
  const orphans = new Map<number, string[]>();
  for (const { entity, definingMessageIndex, referencingMessageIndices } of definitions) {
    if (!compressedIndices.has(definingMessageIndex)) continue;
    if (!referencingMessageIndices.some((index) => preservedIndices.has(index))) continue;
    const known = orphans.get(definingMessageIndex);
    if (known) known.push(entity);
    else orphans.set(definingMessageIndex, [entity]);
  }
  return orphans;
}

const isDefinition = (value: Partial<EntityDefinition> | null | undefined) =>
  typeof value?.entity === 'string' && typeof value.definingMessageIndex === 'number' && Array.isArray(value.referencingMessageIndices);

function checkSet(name: string, value: unknown) {
  if (!(value instanceof Set)) throw mismatch(name, 'a Set', value);
}

/** See `index.d.ts`. */
export function generateInlineDefinitions(entities: string[], source: string) {
  checkStrings('generateInlineDefinitions(): entities', entities);
  checkString('generateInlineDefinitions(): source', source);
  return native.generateInlineDefinitions(entities, source);
}
