// The worker that __test__/edge.slow.test.mjs runs in workerd.
import cl100k from '@palimpsest/engine-wasm32-wasi/cl100k_base.bin';
import * as palimpsest from '@palimpsest/engine-wasm32-wasi/edge';
import wasm from '@palimpsest/engine-wasm32-wasi/palimpsest.wasm32-wasi.wasm';
import o200k from '@palimpsest/engine-wasm32-wasi/o200k_base.bin';
import { results } from 'calls.mjs';

const { countTokens, init, loadVocabulary } = palimpsest;

function failure(work) {
  try {
    return { returned: work() };
  } catch (error) {
    return { message: error.message };
  }
}

const count = () => countTokens([{ role: 'user', content: 'hello' }]);
const early = failure(count);

export default {
  async fetch() {
    await init(wasm);
    const unloaded = failure(count);
    loadVocabulary('o200k_base', o200k);
    loadVocabulary('cl100k_base', cl100k);
    return Response.json({ early, unloaded, hasNode: typeof process !== 'undefined', found: await results(palimpsest) });
  },
};
