// Runs before `npm pack` in a clone, which takes the built engine along: without one, the tarball would fail only where it is used.
import { readdirSync } from 'node:fs';

// npm runs it before `npm run pack`, too, by its name; that builds the engine first. npm before 11 calls `run` `run-script`.
const isScript = process.env.npm_command?.startsWith('run');
if (!isScript && !readdirSync(new URL('..', import.meta.url)).some((name) => /^palimpsest\..+\.node$/.test(name))) {
  console.error('The engine is not built, so a tarball would not work: run `npm run build` first.');
  process.exitCode = 1;
}
