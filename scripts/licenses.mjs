// Writes THIRD-PARTY-LICENSES: the licence texts of all crates that are compiled into the addon. MIT, ISC and Apache-2.0
// require them to accompany a binary. `--check` only tests whether the file is current.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeOrCheck } from './committed.mjs';
import { compiledIn, OTHERS } from './crates.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const MIT_TERMS = readFileSync(join(root, 'LICENSE-MIT'), 'utf8').split('\n').slice(4).join('\n');

/** Returns the licence text in the crate, MIT before Apache-2.0, and the Unicode licence if there is one for its data. */
function licenceText(crate) {
  const read = (name) => join(dirname(crate.manifest_path), name);
  const chosen = ['LICENSE-MIT', 'LICENSE', 'LICENSE.md', 'LICENSE.txt', 'LICENSE-APACHE'].map(read).find(existsSync);
  const texts = [chosen, read('LICENSE-UNICODE')].filter((file) => file && existsSync(file));
  if (texts.length > 0) return texts.map((file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim()).join('\n\n');
  if (!/\bMIT\b/.test(crate.license)) throw new Error(`${crate.name} brings no licence text and is not under MIT`);
  return `Copyright (c) ${crate.authors.join(', ') || `the ${crate.name} contributors`}\n\n${MIT_TERMS.trim()}`;
}

const crates = compiledIn().map((crate) => ({ title: `${crate.name} ${crate.version} (${crate.license})`, text: licenceText(crate) }));
for (const { name, license, holder } of OTHERS)
  crates.push({ title: `${name} (${license})`, text: `Copyright (c) ${holder}\n\n${MIT_TERMS.trim()}` });

const sameText = new Map();
for (const { title, text } of crates) sameText.set(text, [...(sameText.get(text) ?? []), title]);
const sections = [...sameText].map(([text, titles]) => `${titles.join('\n')}\n\n${text}\n`);
const rule = `\n${'-'.repeat(80)}\n\n`;
const content = ['The native engine of palimpsest contains these works, each under its own licence.\n', ...sections].join(rule);

writeOrCheck('THIRD-PARTY-LICENSES', content, 'licenses.mjs');
