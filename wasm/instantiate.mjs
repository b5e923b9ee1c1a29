// Makes the engine's functions of a WebAssembly.Module, with emnapi as its N-API and without anything of Node.js.
import { instantiateNapiModuleSync } from '@emnapi/core';
import asyncWork from '@emnapi/core/plugins/async-work';
import threadsafeFunction from '@emnapi/core/plugins/threadsafe-function';
import { createContext } from '@emnapi/runtime';

/** The vocabularies by their numbers: `Tokenizer` in crates/tokens/src/tokenizer.rs. */
const VOCABULARIES = { 1: 'o200k_base', 2: 'cl100k_base' };
/** Bytes in a page of memory. */
const PAGE = 1 << 16;
/** What WASI calls success. */
const SUCCESS = 0;
/** `crypto.getRandomValues` fills no more bytes at once. */
const RANDOM = 1 << 16;

/**
 * @param {WebAssembly.Module} module
 * @param {(name: 'o200k_base' | 'cl100k_base') => Uint8Array | undefined} vocabulary returns the file of a vocabulary, if there is one
 * @param {number} initialMemory bytes
 * @param {(work: () => void) => void} schedule runs work of the engine later: what it does for calls that return promises, and freeing what was collected
 * @returns {typeof import('../binding')}
 */
export function instantiate(module, vocabulary, initialMemory, schedule) {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(initialMemory / PAGE), maximum: 65536 });
  const bytes = (at, length) => new Uint8Array(memory.buffer, at, length);
  /** The file that the engine asked for the length of, and reads next. */
  let file;
  const context = createContext({ features: { setImmediate: schedule } });
  // The engine works until the process ends: its listeners may still call it while that happens.
  context.suppressDestroy();
  const { napiModule } = instantiateNapiModuleSync(module, {
    context,
    asyncWorkPoolSize: 0,
    plugins: [asyncWork, threadsafeFunction],
    overwriteImports: (imports) => ({
      ...imports,
      env: { ...imports.env, ...imports.napi, ...imports.emnapi, memory },
      palimpsest: {
        vocabulary_length(number) {
          file = vocabulary(VOCABULARIES[number]);
          return file?.length ?? 0;
        },
        read_vocabulary(at) {
          bytes(at, file.length).set(file);
          file = undefined;
        },
      },
      wasi_snapshot_preview1: wasi(memory, bytes),
    }),
    beforeInit({ instance }) {
      instance.exports._initialize();
      for (const [name, register] of Object.entries(instance.exports)) if (name.startsWith('__napi_register__')) register();
    },
  });
  return napiModule.exports;
}

/** What Rust's standard library asks a system for: random bytes for its hash tables, the time, and a place to report a panic. */
function wasi(memory, bytes) {
  const view = () => new DataView(memory.buffer);
  return {
    random_get(at, length) {
      for (let start = 0; start < length; start += RANDOM) crypto.getRandomValues(bytes(at + start, Math.min(RANDOM, length - start)));
      return SUCCESS;
    },
    clock_time_get(_clock, _precision, at) {
      view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return SUCCESS;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return SUCCESS;
    },
    environ_get: () => SUCCESS,
    fd_write: (_file, buffers, count, written) => {
      let text = '';
      let length = 0;
      for (let index = 0; index < count; index++) {
        const [at, size] = [0, 4].map((offset) => view().getUint32(buffers + 8 * index + offset, true));
        text += new TextDecoder().decode(bytes(at, size));
        length += size;
      }
      console.error(text);
      view().setUint32(written, length, true);
      return SUCCESS;
    },
    proc_exit(code) {
      throw new Error(`the engine ended with code ${code}`);
    },
  };
}
