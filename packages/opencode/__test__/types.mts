// The plugin is one by opencode's own declarations. Nothing runs.
import type { Plugin } from '@opencode-ai/plugin';
import palimpsest from '@palimpsest/opencode';

export const plugin: Plugin = palimpsest;
