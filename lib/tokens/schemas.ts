import { readSchemas } from './read-schemas.js';

/**
 * {@link readSchemas}, none where no tools are given.
 *
 * @param at what errors call them
 */
export const toolSchemas = (tools: unknown, at: string) => (tools === undefined || tools === null ? [] : readSchemas(tools, at));
