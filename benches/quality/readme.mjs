// The parts of the README that `npm run quality -- --write` writes: `<!-- quality:NAME -->` … `<!-- /quality:NAME -->`.
import { readFileSync, writeFileSync } from 'node:fs';

const README = new URL('../../README.md', import.meta.url);

/** Finds the text between the marks; throws if they are missing. */
function place(readme, name) {
  const [opening, closing] = [`<!-- quality:${name} -->\n`, `\n<!-- /quality:${name} -->`];
  const start = readme.indexOf(opening) + opening.length;
  const end = readme.indexOf(closing, start);
  if (start < opening.length || end < 0) throw new Error(`README.md has no ${opening.trim()} … ${closing.trim()}`);
  return { start, end };
}

export function readSection(name) {
  const readme = readFileSync(README, 'utf8');
  const { start, end } = place(readme, name);
  return readme.slice(start, end).trim();
}

export function writeSection(name, text) {
  const readme = readFileSync(README, 'utf8');
  const { start, end } = place(readme, name);
  writeFileSync(README, `${readme.slice(0, start)}\n${text}\n${readme.slice(end)}`);
}
