// Runs before `npm pack` in the folder of a package of this clone: what would fail only where the tarball is used is refused here.
import { readFileSync, readdirSync } from 'node:fs';

const { name, dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'));
const problem = Object.values(dependencies).some((range) => range.startsWith('file:')) ? ofLink() : ofEngine();
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
}

/** A package that depends on a folder of the clone. Others don't have that folder. */
function ofLink() {
  return `${name} depends on a folder of this clone, so a tarball would not work: run \`node scripts/stage.mjs staged --cli\` and then \`npm pack ./staged/cli\` in the root of the clone.`;
}

/** The library takes the built engine along. npm runs this before `npm run pack`, too, by its name; that builds the engine first. */
function ofEngine() {
  // npm before 11 calls `run` `run-script`.
  const isScript = process.env.npm_command?.startsWith('run');
  if (isScript || readdirSync('.').some((file) => /^palimpsest\..+\.node$/.test(file))) return undefined;
  return 'The engine is not built, so a tarball would not work: run `npm run build` first.';
}
