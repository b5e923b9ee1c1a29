/** A vocabulary for `loadVocabulary`: the bytes that an `import` of the file gives in a worker. */
declare const bytes: ArrayBuffer;
export default bytes;
