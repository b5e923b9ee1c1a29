// @ts-check
'use strict';
// Finds the native engine. Every import of the package waits for this file, so what can be left for later is.
const { existsSync, readFileSync } = require('node:fs');

/** The version of this package. To read it from package.json would take about as long as to load the engine. */
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

/** What the engine for this process is called. */
function engineName() {
  const { platform, arch } = process;
  if (platform === 'linux') return `linux-${arch}-${isMusl() ? 'musl' : 'gnu'}`;
  return platform === 'win32' ? `win32-${arch}-msvc` : `${platform}-${arch}`;
}

/** The engine that was built in this folder, as in a clone. It is looked for, because a `require` that fails is slow. */
function builtEngine(name) {
  const file = `../palimpsest.${name}.node`;
  if (!existsSync(`${__dirname}/${file}`)) throw new Error(`Cannot find module '${file}'`);
  return require(file);
}

/**
 * The engine that was installed with this package. Bundlers and file tracers follow a `require` only where its target
 * stands in it, and bundlers take for granted that it is there unless a `try` is around it.
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
      case 'win32-x64-msvc':
        return require('@palimpsest/engine-win32-x64-msvc');
      default:
        throw new Error(`There is no package @palimpsest/engine-${name}`);
    }
  } catch (error) {
    failures.push(error);
  }
}

/** The first engine that there is; why there is none is added to `failures`. */
function findEngine(failures) {
  const given = process.env.NAPI_RS_NATIVE_LIBRARY_PATH;
  const name = engineName();
  try {
    return given ? require(require('node:path').resolve(given)) : builtEngine(name);
  } catch (error) {
    failures.push(error);
  }
  return given ? undefined : installedEngine(name, failures);
}

/** @returns {typeof import('../binding')} */
function load() {
  const failures = [];
  const engine = findEngine(failures);
  if (engine) {
    const version = typeof engine.engineVersion === 'function' ? engine.engineVersion() : 'unknown';
    if (version === VERSION) return engine;
    // It could answer wrongly without failing.
    failures.push(new Error(`the engine that was found is version ${version}, not ${VERSION}`));
  }
  throw require('./load-error.js').loadError(VERSION, failures);
}

module.exports = load();
