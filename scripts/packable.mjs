// Runs before `npm pack` in the folder of a package of this clone: what would fail only where the tarball is used is refused here.
import { existsSync, readFileSync, readdirSync } from 'node:fs';

const { name, dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'));
const problem = Object.values(dependencies).some((range) => range.startsWith('file:')) ? ofLink() : ofBuild();
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
}

/** A package that depends on a folder of the clone. Others don't have that folder. */
function ofLink() {
  return `${name} depends on a folder of this clone, so a tarball would not work: run \`node scripts/stage.mjs staged --programs\` and then \`npm pack ./staged/${name.replace('@palimpsest/', '')}\` in the root of the clone.`;
}

/** The library takes what is built along. npm runs this before `npm run pack`, too, by its name; that builds first. */
function ofBuild() {
  // npm before 11 calls `run` `run-script`.
  if (process.env.npm_command?.startsWith('run')) return undefined;
  const missing = [];
  if (!readdirSync('.').some((file) => /^palimpsest\..+\.node$/.test(file))) missing.push('The engine');
  if (!existsSync('dist/index.js')) missing.push('dist/');
  if (missing.length === 0) return undefined;
  return `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not built, so a tarball would not work: run \`npm run build\` first.`;
}
