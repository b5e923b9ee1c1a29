import type { ToolDescription, ToolMap } from '../../index.js';

export const ARGUMENTS = ['path', 'text', 'command', 'cwd', 'offset', 'limit', 'start', 'end'] as const;

/** The tools of a map as the engine takes them: an empty name stands for no argument. */
export const engineTools = (map: ToolMap | null | undefined) =>
  Object.entries(map ?? {}).map(([name, tool]: [string, ToolDescription]) => ({
    name,
    kind: tool.kind,
    ...(Object.fromEntries(ARGUMENTS.map((argument) => [argument, tool[argument] ?? ''])) as Record<(typeof ARGUMENTS)[number], string>),
  }));
