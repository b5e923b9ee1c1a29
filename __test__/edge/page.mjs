// The page that __test__/edge.slow.test.mjs bundles and opens in Chromium. The bundler gives the addresses of the files.
import cl100k from '@palimpsest/engine-wasm32-wasi/cl100k_base.bin';
import * as palimpsest from '@palimpsest/engine-wasm32-wasi/edge';
import o200k from '@palimpsest/engine-wasm32-wasi/o200k_base.bin';
import wasm from '@palimpsest/engine-wasm32-wasi/palimpsest.wasm32-wasi.wasm';
import { results } from './calls.mjs';

const { init, loadVocabulary } = palimpsest;
const bytesOf = async (address) => (await fetch(address)).arrayBuffer();

try {
  await init(fetch(wasm));
  loadVocabulary('o200k_base', await bytesOf(o200k));
  loadVocabulary('cl100k_base', await bytesOf(cl100k));
  globalThis.found = await results(palimpsest);
} catch (error) {
  globalThis.found = { failed: error.stack };
}
