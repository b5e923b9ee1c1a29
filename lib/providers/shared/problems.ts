import { isObject } from '../../checks.js';
import { rules } from './rules.js';
import { show } from './shapes.js';
import type { Fields } from './shapes.js';
import type { Path } from '../../types.js';

/** `[14, 'content', 2]` → `'messages[14].content[2]'` */
function render(path: Path) {
  let text = 'messages';
  for (const key of path) text += typeof key === 'number' ? `[${key}]` : `.${key}`;
  return text;
}

/** Compares paths by their indices: the keys of an object have no order. */
function compare({ path: a }: { path: Path }, { path: b }: { path: Path }) {
  for (let level = 0; level < a.length && level < b.length; level++) {
    const [one, other] = [a[level], b[level]];
    if (one !== other && typeof one === 'number' && typeof other === 'number') return one - other;
  }
  return a.length - b.length;
}

/** Collects problems. They are sorted at the end, because an unanswered call is found only after later messages. */
export class Problems {
  #found: { rule: keyof typeof rules; path: Path; message: string }[] = [];

  /**
   * @param path where it stands in the messages
   * @param what the value there, with its id
   */
  add(rule: keyof typeof rules, path: Path, what: string) {
    this.#found.push({ rule, path, message: `${what}: ${rules[rule].why}` });
  }

  /**
   * Yields the entries that are objects, each with its index; reports any other.
   *
   * @param what what an entry is
   */
  *objects(entries: readonly unknown[], what: string = 'a message'): Generator<[number, Fields]> {
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index];
      if (isObject(entry)) yield [index, entry];
      else this.add('message-shape', [index], `${what} has to be an object, not ${show(entry)}`);
    }
  }

  /** Returns the problems by position; at one place, the wider first. */
  sorted() {
    return this.#found.sort(compare).map(({ rule, path, message }) => ({ rule, path: render(path), message }));
  }
}
