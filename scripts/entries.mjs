// Writes index.mjs and index.bundler.mjs: ES modules with the exports of index.js as named exports; and, from the lists in
// lib/integrations/peers.js and lib/store/subpaths.js, the same entries of the subpaths and what package.json says about them.
//   node scripts/entries.mjs [--check]
// `--check` writes nothing, and fails if a file is not current.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportedNames, namesIn } from './exports.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const read = (file) => readFileSync(join(root, file), 'utf8');
const require = createRequire(import.meta.url);
const { PEERS } = require('../lib/integrations/peers.js');
const { STORES } = require('../lib/store/subpaths.js');

const destructured = (names) => `export const {\n${names.map((name) => `  ${name},\n`).join('')}} =`;

const entries = {
  'index.mjs': `// Written by scripts/entries.mjs.
// The functions of \`require('palimpsest')\` as named exports. An \`import\` of a CommonJS file would start Node's lexer, which takes
// several times as long as loading the package (before Node 24). In an ES module only Bun has a \`require\`, and its bundler follows no other;
// tools that trace files follow one of \`createRequire\` that has a name.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
${destructured(exportedNames)} typeof require === 'function' ? require('./index.js') : load('./index.js');
`,
  'index.bundler.mjs': `// Written by scripts/entries.mjs.
// The exports of index.mjs for bundlers: all of them follow an \`import\`, but not all a \`createRequire\`.
import palimpsest from './index.js';

${destructured(exportedNames)} palimpsest;
`,
};

/** The subpaths: the path in an `import`, the folder of the entry and in lib/, its name, what it is, and the SDKs that it needs. */
const subpaths = [
  ...Object.entries(PEERS).map(([name, peers]) => ({ path: name, folder: 'integrations', name, kind: 'integration', peers })),
  ...STORES.map((name) => ({ path: `store/${name}`, folder: 'store', name, kind: 'store', peers: {} })),
];

for (const { folder, name, kind, peers } of subpaths) {
  const names = namesIn(read(`lib/${folder}/${name}.js`));
  entries[`${folder}/${name}.js`] = `// Written by scripts/entries.mjs.
'use strict';

${Object.keys(peers).length > 0 ? `require('../lib/integrations/peer.js').checkPeers('${name}');\n` : ''}module.exports = require('../lib/${folder}/${name}.js');
`;
  entries[`${folder}/${name}.mjs`] = `// Written by scripts/entries.mjs.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const ${kind} = typeof require === 'function' ? require('./${name}.js') : load('./${name}.js');

export const { ${names.join(', ')} } = ${kind};
`;
  entries[`${folder}/${name}.bundler.mjs`] = `// Written by scripts/entries.mjs.
import ${kind} from './${name}.js';

export const { ${names.join(', ')} } = ${kind};
`;
  // A copy: an SDK for both module systems has declarations for each, whose classes don't fit each other. An ES module imports as one anyway.
  const types = read(`${folder}/${name}.d.ts`).replaceAll(" with { 'resolution-mode': 'import' }", '');
  entries[`${folder}/${name}.d.mts`] = `// Written by scripts/entries.mjs: ${name}.d.ts for ES modules.\n${types}`;
}
entries['package.json'] = manifest();

/**
 * package.json with the subpaths and the peer dependencies of the list; all else as it is. Any version of an SDK is accepted, because npm
 * refuses to install the package beside another one, even where no subpath is used. The entries check the versions.
 */
function manifest() {
  const listedPaths = subpaths.map(
    ({ path, folder, name }) => `    "./${path}": {
      "import": { "types": "./${folder}/${name}.d.mts", "module": "./${folder}/${name}.bundler.mjs", "default": "./${folder}/${name}.mjs" },
      "require": { "types": "./${folder}/${name}.d.ts", "default": "./${folder}/${name}.js" }
    },\n`,
  );
  listedPaths.unshift('    "./edge": { "import": { "types": "./edge.d.mts", "default": "./edge.mjs" } },\n');
  const peers = Object.values(PEERS).flatMap(Object.keys).sort();
  const lines = (write) => peers.map((name) => `    ${write(name)}`).join(',\n');
  const listed = `  "peerDependencies": {\n${lines((name) => `"${name}": "*"`)}\n  },\n  "peerDependenciesMeta": {\n${lines((name) => `"${name}": { "optional": true }`)}\n  },\n`;
  return read('package.json')
    .replace(/(?<="exports": \{\n {4}"\.": \{\n(?: {6}.*\n)+ {4}\},\n)[\s\S]*?(?= {4}"\.\/package\.json")/, listedPaths.join(''))
    .replace(/ {2}"peerDependencies": [\s\S]*?(?= {2}"devDependencies")|(?= {2}"devDependencies")/, peers.length > 0 ? listed : '');
}

for (const [file, text] of Object.entries(entries)) {
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  } else if (!existsSync(join(root, file)) || read(file) !== text) throw new Error(`${file} is not current: run node scripts/entries.mjs`);
}
