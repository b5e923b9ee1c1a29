// @ts-check
'use strict';

/**
 * Whether written messages consist of the parts that they were made of, with their edits: a format may write a value in another way than the
 * text says, and then its tokens have to be counted again. In steps.
 *
 * @param {import('../types.d.ts').Fitting} fitting
 * @param {import('../types.d.ts').Written} written
 * @param {number[]} fresh the indices of the messages that were written
 * @param {readonly import('../types.d.ts').Edit[]} edits
 * @param {Float64Array} left for each message of the conversation the tokens that are left of it; 0 where it was removed
 * @returns {import('../steps.js').Steps<boolean>}
 */
function* areAsEdited({ format, parts }, { messages, sources }, fresh, edits, left) {
  const edited = new Map();
  for (const edit of edits) edited.set(edit.part, edit);
  const found = yield* format.reading(fresh.map((index) => messages[index]));
  let next = 0;
  let place = 0;
  for (let copy = 0; copy < fresh.length; copy++) {
    const { first, last } = sources[fresh[copy]];
    while (parts[place].message < first) place++;
    for (; parts[place]?.message <= last; place++) {
      const part = parts[place];
      const edit = edited.get(part);
      if (left[part.message] === 0 || edit?.remove) continue;
      const there = found[next++];
      if (there?.message !== copy || there.kind !== part.kind || there.text !== (edit?.text ?? part.text)) return false;
    }
  }
  return next === found.length;
}

module.exports = { areAsEdited };
