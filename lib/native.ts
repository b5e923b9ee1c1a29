// Finds the native engine, or the one in WebAssembly where there is none. Every import of the package waits for this file, so it
// does nothing that can be done later.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

type Engine = typeof import('../binding');

/** The version of this package. Reading it from package.json would take about as long as loading the engine. */
const VERSION = '0.1.0';

function isMusl() {
  try {
    return readFileSync('/usr/bin/ldd', 'utf8').includes('musl');
  } catch {
    // Not every system has it.
  }
  try {
    return (require('./glibc.js') as typeof import('./glibc.js')).glibcVersion() === undefined;
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

/** Requires a file by its path. Bundlers don't follow it: none can take in a native file. */
const open = (path: string): Engine => createRequire(path)(path);

/**
 * Loads the native engine: a file in this package's folder, as in a clone, or the package beside it. Looks for files first, because a
 * `require` that fails is slow. Their paths are written as tools read them that trace the files of a deployment.
 */
function nativeEngine(name: string) {
  if (typeof __dirname === 'string') {
    const built = `${__dirname}/../palimpsest.${name}.node`;
    if (existsSync(built)) return open(built);
    const installed = `${__dirname}/../../@palimpsest/engine-${name}/palimpsest.${name}.node`;
    if (existsSync(installed)) return open(installed);
  }
  return installedEngine(name, `palimpsest.${name}.node`);
}

/** The engine in WebAssembly has a name like those of platforms. */
const WASM = 'wasm32-wasi';
const wasmEngine = () => installedEngine(WASM, `npm/${WASM}/palimpsest.${WASM}.cjs`);

/** Loads an engine from where this package is installed: the file in its folder, or the package that was installed with it. */
function installedEngine(name: string, file: string): Engine {
  const folder = (require('./installed.js') as typeof import('./installed.js')).packageFolder();
  if (existsSync(`${folder}/${file}`)) return open(`${folder}/${file}`);
  const from = createRequire(`${folder}/package.json`);
  let path: string;
  try {
    path = from.resolve(`@palimpsest/engine-${name}`);
  } catch (cause) {
    throw new Error(`There is neither ${folder}/${file} nor the package @palimpsest/engine-${name}`, { cause });
  }
  return from(path);
}

/** Says which engine is used in place of the native one, and why. */
function warn({ message }: Error) {
  const text = `palimpsest could not load a native engine for ${process.platform} ${process.arch}, and uses the one in WebAssembly, which is slower`;
  process.emitWarning(`${text}: ${message.split('\n')[0]}`, { type: 'PalimpsestWarning', code: 'PALIMPSEST_WASM' });
}

/** Returns the first engine found; appends the reasons to `failures` if there is none. */
function findEngine(failures: Error[]) {
  const attempt = (load: () => Engine) => {
    try {
      return load();
    } catch (error) {
      failures.push(error as Error);
    }
  };
  const { NAPI_RS_NATIVE_LIBRARY_PATH: given, NAPI_RS_FORCE_WASI: isWasmForced } = process.env;
  if (isWasmForced) return attempt(wasmEngine);
  if (given) return attempt(() => open((require('node:path') as typeof import('node:path')).resolve(given)));
  const native = attempt(() => nativeEngine(engineName()));
  if (native) return native;
  const engine = attempt(wasmEngine);
  if (engine) warn(failures[0]);
  return engine;
}

function load(): Engine {
  const failures: Error[] = [];
  const engine = findEngine(failures);
  if (engine) {
    const version = typeof engine.engineVersion === 'function' ? engine.engineVersion() : 'unknown';
    if (version === VERSION) return engine;
    // Another version could answer wrongly without failing.
    failures.push(new Error(`the engine that was found is version ${version}, not ${VERSION}`));
  }
  throw (require('./load-error.js') as typeof import('./load-error.js')).loadError(VERSION, failures);
}

export default load();
