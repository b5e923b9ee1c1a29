import { checkArray } from '../checks.js';
import { toolSchemas } from '../tokens/schemas.js';
import { systemPrompts } from '../tokens/system.js';
import { firstOf } from '../providers/request.js';
import type { SystemPrompt } from '../../index.js';

/**
 * Returns the system prompt beside the messages of a request, checked.
 *
 * @param nameOf returns the name of a path in errors
 * @returns undefined if there is none
 * @throws {TypeError} it has no shape of a system prompt
 */
export function systemIn(request: object, { system }: { system: string[] }, nameOf: (path: string) => string): SystemPrompt | undefined {
  const found = firstOf(request, system);
  if (found === undefined) return undefined;
  systemPrompts(found.value, nameOf(found.path));
  return found.value as SystemPrompt;
}

/**
 * Returns all tools of a request, checked.
 *
 * @param nameOf returns the name of a path in errors
 * @throws {TypeError} they are no array of tools
 */
export function toolsIn(request: object, { tools }: { tools: string[] }, nameOf: (path: string) => string): unknown[] {
  return tools.flatMap((path) => {
    const found = firstOf(request, [path]);
    if (found === undefined) return [];
    checkArray(nameOf(path), found.value);
    toolSchemas(found.value, nameOf(path));
    return found.value as SystemPrompt;
  });
}
