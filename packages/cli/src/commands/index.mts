/** Streams and settings of a process, so that tests need none. */
export interface Io {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  stderr: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  env: NodeJS.ProcessEnv;
  /** folder that relative paths start from */
  cwd: string;
  /** time in ms since 1970 */
  now: () => number;
}

export interface Option {
  /** `tokens`: a count such as 100k, given as a number; `count`: an integer from 0; `share`: `2%` or `0.02`, given as a number above 0 and at most 1 */
  type: 'boolean' | 'string' | 'tokens' | 'count' | 'share';
  /** what it does, in one line */
  text: string;
  /** name of its value in the help, in capitals. Default `VALUE` */
  value?: string;
  /** a letter */
  short?: string;
  /** the only values */
  choices?: readonly string[];
  /** whether its value is a path, for completions */
  isFile?: boolean;
}

export type Options = Record<string, Option>;

/** The value of an option: one of its choices, a text, a number; `true` of one that takes none. */
type Value<One extends Option> = One['type'] extends 'boolean'
  ? true
  : One['type'] extends 'string'
    ? One extends { choices: readonly (infer Choice)[] }
      ? Choice
      : string
    : number;

/** Values by the names of options, as they were given. */
export type Given = Record<string, true | string | number | undefined>;

/** Values by the names of their options, and of those that every command has; absent where none is given. */
export type Values<Known extends Options> = { [Name in keyof Known]?: Value<Known[Name]> } & { quiet?: true; help?: true };

export interface Invocation<Known extends Options = Options> {
  values: Values<Known>;
  positionals: string[];
  io: Io;
}

export interface Command<Known extends Options = Options> {
  name: string;
  /** one line */
  summary: string;
  /** its positional arguments, such as `[FILE]` */
  usage: string;
  /** maximum number of them */
  positionals: number;
  /** paragraphs of the help, one string each */
  notes?: readonly string[];
  options: Known;
  examples: readonly (readonly [line: string, meaning: string])[];
  /** Gives the exit code; 0 by default. */
  run(invocation: Invocation<Known>): Promise<number | undefined>;
}

/** Defines a command: its options tell the types of their values. */
export const defineCommand = <const Known extends Options>(command: Command<Known>) => command as Command;

/** All commands, loaded when they are used. */
export const COMMANDS: Record<string, () => Promise<{ command: Command }>> = {
  report: () => import('./report.mjs'),
  fit: () => import('./fit.mjs'),
  prune: () => import('./prune.mjs'),
  compress: () => import('./compress.mjs'),
  restore: () => import('./restore.mjs'),
  validate: () => import('./validate.mjs'),
  count: () => import('./count.mjs'),
  why: () => import('./why.mjs'),
  context: () => import('./context.mjs'),
  check: () => import('./check.mjs'),
  proxy: () => import('./proxy.mjs'),
  watch: () => import('./watch.mjs'),
  completions: () => import('./completions.mjs'),
};
