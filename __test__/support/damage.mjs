// Values whose shape is no longer what it was, as another version of an SDK would hand them in.

const isPlain = (value) => value !== null && typeof value === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(value));
/** Instances of a message class, into which damage goes; other instances are taken as a whole. */
const isMessage = (value) => typeof value?.getType === 'function';
const isOpen = (value) => Array.isArray(value) || isPlain(value) || isMessage(value);

/** A copy whose plain objects and lists are new; instances and functions are the same. */
export function copyOf(value) {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyOf(inner)]));
}

/**
 * The places in a value, each as a list of keys; `*` stands for all members of a list.
 *
 * @param {any} value
 * @param {number} [depth] most keys of a place
 * @returns {string[][]}
 */
export function placesIn(value, depth = 6) {
  const places = new Map();
  const walk = (inner, path) => {
    if (path.length > 0) places.set(path.join('.'), path);
    if (path.length === depth || !isOpen(inner)) return;
    if (Array.isArray(inner)) for (const member of inner) walk(member, [...path, '*']);
    else for (const key of Object.keys(inner)) walk(inner[key], [...path, key]);
  };
  walk(value, []);
  return [...places.values()];
}

/** Ways to damage a member of an object or a list. */
export const DAMAGES = {
  drop: (owner, key) => (Array.isArray(owner) ? owner.splice(key, 1) : delete owner[key]),
  rename(owner, key) {
    if (Array.isArray(owner)) return;
    owner[`${key}2`] = owner[key];
    delete owner[key];
  },
  wrap: (owner, key) => (owner[key] = { value: owner[key] }),
  'in a list': (owner, key) => (owner[key] = [owner[key]]),
  'as JSON': (owner, key) => (owner[key] = textOf(owner[key])),
  'its kind'(owner, key) {
    if (typeof owner[key] === 'string' && key === 'type') owner[key] = `${owner[key]}-2`;
  },
  undefined: (owner, key) => (owner[key] = undefined),
  null: (owner, key) => (owner[key] = null),
  'a number': (owner, key) => (owner[key] = 7),
  'a text': (owner, key) => (owner[key] = 'text'),
  'a list': (owner, key) => (owner[key] = []),
  'an object': (owner, key) => (owner[key] = {}),
};

function textOf(value) {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

/** Returns a copy of a value that is damaged at all that a place stands for. */
export function damaged(value, place, damage) {
  const go = (inner, [key, ...rest]) => {
    const made = isMessage(inner)
      ? Object.assign(Object.create(Object.getPrototypeOf(inner)), inner)
      : Array.isArray(inner)
        ? [...inner]
        : { ...inner };
    const keys = key === '*' && Array.isArray(made) ? [...made.keys()].reverse() : Object.hasOwn(made, key) ? [key] : [];
    for (const one of keys) {
      if (rest.length === 0) DAMAGES[damage](made, one);
      else if (isOpen(made[one])) made[one] = go(made[one], rest);
    }
    return made;
  };
  return go(copyOf(value), place);
}

/** The length of all texts in a value, in UTF-16 code units. */
export function lengthOf(value, seen = new Set()) {
  if (typeof value === 'string') return value.length;
  if (value === null || typeof value !== 'object' || seen.has(value) || ArrayBuffer.isView(value)) return 0;
  seen.add(value);
  return Object.values(value).reduce((sum, inner) => sum + lengthOf(inner, seen), 0);
}
