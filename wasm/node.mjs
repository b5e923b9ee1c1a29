// The engine in WebAssembly for Node.js: it finds its files beside it.
import { readFileSync } from 'node:fs';
import { instantiate } from './instantiate.mjs';

/** Bytes of memory to start with. It grows. */
const MEMORY = 32 << 20;

const read = (name) => readFileSync(`${__dirname}/${name}`);

function vocabulary(name) {
  const file = `${name}.bin`;
  try {
    return read(file);
  } catch (cause) {
    const message =
      `palimpsest could not read ${file} of @palimpsest/engine-wasm32-wasi, which exact counts need: install that package again, ` +
      `copy ${file} beside palimpsest.wasm32-wasi.wasm where the app was bundled, or estimate tokens with tokenizer: 'estimate'`;
    throw Object.assign(new Error(message, { cause }), { code: 'ERR_PALIMPSEST_LOAD' });
  }
}

const module = new WebAssembly.Module(read('palimpsest.wasm32-wasi.wasm'));
export default instantiate(module, vocabulary, MEMORY, setImmediate);
