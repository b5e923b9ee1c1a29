import { readPrompts } from './read-prompts.js';

/**
 * {@link readPrompts}, none where nothing is given.
 *
 * @param name what errors call it
 */
export const systemPrompts = (system: unknown, name: string) => (system === undefined || system === null ? [] : readPrompts(system, name));
