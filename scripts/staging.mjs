// The packages as they are published, written into a folder.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTheWeb, repositoryAddress, withLinks } from './markdown.mjs';
import { EDGE, bundleEdge } from './wasm-bundles.mjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** The packages with an engine, by platform, and the one for every platform. */
export const platforms = new Map(readdirSync(join(root, 'npm')).map((name) => [name, readJson(join(root, 'npm', name, 'package.json'))]));
/** The engine in WebAssembly is installed where somebody asks for it: it is of use to few, and large. */
export const WASM = 'wasm32-wasi';

/** Files that `npm pack` in a clone includes. Published, the engine has a package of its own. */
const OF_ENGINE = ['palimpsest.*.node', 'THIRD-PARTY-LICENSES', 'sbom.cdx.json'];

function stage(target, manifest, sources) {
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const file of ['README.md', ...manifest.files]) {
    if (EDGE.includes(file)) continue; // written already
    const source = sources.map((folder) => join(folder, file)).find(existsSync);
    if (!source) throw new Error(`${file}, which ${manifest.name} lists in "files", does not exist`);
    if (file === 'README.md') writeFileSync(join(target, file), published(source, manifest));
    else cpSync(source, join(target, file), { recursive: true });
  }
  for (const path of readdirSync(target, { recursive: true })) if (/\.d\.m?ts$/.test(path)) withAddresses(join(target, path), manifest);
}

/** Types name pages as they lie in the repository, and editors show them to those who have nothing but the package. */
function withAddresses(file, { repository, version }) {
  const place = onTheWeb(repositoryAddress(repository), `v${version}`);
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(/`?\b(docs\/[\w-]+\.md)\b`?/g, (_, page) => place(page, '')),
  );
}

/** A README for those who have nothing but the package: its links lead to the repository, as it was at this version. */
function published(source, { repository, version }) {
  const place = onTheWeb(repositoryAddress(repository), `v${version}`);
  return withLinks(readFileSync(source, 'utf8'), relative(root, source).split(sep).join('/'), place);
}

/** Writes OUT/<platform> for each engine in `artifacts`, or without it for those that were built in the work tree. */
export async function stagePlatforms(out, artifacts, isAllRequired) {
  for (const [name, manifest] of platforms) {
    const sources = [artifacts, join(root, 'npm', name), root].filter((folder) => folder !== undefined);
    if (sources.some((folder) => existsSync(join(folder, manifest.main)))) {
      if (name === WASM) await bundleEdge(join(out, name));
      stage(join(out, name), manifest, sources);
    } else if (isAllRequired) {
      throw new Error(`${manifest.main} is in none of ${sources.join(', ')}`);
    }
  }
}

/** Writes OUT/palimpsest. Its engines are optional dependencies, or, with the name of a platform, the one of the work tree is in it. */
export function stagePackage(out, platform) {
  const source = readJson(join(root, 'package.json'));
  const { private: _, scripts, workspaces, devDependencies, optionalDependencies, overrides, napi, ...manifest } = source;
  manifest.files = manifest.files.filter((file) => !OF_ENGINE.includes(file));
  if (platform === undefined) {
    manifest.optionalDependencies = Object.fromEntries(
      [...platforms].filter(([name]) => name !== WASM).map(([, { name, version }]) => [name, version]),
    );
  } else {
    const { os, cpu, libc, main } = platforms.get(platform);
    Object.assign(manifest, { os, cpu, libc });
    manifest.files.push(main, 'THIRD-PARTY-LICENSES', 'sbom.cdx.json');
  }
  stage(join(out, 'palimpsest'), manifest, [root]);
}

/** The packages beside the library, each after those that it depends on. */
export const PROGRAMS = ['cli', 'mcp', 'opencode', 'pi'];

/** Writes OUT/cli, OUT/mcp and so on. They depend on what lies in the clone by its version. */
export function stagePrograms(out) {
  for (const name of PROGRAMS) {
    const folder = join(root, 'packages', name);
    const { private: _, scripts, ...manifest } = readJson(join(folder, 'package.json'));
    const ranges = Object.entries(manifest.dependencies).map(([one, range]) => [one, range.startsWith('file:') ? manifest.version : range]);
    manifest.dependencies = Object.fromEntries(ranges);
    stage(join(out, name), manifest, [folder]);
  }
}
