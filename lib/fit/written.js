'use strict';

/**
 * Whether written messages consist of the parts that they were made of, with their edits: a format may write a value in another way than the
 * text says, and then its tokens have to be counted again. In steps.
 *
 * @param {import('./fitting.js').Fitting} fitting
 * @param {{ messages: object[], sources: { first: number, last: number }[] }} written
 * @param {number[]} fresh the indices of the messages that were written
 * @param {{ part: object, text?: string, remove?: true }[]} edits
 * @param {Float64Array} left for each message of the conversation the tokens that are left of it; 0 where it was removed
 * @returns {import('../steps.js').Steps<boolean>}
 */
function* areAsEdited({ format, parts }, { messages, sources }, fresh, edits, left) {
  const edited = new Map(edits.map((edit) => [edit.part, edit]));
  const found = yield* format.reading(fresh.map((index) => messages[index]));
  let next = 0;
  let place = 0;
  for (const [copy, index] of fresh.entries()) {
    const { first, last } = sources[index];
    while (parts[place].message < first) place++;
    for (; parts[place]?.message <= last; place++) {
      const part = parts[place];
      const edit = edited.get(part);
      if (left[part.message] === 0 || edit?.remove) continue;
      const { message, kind, text } = found[next] ?? {};
      if (message !== copy || kind !== part.kind || text !== (edit?.text ?? part.text)) return false;
      next++;
    }
  }
  return next === found.length;
}

module.exports = { areAsEdited };
