// @ts-check
'use strict';
// Finds the native engine, or the one in WebAssembly where there is none. Every import of the package waits for this file, so it
// does nothing that can be done later.
const { existsSync, readFileSync } = require('node:fs');

/** The version of this package. Reading it from package.json would take about as long as loading the engine. */
const VERSION = '0.1.0';

function isMusl() {
  try {
    return readFileSync('/usr/bin/ldd', 'utf8').includes('musl');
  } catch {
    // Not every system has it.
  }
  try {
    return require('./glibc.js').glibcVersion() === undefined;
  } catch {
    return false; // runtimes other than Node may have no report
  }
}

/** Returns the name of the engine for this platform. */
function engineName() {
  const { platform, arch } = process;
  if (platform === 'linux') return `linux-${arch}-${isMusl() ? 'musl' : 'gnu'}`;
  return platform === 'win32' ? `win32-${arch}-msvc` : `${platform}-${arch}`;
}

/**
 * Loads the engine built in this folder, as in a clone. Looks for the file first, because a `require` that fails is slow.
 *
 * @param {string} name
 */
function builtEngine(name) {
  const file = `../palimpsest.${name}.node`;
  if (!existsSync(`${__dirname}/${file}`)) throw new Error(`Cannot find module '${file}'`);
  return require(file);
}

/**
 * Loads the engine that was installed with this package. Bundlers and file tracers follow a `require` only if its argument is a
 * literal, and bundlers expect its target to exist unless it stands in a `try`.
 *
 * @param {string} name
 * @param {Error[]} failures
 * @returns {any}
 */
function installedEngine(name, failures) {
  try {
    switch (name) {
      case 'darwin-arm64':
        return require('@palimpsest/engine-darwin-arm64');
      case 'darwin-x64':
        return require('@palimpsest/engine-darwin-x64');
      case 'linux-arm64-gnu':
        return require('@palimpsest/engine-linux-arm64-gnu');
      case 'linux-arm64-musl':
        return require('@palimpsest/engine-linux-arm64-musl');
      case 'linux-x64-gnu':
        return require('@palimpsest/engine-linux-x64-gnu');
      case 'linux-x64-musl':
        return require('@palimpsest/engine-linux-x64-musl');
      case 'win32-arm64-msvc':
        return require('@palimpsest/engine-win32-arm64-msvc');
      case 'win32-x64-msvc':
        return require('@palimpsest/engine-win32-x64-msvc');
      default:
        throw new Error(`There is no package @palimpsest/engine-${name}`);
    }
  } catch (error) {
    failures.push(/** @type {Error} */ (error));
  }
}

/**
 * Loads the engine in WebAssembly: the one built in this folder, or the one that was installed beside this package.
 *
 * @param {Error[]} failures
 * @returns {any}
 */
function wasmEngine(failures) {
  const file = '../npm/wasm32-wasi/palimpsest.wasm32-wasi.cjs';
  try {
    return existsSync(`${__dirname}/${file}`) ? require(file) : require('@palimpsest/engine-wasm32-wasi');
  } catch (error) {
    failures.push(/** @type {Error} */ (error));
  }
}

function warn() {
  const text = `palimpsest found no native engine for ${process.platform} ${process.arch} and uses the one in WebAssembly, which is slower`;
  process.emitWarning(text, { type: 'PalimpsestWarning', code: 'PALIMPSEST_WASM' });
}

/**
 * Returns the first engine found; appends the reasons to `failures` if there is none.
 *
 * @param {Error[]} failures
 * @returns {any}
 */
function findEngine(failures) {
  const { NAPI_RS_NATIVE_LIBRARY_PATH: given, NAPI_RS_FORCE_WASI: isWasmForced } = process.env;
  if (isWasmForced) return wasmEngine(failures);
  const name = engineName();
  try {
    return given ? require(require('node:path').resolve(given)) : builtEngine(name);
  } catch (error) {
    failures.push(/** @type {Error} */ (error));
  }
  if (given) return undefined;
  const installed = installedEngine(name, failures);
  if (installed) return installed;
  const engine = wasmEngine(failures);
  if (engine) warn();
  return engine;
}

/** @returns {typeof import('../binding')} */
function load() {
  /** @type {Error[]} */
  const failures = [];
  const engine = findEngine(failures);
  if (engine) {
    const version = typeof engine.engineVersion === 'function' ? engine.engineVersion() : 'unknown';
    if (version === VERSION) return engine;
    // Another version could answer wrongly without failing.
    failures.push(new Error(`the engine that was found is version ${version}, not ${VERSION}`));
  }
  throw require('./load-error.js').loadError(VERSION, failures);
}

module.exports = load();
