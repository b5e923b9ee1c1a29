// The extension is one by pi's own declarations. Nothing runs.
import type { ExtensionFactory } from '@earendil-works/pi-coding-agent';
import extension, { palimpsest } from '@palimpsest/pi';

export const factories: ExtensionFactory[] = [extension, palimpsest({ limit: 100_000, recall: 'auto' })];
