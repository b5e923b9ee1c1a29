const PRINT = 11;
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Judges restored messages, given what happened to each of them: a message that the cut left is restored or as the cut left it, the
 * user's own messages are unchanged, a removed message is back at its place or absent, and at least as many keys are missing as there
 * are messages that differ from the given ones.
 *
 * @param {object} history
 * @param {object[]} history.given before the cut
 * @param {object[]} history.left after the cut
 * @param {{ message: object, of?: number }[]} history.list after the user's edits: messages that were left, and the user's own
 * @param {{ messages: object[], missing: string[] }} history.back the restored messages
 * @param {Record<string, object>} history.originals of which only the numbers of messages are read
 * @returns {boolean}
 */
export function explains({ given, left, list, back, originals }) {
  const { groups, gaps } = sourcesOf(given, left, originals);
  const known = new Map();
  const stands = (messages, at) =>
    messages.every((message, offset) => at + offset < back.messages.length && same(message, back.messages[at + offset]));
  /** Returns the smallest number of differences from the given messages, from a place in the list on; `gap`: the next run of removed messages. */
  const fewest = (index, at, gap) => {
    const key = `${index} ${at} ${gap}`;
    if (!known.has(key)) known.set(key, search(index, at, gap));
    return known.get(key);
  };
  const search = (index, at, gap) => {
    const next = list.slice(index).find(({ of }) => of !== undefined)?.of ?? left.length;
    const found = [];
    if (gap <= next) {
      if (gaps[gap].length === 0) return fewest(index, at, gap + 1);
      // Removed messages may be on either side of the user's own messages.
      if (stands(gaps[gap], at)) found.push(fewest(index, at + gaps[gap].length, gap + 1));
      found.push(1 + fewestIfLast(index, at, gap));
    } else found.push(consumed(index, at, gap));
    return Math.min(...found);
  };
  /** A run of removed messages that is not put back, here or after the next of the user's own messages. */
  const fewestIfLast = (index, at, gap) => {
    const own = list[index] && list[index].of === undefined;
    const here = fewest(index, at, gap + 1);
    return own && stands([list[index].message], at) ? Math.min(here, fewest(index + 1, at + 1, gap) - 1) : here;
  };
  const consumed = (index, at, gap) => {
    if (index === list.length) return at === back.messages.length ? 0 : Infinity;
    const { message, of } = list[index];
    if (of === undefined) return stands([message], at) ? fewest(index + 1, at + 1, gap) : Infinity;
    const group = groups[of];
    const whole = stands(group, at) ? fewest(index + 1, at + group.length, of + 1) : Infinity;
    const cut = stands([message], at) ? fewest(index + 1, at + 1, of + 1) : Infinity;
    return Math.min(whole, cut + (group.length === 1 && same(group[0], message) ? 0 : 1));
  };
  return fewest(0, 0, 0) <= back.missing.length;
}

/** Returns, for each message that was left, the messages that it stands for, and for each gap before one the messages removed there. */
function sourcesOf(given, left, originals) {
  const cuts = Object.values(originals).filter(({ now }) => now !== undefined);
  const at = (index, count) => cuts.find((entry) => entry.at === index && entry.now.length === count);
  const size = (entry) => entry.of.length / PRINT;
  let from = 0;
  const take = (count) => {
    from += count;
    return given.slice(from - count, from);
  };
  const gaps = [];
  const groups = left.map((_, index) => {
    const gone = at(index, 0);
    gaps.push(gone ? take(size(gone)) : []);
    const written = at(index, 1);
    return take(written ? size(written) : 1);
  });
  const gone = at(left.length, 0);
  gaps.push(gone ? take(size(gone)) : []);
  if (from !== given.length) throw new Error("the originals don't cover what was given");
  return { groups, gaps };
}
