import type { Edit, Format, Part, Written } from '../types.js';
import type { Steps } from '../steps.js';

/**
 * Whether written messages consist of the parts that they were made of, with their edits: a format may write a value in another way than the
 * text says, and then its tokens have to be counted again. In steps.
 *
 * @param fresh the indices of the messages that were written
 * @param left for each message of the conversation the tokens that are left of it; 0 where it was removed
 */
export function* areAsEdited(
  { format, parts }: { format: Format; parts: readonly Part[] },
  { messages, sources }: Written,
  fresh: number[],
  edits: readonly Edit[],
  left: Float64Array,
): Steps<boolean> {
  const edited = new Map<Part, Edit>();
  for (const edit of edits) edited.set(edit.part, edit);
  const found = yield* format.reading(fresh.map((index) => messages[index]));
  let next = 0;
  let place = 0;
  for (let copy = 0; copy < fresh.length; copy++) {
    const { first, last } = sources[fresh[copy]];
    // Where messages are joined so that roles alternate, each one's role costs tokens, too, which the engine doesn't take off.
    if (first < last && format.alternating !== undefined) return false;
    while (parts[place].message < first) place++;
    for (; parts[place]?.message <= last; place++) {
      const part = parts[place];
      const edit = edited.get(part);
      if (left[part.message] === 0 || edit?.remove) continue;
      const there = found[next++];
      if (there?.message !== copy || there.kind !== kindOf(part, edit) || there.text !== (edit?.text ?? part.text)) return false;
    }
  }
  return next === found.length;
}

/** A note takes the place of an image or a document. */
const kindOf = ({ kind, call }: Part, edit: Edit | undefined) =>
  kind !== 'media' || edit === undefined ? kind : call === undefined ? 'text' : 'result';
