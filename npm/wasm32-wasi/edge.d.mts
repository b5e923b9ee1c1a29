// Types of the edge entry: its own functions and, where it is published, those of palimpsest after them.

/**
 * Starts the engine, before the first call of any other function but `loadVocabulary`. A second call waits for the first one.
 *
 * @param wasm `palimpsest.wasm32-wasi.wasm` of this package: the `WebAssembly.Module` that an `import` of it gives in Cloudflare Workers or Vercel's edge
 *   functions, its bytes, a `Response`, such as `fetch` gives in a browser, or a promise of one of these. Cloudflare Workers and Vercel's edge
 *   functions take the module alone
 * @throws {TypeError} `wasm` is none of these
 * @throws {Error} the engine is of another version, or could not be fetched; the runtime has no `WeakRef`, as Cloudflare Workers with a
 *   `compatibility_date` before 2025-05-05, or it does not compile bytes
 */
export function init(wasm: object): Promise<void>;

/**
 * Gives the engine a vocabulary, which exact counts need: everything that counts tokens with that `tokenizer`, `'o200k_base'` by default. Without it
 * such a call throws; with `tokenizer: 'estimate'` none is needed. The engine lays it out at the first count, which takes some tenths of a second.
 *
 * @param name the tokenizer
 * @param bytes `o200k_base.bin` or `cl100k_base.bin` of this package
 * @throws {TypeError} an argument is wrong; the error names it
 */
export function loadVocabulary(name: 'o200k_base' | 'cl100k_base', bytes: ArrayBuffer | ArrayBufferView): void;
