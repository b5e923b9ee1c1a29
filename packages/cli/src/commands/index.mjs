// @ts-check

/**
 * Streams and settings of a process, so that tests need none.
 *
 * @typedef {object} Io
 * @property {NodeJS.ReadableStream & { isTTY?: boolean }} stdin
 * @property {NodeJS.WritableStream & { isTTY?: boolean, columns?: number }} stdout
 * @property {NodeJS.WritableStream & { isTTY?: boolean, columns?: number }} stderr
 * @property {NodeJS.ProcessEnv} env
 * @property {string} cwd folder that relative paths start from
 * @property {() => number} now time in ms since 1970
 */

/**
 * @typedef {object} Option
 * @property {'boolean' | 'string' | 'tokens' | 'count' | 'share'} type `tokens`: a count such as 100k, given as a number; `count`: an integer from
 *   0; `share`: `2%` or `0.02`, given as a number above 0 and at most 1
 * @property {string} text what it does, in one line
 * @property {string} [value] name of its value in the help, in capitals. Default `VALUE`
 * @property {string} [short] a letter
 * @property {readonly string[]} [choices] the only values
 * @property {boolean} [isFile] whether its value is a path, for completions
 */

/**
 * @typedef {object} Invocation
 * @property {Record<string, any>} values by the name of the option; absent without a value
 * @property {string[]} positionals
 * @property {Io} io
 */

/**
 * @typedef {object} Command
 * @property {string} name
 * @property {string} summary one line
 * @property {string} usage its positional arguments, such as `[FILE]`
 * @property {number} positionals maximum number of them
 * @property {readonly string[]} [notes] paragraphs of the help, one string each
 * @property {Record<string, Option>} options
 * @property {readonly (readonly [line: string, meaning: string])[]} examples
 * @property {(invocation: Invocation) => Promise<number | void>} run gives the exit code; 0 by default
 */

/** All commands, loaded when they are used. @type {Record<string, () => Promise<{ command: Command }>>} */
export const COMMANDS = {
  report: () => import('./report.mjs'),
  fit: () => import('./fit.mjs'),
  prune: () => import('./prune.mjs'),
  compress: () => import('./compress.mjs'),
  restore: () => import('./restore.mjs'),
  validate: () => import('./validate.mjs'),
  count: () => import('./count.mjs'),
  proxy: () => import('./proxy.mjs'),
  watch: () => import('./watch.mjs'),
  completions: () => import('./completions.mjs'),
};
