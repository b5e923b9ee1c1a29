// The names that index.js exports, as its text lists them: to load it would need the engine.
import { readFileSync } from 'node:fs';

/** The names that the text of a CommonJS module lists as its exports. */
export const namesIn = (text) =>
  text
    .match(/^module\.exports = \{([^}]*)\};$/m)[1]
    .match(/\w+/g)
    .sort();

export const exportedNames = namesIn(readFileSync(new URL('../index.js', import.meta.url), 'utf8'));
