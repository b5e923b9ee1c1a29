// Calls of which the caller says that their results show files: `shorten: { files }`.

import { engineTools } from '../agent/tools.js';
import native from '../native.js';
import { globally, pruningOf } from './opened.js';
import type { FitSettings } from '../../index.js';
import type { Part } from '../types.js';

/** What stands between the commands of a line. */
const BETWEEN = /&&|\|\||[;|&\n]/;

/**
 * The calls whose results show files. A string names a tool as `toolMap` does. A RegExp is tested against the tool's name and, where the tool runs
 * commands, against the command line and each command in it.
 */
export function callsOfFiles(calls: readonly Part[], { shorten, prune }: Pick<FitSettings, 'shorten' | 'prune'>): Set<Part> {
  const files = typeof shorten === 'object' ? (shorten?.files ?? []) : [];
  const named = calls.filter(({ name }) => name !== undefined) as (Part & { name: string })[];
  if (files.length === 0 || named.length === 0) return new Set();
  const names = named.map(({ name }) => name);
  const tools = files.filter((file) => typeof file === 'string').map((name) => ({ name, kind: 'other' as const }));
  const { own } = native.nameTools(names, engineTools(Object.fromEntries(tools.map((tool) => [tool.name, tool]))));
  const patterns = files.filter((file) => typeof file !== 'string').map(globally);
  const commands =
    patterns.length === 0
      ? []
      : native.commandLines(
          names,
          named.map(({ text }) => text),
          engineTools(pruningOf({ prune })?.toolMap),
        );
  const isMeant = (index: number) => {
    const line = commands[index];
    const texts = [names[index], ...(line == null ? [] : [line, ...line.split(BETWEEN).map((command) => command.trim())])];
    return patterns.some((pattern) => texts.some((text) => text.search(pattern) >= 0));
  };
  return new Set(named.filter((_, index) => own[index] >= 0 || isMeant(index)));
}
