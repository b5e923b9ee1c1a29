import { existsSync, readdirSync } from 'node:fs';
import { glibcVersion } from './glibc.js';
import { isBundled, packageFolder } from './installed.js';

// One per folder of npm/. A list still works if a bundler has moved this file.
const PLATFORMS = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm64-gnu',
  'linux-arm64-musl',
  'linux-x64-gnu',
  'linux-x64-musl',
  'win32-arm64-msvc',
  'win32-x64-msvc',
];

function libc() {
  if (process.platform !== 'linux') return 'the system C library';
  try {
    const version = glibcVersion();
    return version ? `glibc ${version} (gnu)` : 'musl';
  } catch {
    return 'an unknown libc'; // runtimes other than Node may have no report
  }
}

/** What to do about an engine that was not installed. */
const REINSTALL = `The engine is an optional dependency (@palimpsest/engine-<platform>). Install again without --no-optional or
    --omit=optional. If the lockfile was written on another platform, delete node_modules and the lockfile first:
    npm before 11.3 may have dropped this platform's package from it. If you installed a clone of the repository, run
    \`npm run build\` in it first.`;
/** What to do about an engine that was not built. */
const BUILD = 'This is a clone of the repository: build the engine with `npm run build`, which needs Rust.';

/** The documentation, which the package doesn't hold. */
const PAGES = 'https://github.com/palimpsest-dev/palimpsest/blob/main/docs';

/** Whether this file stands in a clone. Nothing that is installed has a Cargo.toml. */
const isClone = () => !isBundled() && existsSync(`${packageFolder()}/Cargo.toml`);

/**
 * The engine of another platform in a tarball that was packed there.
 *
 * @param tried the error that names what was looked for
 */
function foreignEngine(tried: string) {
  try {
    return readdirSync(packageFolder()).find((name) => /^palimpsest\..+\.node$/.test(name) && !tried.includes(name));
  } catch {
    return undefined; // there is no such folder beside a bundle
  }
}

const AGAIN = 'Delete node_modules and install again on this machine (in a clone: delete the file, and run `npm run build`).';
/** What systems say of an engine that is there and that they can't load, and what to do about it. */
const UNLOADABLE: [RegExp, (found: RegExpMatchArray) => string][] = [
  [
    /version [`'"]GLIBC_([\d.]+)' not found/,
    ([, needed]) => `This engine needs glibc ${needed}, and there is ${libc()}. The published ones need 2.17. One that \`npm run build\` or
    \`npm run pack\` made needs that of the machine that made it: make it on an older one.`,
  ],
  [
    /failed to map segment|not permitted|[Pp]ermission denied/,
    () => `Code may not be run from this folder, perhaps because it is mounted with noexec. Install in another one, or copy the engine there and
    set NAPI_RS_NATIVE_LIBRARY_PATH to it.`,
  ],
  [
    /wrong ELF class|data encoding|incompatible architecture|\.node: cannot open shared object file/,
    () => `The engine is for another processor, and Node.js runs as ${process.arch} here. ${AGAIN}`,
  ],
  [
    /^(\S+): cannot open shared object file|Error loading shared library (\S+):|Error relocating \S+: (\S+): symbol not found/,
    ([, ...names]) => `The engine is for another C library: it wants ${names.find(Boolean)}, and there is ${libc()}. ${AGAIN}`,
  ],
  [
    /file too short|invalid ELF header|not a valid Win32 application|not a mach-o file/,
    () => `The engine is damaged, or for another system. ${AGAIN}`,
  ],
  [/(?:)/, () => `The engine is there, and the system can't load it. ${AGAIN}`],
];

/**
 * What to do about an engine that is there.
 *
 * @param message the system's
 */
function remedyOfUnloadable(message: string) {
  for (const [said, toDo] of UNLOADABLE) {
    const found = message.match(said);
    if (found !== null) return toDo(found);
  }
}

/** What to do first. */
function remedy(failures: NodeJS.ErrnoException[], version: string) {
  if (failures.some(({ code }) => code === 'ERR_DLOPEN_DISABLED'))
    return 'Native files are not allowed here: run Node.js without --no-addons, or with --allow-addons beside --permission.';
  if (process.env.NAPI_RS_NATIVE_LIBRARY_PATH)
    return `NAPI_RS_NATIVE_LIBRARY_PATH is set, so nothing else was tried: unset it, or set it to an engine of version ${version}.`;
  const unloadable = failures.find(({ code }) => code === 'ERR_DLOPEN_FAILED');
  if (unloadable !== undefined) return remedyOfUnloadable(unloadable.message);
  if (isBundled())
    return `A bundle can't hold the engine, which is a native file. Have palimpsest ${version} in a node_modules beside the bundle or above it
    where it runs, or set NAPI_RS_NATIVE_LIBRARY_PATH to the engine's .node file. ${PAGES}/servers.md#bundlers has more.`;
  if (isClone()) return BUILD;
  const foreign = foreignEngine(String(failures[0]?.message));
  if (foreign === undefined) return REINSTALL;
  return `This package was packed for another platform: it holds ${foreign}. Run \`npm run pack\` on this platform, and install
    the tarball that it makes.`;
}

/**
 * Creates the error for a native engine that cannot be loaded, with the reason and the remedy.
 *
 * @param version the package's
 * @param failures the error of each attempt, in order; the error's `cause` holds them all
 */
export function loadError(version: string, failures: Error[]) {
  const runtime = process.versions.bun ? 'Bun' : process.versions.deno ? 'Deno' : 'Node.js';
  // The first lines only: the others are stacks of requires.
  const tried = failures.map((failure) => `  - ${String(failure.message).split('\n')[0]}`);
  const message = `palimpsest ${version} could not load its native engine on ${process.platform} ${process.arch}, \
${libc()}, ${runtime} ${process.versions.bun ?? process.versions.deno ?? process.versions.node}.

What was tried:
${tried.join('\n')}

What to do:
  - ${remedy(failures, version)}
  - Packages exist for ${PLATFORMS.join(', ')}.
    Those for Linux need glibc 2.17 or newer, or musl. For anything else, install @palimpsest/engine-wasm32-wasi@${version},
    the engine in WebAssembly, or build from source and set NAPI_RS_NATIVE_LIBRARY_PATH to the .node file.
  - Edge runtimes and browsers import '@palimpsest/engine-wasm32-wasi/edge' in the place of 'palimpsest': ${PAGES}/edge.md
  - Bundlers can keep palimpsest out of the bundle (Next.js: serverExternalPackages: ['palimpsest']).
  - ${PAGES}/install.md has more.`;
  return Object.assign(new Error(message, { cause: new AggregateError(failures) }), { code: 'ERR_PALIMPSEST_LOAD' });
}
