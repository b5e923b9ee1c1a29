import { checkArray } from '../checks.js';
import { toolSchemas } from '../tokens/schemas.js';
import { systemPrompts } from '../tokens/system.js';
import { firstOf } from '../providers/request.js';
import type { Foreign } from '../types.js';

/**
 * Returns the system prompt beside the messages of a request, checked.
 *
 * @param nameOf returns the name of a path in errors
 * @returns undefined if there is none
 * @throws {TypeError} it has no shape of a system prompt
 */
export function systemIn(request: Foreign, { system }: { system: string[] }, nameOf: (path: string) => string): Foreign {
  const found = firstOf(request, system);
  if (found === undefined) return undefined;
  systemPrompts(found.value, nameOf(found.path));
  return found.value;
}

/**
 * Returns all tools of a request, checked.
 *
 * @param nameOf returns the name of a path in errors
 * @throws {TypeError} they are no array of tools
 */
export function toolsIn(request: Foreign, { tools }: { tools: string[] }, nameOf: (path: string) => string): Foreign[] {
  return tools.flatMap((path) => {
    const found = firstOf(request, [path]);
    if (found === undefined) return [];
    checkArray(nameOf(path), found.value);
    toolSchemas(found.value, nameOf(path));
    return found.value;
  });
}
