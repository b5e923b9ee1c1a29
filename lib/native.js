'use strict';
// The native functions; or, when they can't be loaded, one Error that tells a person why and what to do.
const { version } = require('../package.json');

// One per folder of npm/: a list here still works when a bundler has moved this file away from everything else.
const supported = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm64-gnu',
  'linux-arm64-musl',
  'linux-x64-gnu',
  'linux-x64-musl',
  'win32-x64-msvc',
];

/** The C library this process runs on. Node reports it itself, so no file is guessed from and no command is run. */
function libc() {
  if (process.platform !== 'linux') return 'the system C library';
  try {
    process.report.excludeNetwork = true; // otherwise a report may wait for reverse DNS
    const { glibcVersionRuntime } = process.report.getReport().header;
    return glibcVersionRuntime ? `glibc ${glibcVersionRuntime} (gnu)` : 'musl';
  } catch {
    return 'an unknown libc'; // runtimes other than Node may have no report
  }
}

/** Every reason the loader met, in the order it tried, without the require stacks that follow each first line. */
function causes(error) {
  const messages = [];
  for (let cause = error.cause ?? error; cause; cause = cause.cause) messages.unshift(String(cause.message).split('\n')[0]);
  return [...new Set(messages)];
}

function loadError(cause) {
  const runtime = process.versions.bun ? 'Bun' : process.versions.deno ? 'Deno' : 'Node.js';
  const message = `palimpsest ${version} could not load its native engine on ${process.platform} ${process.arch}, \
${libc()}, ${runtime} ${process.versions.bun ?? process.versions.deno ?? process.versions.node}.

What was tried:
${causes(cause).map((line) => `  - ${line}`).join('\n')}

What to do:
  - The engine is an optional dependency (@palimpsest/engine-<platform>). Install again without --no-optional or
    --omit=optional. If the lockfile was written on another platform, delete node_modules and the lockfile first:
    npm before 11.3 may have dropped this platform's package from it.
  - Packages exist for ${supported.join(', ')}.
    Linux needs glibc 2.17 or newer, or musl. For anything else, build from source and set
    NAPI_RS_NATIVE_LIBRARY_PATH to the .node file.
  - A bundler can't include a native file: mark palimpsest as external (Next.js: serverExternalPackages: ['palimpsest']).`;
  return Object.assign(new Error(message, { cause }), { code: 'ERR_PALIMPSEST_LOAD' });
}

function load() {
  let binding;
  try {
    binding = require('../binding.js');
  } catch (error) {
    throw loadError(error);
  }
  // The loader compares versions only on request, but another version's engine could answer wrongly without failing.
  const engine = typeof binding.engineVersion === 'function' ? binding.engineVersion() : 'unknown';
  if (engine !== version) throw loadError(new Error(`the engine that was found is version ${engine}, not ${version}`));
  return binding;
}

module.exports = load();
