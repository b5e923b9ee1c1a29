// @ts-check
'use strict';

const ARGUMENTS = ['path', 'text', 'command', 'cwd', 'offset', 'limit', 'start', 'end'];

/**
 * The tools of a map as the engine takes them: an empty name stands for no argument.
 *
 * @param {Record<string, any> | null | undefined} map
 * @returns {any[]}
 */
const engineTools = (map) =>
  Object.entries(map ?? {}).map(([name, tool]) => ({
    name,
    kind: tool.kind,
    ...Object.fromEntries(ARGUMENTS.map((argument) => [argument, tool[argument] ?? ''])),
  }));

module.exports = { ARGUMENTS, engineTools };
