// `init` and `loadVocabulary` of the edge entry. scripts/wasm-bundles.mjs bundles them with lib/index.ts.
import { instantiate } from './instantiate.mjs';
import engine from './slot.mjs';

/** Bytes of memory to start with. It grows; a worker may have no more than 128 MiB. */
const MEMORY = 16 << 20;
const NAMES = ['o200k_base', 'cl100k_base'];

const vocabularies = new Map();
let started;

/** See npm/wasm32-wasi/edge.d.mts. */
export function init(wasm) {
  started ??= compiled(wasm).then(start);
  // A module that could not be loaded can be tried again.
  started.catch(() => (started = undefined));
  return started;
}

function start(module) {
  if (typeof WeakRef !== 'function' || typeof FinalizationRegistry !== 'function') {
    throw new Error(
      'init(wasm): this runtime has no WeakRef and FinalizationRegistry, which the engine needs: ' +
        'in Cloudflare Workers set compatibility_date to 2025-05-05 or later',
    );
  }
  // In a microtask, which belongs to the request that asked for the work: a worker refuses timers outside of a request, where garbage is
  // collected, and cancels a request that waits for a timer of another one.
  const functions = instantiate(
    module,
    (name) => vocabularies.get(name),
    MEMORY,
    (work) => queueMicrotask(work),
  );
  if (functions.engineVersion() !== VERSION) {
    throw new Error(`the engine that init() was given is version ${functions.engineVersion()}, not ${VERSION}`);
  }
  Object.setPrototypeOf(Object.assign(engine, functions), null);
}

async function compiled(wasm) {
  const source = await wasm;
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return compile(source);
  if (typeof Response === 'function' && source instanceof Response) {
    if (!source.ok) throw new Error(`the engine could not be fetched: ${source.status} ${source.statusText} (${source.url})`);
    return compile(await source.arrayBuffer());
  }
  throw new TypeError('init(wasm): wasm must be a WebAssembly.Module, its bytes, or a Response with them');
}

async function compile(bytes) {
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    // Bytes of a module that are not compiled: nothing is wrong with them, but the runtime forbids it.
    if (!WebAssembly.validate(bytes)) throw cause;
    throw new Error(
      'init(wasm): this runtime compiles no WebAssembly from bytes or a Response. In a worker, give the WebAssembly.Module of ' +
        "import wasm from '@palimpsest/engine-wasm32-wasi/palimpsest.wasm32-wasi.wasm'; " +
        "in a page, allow 'wasm-unsafe-eval' in script-src of its content security policy",
      { cause },
    );
  }
}

/** See npm/wasm32-wasi/edge.d.mts. */
export function loadVocabulary(name, bytes) {
  if (!NAMES.includes(name)) throw new TypeError(`loadVocabulary(name, bytes): name must be one of ${NAMES.join(', ')}`);
  if (bytes instanceof ArrayBuffer) vocabularies.set(name, new Uint8Array(bytes));
  else if (ArrayBuffer.isView(bytes)) vocabularies.set(name, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  else throw new TypeError('loadVocabulary(name, bytes): bytes must be a Uint8Array or an ArrayBuffer');
}

/** The exports of lib/index.ts, whose functions name themselves in the error that there is no engine yet. */
export const named = (exported) =>
  Object.fromEntries(
    Object.entries(exported).map(([name, value]) => [name, typeof value === 'function' ? (...given) => called(name, value, given) : value]),
  );

function called(name, work, given) {
  try {
    return work(...given);
  } catch (error) {
    if (error?.code === 'ERR_PALIMPSEST_LOAD') error.message = `${name}(): ${error.message}`;
    throw error;
  }
}
