const QUOTED = /"([^"]+)"/g;

/**
 * Reads a query: strings in double quotes have to stand in each passage.
 *
 * @returns `text` without what is quoted
 */
export function readQuery(query: string): { text: string; exact: string[] } {
  const exact = [...new Set(Array.from(query.matchAll(QUOTED), ([, quoted]) => quoted))];
  return { text: query.replace(QUOTED, ' '), exact };
}
