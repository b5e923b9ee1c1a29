const PRINT = 11;
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Judges what was restored, knowing what became of each message: every message that was left is what it stands for again or
 * as it was left, somebody's own messages are as they are, what went stands where it stood or nowhere, and at least as many keys
 * are named as there are things that are not as they were given.
 *
 * @param {object} history
 * @param {object[]} history.given before the cut
 * @param {object[]} history.left behind it
 * @param {{ message: object, of?: number }[]} history.list what somebody made of that: messages that were left, and their own
 * @param {{ messages: object[], missing: string[] }} history.back what was restored
 * @param {Record<string, object>} history.originals of which only the numbers of messages are read
 * @returns {boolean}
 */
export function explains({ given, left, list, back, originals }) {
  const { groups, gaps } = sourcesOf(given, left, originals);
  const known = new Map();
  const stands = (messages, at) =>
    messages.every((message, offset) => at + offset < back.messages.length && same(message, back.messages[at + offset]));
  /** The fewest things that are not as they were given, from a place in the list on; `gap`: the next run of what went. */
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
      // What went may stand on either side of somebody's own messages.
      if (stands(gaps[gap], at)) found.push(fewest(index, at + gaps[gap].length, gap + 1));
      found.push(1 + fewestIfLast(index, at, gap));
    } else found.push(consumed(index, at, gap));
    return Math.min(...found);
  };
  /** A run of what went that is not put back, here or behind the next of somebody's own messages. */
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

/** For each message that was left those that it stands for, and for each gap in front of one those that went there. */
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
