// Writes index.mjs and index.bundler.mjs: ES modules with the exports of index.js as named exports.
//   node scripts/entries.mjs [--check]
// `--check` writes nothing, and fails if a file is not current.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportedNames } from './exports.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const read = (file) => readFileSync(join(root, file), 'utf8');

const exported = `export const {\n${exportedNames.map((name) => `  ${name},\n`).join('')}} =`;

const entries = {
  'index.mjs': `// Written by scripts/entries.mjs.
// The functions of \`require('palimpsest')\` as named exports. An \`import\` of a CommonJS file would start Node's lexer, which takes
// several times as long as loading the package (before Node 24).
import { createRequire } from 'node:module';

${exported} createRequire(import.meta.url)('./index.js');
`,
  'index.bundler.mjs': `// Written by scripts/entries.mjs.
// The exports of index.mjs for bundlers: all of them follow an \`import\`, but not all a \`createRequire\`.
import palimpsest from './index.js';

${exported} palimpsest;
`,
};

for (const [file, text] of Object.entries(entries)) {
  if (!process.argv.includes('--check')) writeFileSync(join(root, file), text);
  else if (read(file) !== text) throw new Error(`${file} is not current: run node scripts/entries.mjs`);
}
