// @ts-check

/** Input tokens of a request, wherever they were read from. @param {import('./types.d.ts').Usage} usage */
export const inputTokens = ({ input, cacheRead, cacheWrite }) => input + cacheRead + cacheWrite;
