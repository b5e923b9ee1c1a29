export const ARGUMENTS = ['path', 'text', 'command', 'cwd', 'offset', 'limit', 'start', 'end'];

/** The tools of a map as the engine takes them: an empty name stands for no argument. */
export const engineTools = (map: Record<string, any> | null | undefined): any[] =>
  Object.entries(map ?? {}).map(([name, tool]) => ({
    name,
    kind: tool.kind,
    ...Object.fromEntries(ARGUMENTS.map((argument) => [argument, tool[argument] ?? ''])),
  }));
