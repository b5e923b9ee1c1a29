// Every link of the pages leads somewhere: to a file, and to a heading of it.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = ['', 'docs', 'benches', 'examples/providers', 'lib'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);
const textOf = (page) => readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');

/** The anchors that GitHub makes of a page's headings: repeated ones get a number. */
function anchorsOf(page) {
  const seen = new Map();
  return [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = text.replace(/[^\p{L}\p{N}\- _]/gu, '').replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

for (const page of pages) {
  test(`the links of ${page} lead somewhere`, () => {
    const wrong = [];
    for (const [, inText, inTag] of textOf(page).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)) {
      const link = inText ?? inTag;
      if (/^(?:https?|mailto):/.test(link)) continue;
      const [path, anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      const leads = existsSync(join(root, target)) && (anchor === undefined || anchorsOf(target).includes(anchor));
      if (!leads) wrong.push(link);
    }
    assert.deepEqual(wrong, []);
  });
}
