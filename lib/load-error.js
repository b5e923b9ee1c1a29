// @ts-check
'use strict';

const { existsSync, readdirSync } = require('node:fs');
const { glibcVersion } = require('./glibc.js');

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

/** Whether this file stands in a clone. Nothing that is installed has a Cargo.toml. */
const isClone = () => existsSync(`${__dirname}/../Cargo.toml`);

/** The engine of another platform in a tarball that was packed there. @param {string} tried the error that names the file that was looked for */
function foreignEngine(tried) {
  try {
    return readdirSync(`${__dirname}/..`).find((name) => /^palimpsest\..+\.node$/.test(name) && !tried.includes(name));
  } catch {
    return undefined; // a bundler may have moved this file
  }
}

/** What to do first. @param {NodeJS.ErrnoException[]} failures @param {string} version */
function remedy(failures, version) {
  if (failures.some(({ code }) => code === 'ERR_DLOPEN_DISABLED'))
    return 'Native files are not allowed here: run Node.js without --no-addons, or with --allow-addons beside --permission.';
  if (process.env.NAPI_RS_NATIVE_LIBRARY_PATH)
    return `NAPI_RS_NATIVE_LIBRARY_PATH is set, so nothing else was tried: unset it, or set it to an engine of version ${version}.`;
  if (isClone()) return BUILD;
  const foreign = foreignEngine(String(failures[0]?.message));
  if (foreign === undefined) return REINSTALL;
  return `This package was packed for another platform: it holds ${foreign}. Run \`npm run pack\` on this platform, and install
    the tarball that it makes.`;
}

/**
 * Creates the error for a native engine that cannot be loaded, with the reason and the remedy.
 *
 * @param {string} version the package's
 * @param {Error[]} failures the error of each attempt, in order; the error's `cause` holds them all
 */
function loadError(version, failures) {
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
    Linux needs glibc 2.17 or newer, or musl. For anything else, install @palimpsest/engine-wasm32-wasi@${version},
    the engine in WebAssembly, or build from source and set NAPI_RS_NATIVE_LIBRARY_PATH to the .node file.
  - A bundler can't include a native file: mark palimpsest as external (Next.js: serverExternalPackages: ['palimpsest']).`;
  return Object.assign(new Error(message, { cause: new AggregateError(failures) }), { code: 'ERR_PALIMPSEST_LOAD' });
}

module.exports = { loadError };
