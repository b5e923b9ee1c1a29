// The parts of README.md, docs/ and research/ that `npm run quality -- --write` writes, and of benches/board/ that `npm run board -- --write` does:
// `<!-- quality:NAME -->` … `<!-- /quality:NAME -->`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const pagesIn = (folder) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => folder + name);
const pages = () => ['README.md', ...pagesIn('docs/'), ...pagesIn('research/'), ...pagesIn('benches/board/')];

/** Finds the page with the part, and where it begins and ends in it; throws if no page has it. */
function place(name) {
  const [opening, closing] = [`<!-- quality:${name} -->\n`, `\n<!-- /quality:${name} -->`];
  for (const page of pages()) {
    const path = new URL(page, root);
    const text = readFileSync(path, 'utf8');
    const start = text.indexOf(opening) + opening.length;
    const end = text.indexOf(closing, start);
    if (start >= opening.length && end >= 0) return { path, text, start, end };
  }
  throw new Error(`No page has ${opening.trim()} … ${closing.trim()}`);
}

export function readSection(name) {
  const { text, start, end } = place(name);
  return text.slice(start, end).trim();
}

export function writeSection(name, section) {
  const { path, text, start, end } = place(name);
  writeFileSync(path, `${text.slice(0, start)}\n${section}\n${text.slice(end)}`);
}
