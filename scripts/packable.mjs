// Runs before `npm pack` in a clone, which takes the built engine along: without one, the tarball would fail only where it is used.
import { readdirSync } from 'node:fs';

if (!readdirSync(new URL('..', import.meta.url)).some((name) => /^palimpsest\..+\.node$/.test(name))) {
  console.error('The engine is not built, so a tarball would not work: run `npm run build` first.');
  process.exitCode = 1;
}
