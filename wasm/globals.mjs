// The globals of Node.js that lib/ uses, for runtimes without them.
export { Buffer } from 'buffer';

export const process = {
  emitWarning: (text, { type, code }) => console.warn(`[${code}] ${type}: ${text}`),
};

/** Other work comes first, as in Node.js. */
export const setImmediate = (work, ...values) => setTimeout(work, 0, ...values);
