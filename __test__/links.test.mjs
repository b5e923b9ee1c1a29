// Every link of the pages leads somewhere: to a file, and to a heading of it.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { anchorsOf, withoutCode } from '../scripts/markdown.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = [
  '',
  'docs',
  'docs/reference',
  'research',
  'benches',
  'benches/board',
  'examples/providers',
  'lib',
  'packages/cli',
  'packages/mcp',
  'packages/opencode',
  'packages/pi',
].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);
const textOf = (page) => readFileSync(join(root, page), 'utf8');

for (const page of pages) {
  test(`the links of ${page} lead somewhere`, () => {
    const wrong = [];
    for (const [, inText, inTag] of withoutCode(textOf(page)).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)) {
      const link = inText ?? inTag;
      if (/^(?:https?|mailto):/.test(link)) continue;
      const [path, anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      const leads = existsSync(join(root, target)) && (anchor === undefined || anchorsOf(textOf(target)).includes(anchor));
      if (!leads) wrong.push(link);
    }
    assert.deepEqual(wrong, []);
  });
}

test('docs/README.md, which gives the side bar of the site, lists every guide', () => {
  const listed = [...textOf('docs/README.md').matchAll(/^\* \[[^\]]+\]\(([\w-]+\.md)\)/gm)].map(([, name]) => name);
  const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  assert.deepEqual(listed.sort(), guides.sort());
});
