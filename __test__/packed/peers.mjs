// Loads each subpath beside each version of its SDK that the program's input names: `[{ subpath, sdk, version }]`. Prints `{ code, message,
// warnings }` for each, where the code and the message are those of the import's error.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';

const require = createRequire(import.meta.url);
let warnings = [];
process.on('warning', ({ name, code, message }) => warnings.push({ name, code, message }));

const loaded = [];
for (const { subpath, sdk, version } of JSON.parse(readFileSync(0, 'utf8'))) {
  const folder = new URL(`node_modules/${sdk}/`, import.meta.url);
  mkdirSync(folder, { recursive: true });
  const before = readFileSync(new URL('package.json', folder), { encoding: 'utf8', flag: 'a+' });
  writeFileSync(new URL('package.json', folder), JSON.stringify({ name: sdk, version }));
  // As in a new process, but for the engine, which can be loaded once.
  for (const file of Object.keys(require.cache)) if (file.endsWith('.js')) delete require.cache[file];
  warnings = [];
  let error = {};
  try {
    require(subpath);
    require(subpath);
  } catch (thrown) {
    error = thrown;
  }
  await setImmediate();
  loaded.push({ code: error.code, message: error.message, warnings });
  writeFileSync(new URL('package.json', folder), before);
}
console.log(JSON.stringify(loaded));
