// What must hold before a version is published. Prints the packages and the problems; the exit code is 1 if there is a problem.
//   npm run release:check                        # the packages that can be staged here: one engine, the package, the programs
//   node scripts/release-check.mjs STAGED        # what scripts/stage.mjs wrote
// __test__/packed.slow.test.mjs installs the packages and checks their types, with publint and arethetypeswrong.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, dryRun, inOrder } from './publish.mjs';
import { platforms, PROGRAMS, root } from './staging.mjs';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Places that name the version, and the version there. `read` returns the text of a file of the repository. */
export function versionProblems(read) {
  const { version, peerDependenciesMeta } = JSON.parse(read('package.json'));
  const lock = JSON.parse(read('package-lock.json'));
  const found = {
    'Cargo.toml': read('Cargo.toml').match(/^version = "(.*)"$/m)?.[1],
    'Cargo.lock': read('Cargo.lock').match(/name = "palimpsest"\nversion = "(.*)"/)?.[1],
    'package-lock.json': lock.version,
    'package-lock.json, packages': lock.packages[''].version,
    'lib/native.ts': read('lib/native.ts').match(/^const VERSION = '(.*)';$/m)?.[1],
    'sbom.cdx.json': JSON.parse(read('sbom.cdx.json')).metadata.component.version,
  };
  for (const path of PROGRAMS.map((name) => `packages/${name}/package.json`)) found[path] = JSON.parse(read(path)).version;
  for (const name of platforms.keys()) found[`npm/${name}/package.json`] = JSON.parse(read(`npm/${name}/package.json`)).version;
  const problems = Object.entries(found)
    .filter(([, one]) => one !== version)
    .map(([file, one]) => `${file}: version ${one} instead of ${version}`);
  const stale = JSON.stringify(lock.packages[''].peerDependenciesMeta) !== JSON.stringify(peerDependenciesMeta);
  return stale ? [...problems, 'package-lock.json: peer dependencies are not those of package.json'] : problems;
}

/** Sections that Keep a Changelog 1.1.0 knows. */
const SECTIONS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

/** What keeps the changelog from describing the release of `version`. */
export function changelogProblems(text, version) {
  const [, newest, date] = text.match(/^## \[(.+?)\] - (.+)$/m) ?? [];
  const problems = [];
  if (newest !== version) problems.push(`CHANGELOG.md: the newest section is that of ${newest}, not of ${version}`);
  else if (!/^\d{4}-\d\d-\d\d$/.test(date)) problems.push(`CHANGELOG.md: the section of ${version} has no date, but "${date}"`);
  const unknown = [...text.matchAll(/^### (.+)$/gm)].map(([, name]) => name).filter((name) => !SECTIONS.includes(name));
  return [...problems, ...unknown.map((name) => `CHANGELOG.md: Keep a Changelog knows no section "${name}"`)];
}

/** Largest size of each package in bytes, packed and unpacked: what an install downloads and holds is one engine and the package. */
export const LIMITS = {
  engine: [3_800_000, 7_000_000],
  palimpsest: [396_000, 1_490_000],
  cli: [250_000, 700_000],
  mcp: [20_000, 50_000],
  opencode: [20_000, 50_000],
  pi: [20_000, 50_000],
};

/** Files that the manifest of a package names, relative to its folder. */
function namedFiles({ main, types, bin, exports }) {
  const targets = (value) => (typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(targets));
  return [...new Set([main, types, ...targets(bin), ...targets(exports)].filter(Boolean).map(normalize))];
}

/** What is wrong with a staged package; `account` is what npm says of it in a dry run, `version` that of the release. */
export function packageProblems(manifest, account, version) {
  const { name } = manifest;
  const program = PROGRAMS.find((one) => name === `@palimpsest/${one}`);
  const kind = name === 'palimpsest' ? name : (program ?? 'engine');
  const files = new Set(account.files.map(({ path }) => normalize(path)));
  const required = ['README.md', 'LICENSE-MIT', 'LICENSE-APACHE', ...(kind === 'engine' ? ['THIRD-PARTY-LICENSES', 'sbom.cdx.json'] : [])];
  const problems = [];
  if (manifest.version !== version) problems.push(`version ${manifest.version} instead of ${version}`);
  for (const field of ['description', 'license', 'repository', 'engines']) if (!manifest[field]) problems.push(`no "${field}"`);
  for (const field of ['private', 'scripts', 'devDependencies']) if (manifest[field]) problems.push(`"${field}" is not for users`);
  if (program === undefined && manifest.dependencies) problems.push('has dependencies');
  for (const file of [...required, ...namedFiles(manifest)]) if (!files.has(normalize(file))) problems.push(`${file} is missing`);
  for (const [path, { types }] of conditions(manifest.exports)) if (!types) problems.push(`"exports" names no types for ${path}`);
  const [packed, unpacked] = LIMITS[kind];
  if (account.size > packed) problems.push(`${account.size} bytes packed, more than ${packed}`);
  if (account.unpackedSize > unpacked) problems.push(`${account.unpackedSize} bytes unpacked, more than ${unpacked}`);
  return problems.map((problem) => `${name}: ${problem}`);
}

/** Pairs of a subpath with its way in, and the conditions there, unless the subpath has the same types for each way. */
const conditions = (exported) =>
  Object.entries(exported ?? {})
    .filter(([, ways]) => typeof ways === 'object' && !ways.types)
    .flatMap(([path, ways]) => Object.entries(ways).map(([way, targets]) => [`${path} (${way})`, targets]));

/** What the scripts that write a committed file say of it. */
function staleFiles() {
  const checks = ['licenses.mjs', 'sbom.mjs'].map((script) =>
    spawnSync(process.execPath, [join(root, 'scripts', script), '--check'], { encoding: 'utf8' }),
  );
  return checks.filter(({ status }) => status !== 0).map(({ stderr }) => stderr.trim());
}

function main(given) {
  const scratch = given === undefined && mkdtempSync(join(tmpdir(), 'palimpsest-release-'));
  try {
    if (scratch) execFileSync(process.execPath, [join(root, 'scripts/stage.mjs'), scratch, '--programs'], { stdio: 'inherit' });
    const read = (file) => readFileSync(join(root, file), 'utf8');
    const { version } = JSON.parse(read('package.json'));
    const problems = [...versionProblems(read), ...changelogProblems(read('CHANGELOG.md'), version), ...staleFiles()];
    console.log(`A release of ${version} would publish:`);
    for (const folder of inOrder(scratch || resolve(given))) {
      const account = dryRun(folder);
      console.log(`  ${describe(account)}`);
      problems.push(...packageProblems(readJson(join(folder, 'package.json')), account, version));
    }
    console.log(problems.length === 0 ? 'Nothing is in the way.' : `\nIn the way:\n  ${problems.join('\n  ')}`);
    process.exitCode = problems.length === 0 ? 0 : 1;
  } finally {
    if (scratch) rmSync(scratch, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv[2]);
