// The rooms of lib/ and their floors, as the table in lib/README.md has them.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const lib = join(dirname(fileURLToPath(import.meta.url)), '../lib');
const files = readdirSync(lib, { recursive: true })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'));

/** Floors by room: a folder with `/` at its end, or a file. */
const floors = new Map();
for (const [, floor, rooms] of readFileSync(join(lib, 'README.md'), 'utf8').matchAll(/^\| (\d) \| ([^|]*) \|/gm)) {
  for (const [, room] of rooms.matchAll(/`([^`]*)`/g)) floors.set(room, Number(floor));
}
const roomOf = (file) => (file.includes('/') ? file.slice(0, file.indexOf('/') + 1) : file);

/** The files of lib/ that each file imports; types apart, which are nothing at run time. */
const required = new Map();
for (const file of files) {
  const text = readFileSync(join(lib, file), 'utf8');
  const paths = [...text.matchAll(/^(?:import|export)(?! type) (?:[^;']* from )?'(\.[^']*)\.js';|\brequire\('(\.[^']*)\.js'\)/gm)].map(
    ([, imported, asked]) => join(dirname(file), `${imported ?? asked}.ts`).replaceAll('\\', '/'),
  );
  required.set(file, paths);
}

test('every file of lib/ is in the table, and every room of the table is there', () => {
  assert.deepEqual([...floors.keys()].sort(), [...new Set(files.map(roomOf))].sort());
});

test('no file uses one of a floor above', () => {
  let seen = 0;
  for (const [file, paths] of required) {
    for (const path of paths) {
      assert.ok(existsSync(join(lib, path)), `${file} imports ${path}, which is not there`);
      const [own, other] = [floors.get(roomOf(file)), floors.get(roomOf(path))];
      assert.ok(other <= own, `${file} (floor ${own}) imports ${path} (floor ${other})`);
      seen++;
    }
  }
  assert.ok(seen > 200, `${seen} imports were found`);
});

test('no files use each other', () => {
  const done = new Set();
  const visit = (file, open) => {
    assert.ok(!open.includes(file), `${[...open.slice(open.indexOf(file)), file].join(' → ')}`);
    if (done.has(file)) return;
    for (const path of required.get(file)) visit(path, [...open, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
});
