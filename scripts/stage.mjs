// Writes the packages to publish: OUT/palimpsest and, for each engine found, OUT/<platform>.
//   node scripts/stage.mjs OUT [FOLDER WITH ENGINES] [--all] [--programs]
// The manifest in the work tree cannot be published as it is. It names no platform packages, because `npm ci` refuses a lockfile
// with packages that the registry does not have yet, in a fresh clone or after a version bump. `--all` requires every platform, and
// `--programs` writes OUT/cli, OUT/mcp and the other packages of packages/, too.
import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { stagePackage, stagePlatforms, stagePrograms } from './staging.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false }, programs: { type: 'boolean', default: false } },
});
const [out, artifacts] = positionals.map((path) => resolve(path));
await stagePlatforms(out, artifacts, values.all);
stagePackage(out);
if (values.programs) stagePrograms(out);
