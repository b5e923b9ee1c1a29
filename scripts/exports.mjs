// The names that index.js exports, as its text lists them: to load it would need the engine.
import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../index.js', import.meta.url), 'utf8');
const [, list] = text.match(/^module\.exports = \{\n([^}]*)\};$/m);

export const exportedNames = list.match(/\w+/g).sort();
