// The pages whose TypeScript snippets run as they stand there: README.md and the guides that need nothing but the providers' packages.
import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
export const readPage = (page) => readFileSync(new URL(page, root), 'utf8');

/** Its programs need the SDKs and a newer Node.js, and have a test of their own: integrations/docs.slow.test.mjs. */
const APART = ['integrations.md'];
const guides = readdirSync(new URL('docs/', root)).filter((name) => name.endsWith('.md') && !APART.includes(name));
/** Pages of the reference that are written by hand: the list there has them before the exports. */
const written = [
  ...readPage('docs/reference/README.md')
    .split('\n## Exports\n')[0]
    .matchAll(/^\* \[[^\]]+\]\(([\w-]+\.md)\)/gm),
];
export const PAGES = ['README.md', ...guides.map((name) => `docs/${name}`), ...written.map(([, name]) => `docs/reference/${name}`)];

/** Each block of TypeScript: its `page`, the `line` of its first line, and its `code`. */
export const snippets = PAGES.flatMap((page) => {
  const text = readPage(page);
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(({ 1: code, index }) => ({
    page,
    line: text.slice(0, index).split('\n').length + 1,
    code,
  }));
});
