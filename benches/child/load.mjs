// Prints how long (ms) it takes to load a module: `node load.mjs require|import NAME`, or a path or URL.
import { createRequire } from 'node:module';

const [way, name] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const start = performance.now();
if (way === 'require') require(name);
else await import(name);
console.log(performance.now() - start);
