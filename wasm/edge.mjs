// `init` and `loadVocabulary` of palimpsest/edge. scripts/wasm.mjs bundles them with index.js.
import { instantiate } from './instantiate.mjs';
import engine from './slot.cjs';

/** Bytes of memory to start with. It grows; a worker may have no more than 128 MiB. */
const MEMORY = 16 << 20;
const NAMES = ['o200k_base', 'cl100k_base'];

const vocabularies = new Map();
let started;

/** See edge.d.mts. */
export function init(wasm) {
  started ??= compiled(wasm).then(start);
  // A module that could not be loaded can be tried again.
  started.catch(() => (started = undefined));
  return started;
}

function start(module) {
  const functions = instantiate(module, (name) => vocabularies.get(name), MEMORY);
  if (functions.engineVersion() !== VERSION) {
    throw new Error(`the engine that init() was given is version ${functions.engineVersion()}, not ${VERSION}`);
  }
  Object.setPrototypeOf(Object.assign(engine, functions), null);
}

async function compiled(wasm) {
  const source = await wasm;
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  if (typeof Response === 'function' && source instanceof Response) {
    if (!source.ok) throw new Error(`the engine could not be fetched: ${source.status} ${source.statusText} (${source.url})`);
    return WebAssembly.compile(await source.arrayBuffer());
  }
  throw new TypeError('init(wasm): wasm must be a WebAssembly.Module, its bytes, or a Response with them');
}

/** See edge.d.mts. */
export function loadVocabulary(name, bytes) {
  if (!NAMES.includes(name)) throw new TypeError(`loadVocabulary(name, bytes): name must be one of ${NAMES.join(', ')}`);
  if (bytes instanceof ArrayBuffer) vocabularies.set(name, new Uint8Array(bytes));
  else if (ArrayBuffer.isView(bytes)) vocabularies.set(name, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  else throw new TypeError('loadVocabulary(name, bytes): bytes must be a Uint8Array or an ArrayBuffer');
}
