// The engine in WebAssembly for Node.js: it finds its files beside it.
import { readFileSync } from 'node:fs';
import { instantiate } from './instantiate.mjs';

/** Bytes of memory to start with. It grows. */
const MEMORY = 32 << 20;

const read = (name) => readFileSync(`${__dirname}/${name}`);
const module = new WebAssembly.Module(read('palimpsest.wasm32-wasi.wasm'));
export default instantiate(module, (name) => read(`${name}.bin`), MEMORY);
