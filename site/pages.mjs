// Copies the Markdown of the repository to site/pages/, where VitePress finds it. The site has no text of its own.
//   node site/pages.mjs
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTheWeb, repositoryAddress, withLinks } from '../scripts/markdown.mjs';

const root = new URL('../', import.meta.url);
const out = new URL('pages/', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const markdownIn = (folder) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => folder + name);

const { repository, version } = JSON.parse(read('package.json'));
export const REPOSITORY = repositoryAddress(repository);

/** The pages: paths in the repository. */
export const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'benches/RESULTS.md',
  'lib/README.md',
].concat(markdownIn('docs/'), markdownIn('docs/reference/'));

/** The address of a page below the site's: a README is the index of its folder. */
export const addressOf = (page) => page.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html');
const placeOf = (page) => addressOf(page).replace(/\.html$/, '.md');

/** Writes a page as VitePress reads it, with its images. Links to other pages stay on the site, others lead to the repository. */
function write(page) {
  const elsewhere = onTheWeb(REPOSITORY, `v${version}`);
  const text = withLinks(read(page), page, (path, anchor, isImage) => {
    if (isImage) cpSync(new URL(path, root), new URL(path, out));
    if (!isImage && !PAGES.includes(path)) return elsewhere(path, anchor, isImage);
    const link = posix.relative(posix.dirname(page), isImage ? path : placeOf(path)) + anchor;
    return link.startsWith('.') ? link : `./${link}`;
  });
  // The reader can choose the dark appearance, which a media query would not follow.
  const themed = text.replace(
    /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*(<img alt="[^"]*") src="([^"]+)">\s*<\/picture>/g,
    '$2 class="light-only" src="$3">\n$2 class="dark-only" src="$1">',
  );
  const file = new URL(placeOf(page), out);
  mkdirSync(new URL('.', file), { recursive: true });
  writeFileSync(file, themed);
}

/** The entries of a list of links. The page of a folder has those of its own list below it. */
const entriesOf = (text, folder) =>
  [...text.matchAll(/^\* \[`?([^\]`]+)`?\]\(([^)]+)\)/gm)].map(([, title, path]) => {
    const page = posix.join(folder, path);
    const entry = { text: title, link: `/${addressOf(page).replace(/(?:index)?\.html$/, '')}` };
    return page.endsWith('README.md') ? { ...entry, collapsed: true, items: entriesOf(read(page), posix.dirname(page)) } : entry;
  });

/** The side bar, from the lists of docs/README.md. */
export const sidebar = () =>
  read('docs/README.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => ({ text: section.slice(0, section.indexOf('\n')), items: entriesOf(section, 'docs') }));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  rmSync(out, { recursive: true, force: true });
  for (const page of PAGES) write(page);
  cpSync(new URL('docs/images/logo.svg', root), new URL('public/logo.svg', out));
}
