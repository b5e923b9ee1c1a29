// What lib/ uses of node:util, for runtimes without it.

const tagOf = (value) => Object.prototype.toString.call(value).slice(8, -1);

const types = {
  isDate: (value) => value instanceof Date || tagOf(value) === 'Date',
  isPromise: (value) => value instanceof Promise,
  isRegExp: (value) => value instanceof RegExp || tagOf(value) === 'RegExp',
};

/** A value as an error message shows it. */
function inspect(value) {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return value.name ? `[Function: ${value.name}]` : '[Function (anonymous)]';
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return String(value);
  try {
    return JSON.stringify(value) ?? tagOf(value);
  } catch {
    return `[${tagOf(value)}]`; // a cycle, or a BigInt inside
  }
}

/** Whether two values of JSON are equal. */
function isDeepStrictEqual(one, other) {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isDeepStrictEqual(one[name], other[name]))
  );
}

export { inspect, isDeepStrictEqual, types };
