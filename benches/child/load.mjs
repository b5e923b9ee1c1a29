// Prints how long (ms) it takes to load a module: `node load.mjs require|import PATH`.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [way, path] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const start = performance.now();
if (way === 'require') require(path);
else await import(pathToFileURL(path));
console.log(performance.now() - start);
