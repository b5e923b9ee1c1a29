// Stores that messages pass through between two calls.

export const viaJson = (value) => JSON.parse(JSON.stringify(value));

/** Sorts the keys of every object as `jsonb` does: the shorter first, then by their letters. */
export const sorted = (value) => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const keys = Object.keys(value).sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
};
