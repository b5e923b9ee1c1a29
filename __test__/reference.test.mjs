// docs/reference/ says what the types say.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { anchorsOf } from '../scripts/markdown.mjs';
import { reference, WRITTEN_FILES } from '../scripts/reference.mjs';

const folder = new URL('../docs/reference/', import.meta.url);
const read = (name) => readFileSync(new URL(name, folder), 'utf8');
const pages = reference();

test('docs/reference/ is current: if not, `npm run docs:reference` writes it', () => {
  assert.deepEqual(readdirSync(folder).sort(), [...pages.keys(), ...WRITTEN_FILES].sort());
  for (const [name, text] of pages) assert.equal(read(name), text, name);
});

test('docs/reference/ names every export of the package, and no path of this machine', () => {
  const types = ['../index.d.ts', '../drop-in.d.ts'].map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('');
  const names = [...types.matchAll(/^export (?:declare )?(?:function|interface|type|const) (\w+)/gm)].map(([, name]) => name);
  const all = readdirSync(folder).map(read).join('\n');
  assert.deepEqual(
    [...new Set(names)].filter((name) => !all.includes(`\n## \`${name}\`\n`)),
    [],
  );
  assert.ok(!all.includes(new URL('..', import.meta.url).pathname));
});

test('each name leads to its own heading, also where another differs in case alone', () => {
  let checked = 0;
  for (const [page, text] of pages) {
    for (const [, path, file, anchor] of text.matchAll(/\[`([\w.]+)`\]\(([\w-]+\.md)?#([\w-]+)\)/g)) {
      const target = pages.get(file || page);
      const headings = [...target.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
      assert.equal(headings[anchorsOf(target).indexOf(anchor)], `\`${path.split('.')[0]}\``, `${page}: ${path}`);
      checked++;
    }
  }
  assert.ok(checked > 200, `${checked}`);
});

test('what an editor shows of the types names no file of the project', () => {
  const dist = new URL('../dist/', import.meta.url);
  const published = readdirSync(dist, { recursive: true }).filter((file) => /\.d\.m?ts$/.test(file));
  assert.ok(published.length > 10, `${published.length}`);
  const files = [new URL('../index.d.ts', import.meta.url), ...published.map((file) => new URL(file, dist))];
  for (const file of files) assert.doesNotMatch(readFileSync(file, 'utf8'), /\b(?:docs|research)\/[\w-]+\.md/, file.pathname);
});
