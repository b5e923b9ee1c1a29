// Writes index.mjs and index.bundler.mjs: ES modules that export what index.js exports, by the names that stand there.
//   node scripts/entries.mjs [--check]
// With `--check` nothing is written, and it fails where a file is not current.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportedNames } from './exports.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const read = (file) => readFileSync(join(root, file), 'utf8');

const exported = `export const {\n${exportedNames.map((name) => `  ${name},\n`).join('')}} =`;

const entries = {
  'index.mjs': `// Written by scripts/entries.mjs.
// The same functions as \`require('palimpsest')\`, under names that ES modules can import. An \`import\` of a CommonJS file
// would start Node's lexer, which takes several times as long as to load the package (in Node before 24).
import { createRequire } from 'node:module';

${exported} createRequire(import.meta.url)('./index.js');
`,
  'index.bundler.mjs': `// Written by scripts/entries.mjs.
// What index.mjs gives, for bundlers: they follow an \`import\`, but not every one of them a \`createRequire\`.
import palimpsest from './index.js';

${exported} palimpsest;
`,
};

for (const [file, text] of Object.entries(entries)) {
  if (!process.argv.includes('--check')) writeFileSync(join(root, file), text);
  else if (read(file) !== text) throw new Error(`${file} is not current: run node scripts/entries.mjs`);
}
