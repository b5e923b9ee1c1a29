/** The engine for `init`: the `WebAssembly.Module` that an `import` of the file gives in a worker. */
declare const wasm: object;
export default wasm;
