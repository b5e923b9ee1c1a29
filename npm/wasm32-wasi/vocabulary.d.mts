/** A vocabulary for `loadVocabulary` of `palimpsest/edge`: the bytes that an `import` of the file gives in a worker. */
declare const bytes: ArrayBuffer;
export default bytes;
