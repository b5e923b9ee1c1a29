import { describe, mismatch } from '../checks.js';
import { passInstead } from './meant.js';
import { none, VERBS } from './table.js';
import { checkNames } from './unknown.js';
import type { Option } from './shared.js';
import type { Rules } from './kinds.js';
import type { Names } from './names.js';
import type { Verb } from './table.js';
import type { Foreign } from '../types.js';
import type {
  CountTokensOptions,
  FitRequestSettings,
  FitSettings,
  PruneOptions,
  RecallOptions,
  SaveOriginalsOptions,
  SessionSettings,
  ShadowOptions,
  SummarySettings,
  ValidateOptions,
  WarmUpOptions,
} from '../../index.js';

export interface Checks {
  options: Record<string, Option>;
  rules: Rules;
  names?: Names;
}

/** The options of a function, as its public type has them. */
interface Public {
  fit: FitSettings<object>;
  fitAsync: FitSettings<object> & SummarySettings;
  fitRequest: FitRequestSettings<object>;
  fitRequestAsync: FitRequestSettings<object> & SummarySettings;
  prune: PruneOptions;
  recall: RecallOptions;
  createSession: SessionSettings<object>;
  createShadow: ShadowOptions;
  saveOriginals: SaveOriginalsOptions;
  countTokens: CountTokensOptions;
  validate: ValidateOptions;
  warmUp: WarmUpOptions;
}
type OptionsOf<V extends string> = V extends keyof Public ? Public[V] : Record<string, Foreign>;

const CHECKS: Map<string, Checks> = new Map();
const NONE: Record<string, unknown> = Object.freeze({});

/**
 * Checks the options of a function against the table, and returns them, or an empty object if none are given. `undefined` and `null`
 * mean the default. An unknown option is an error. In the drop-in's functions it has no effect, and causes one warning.
 *
 * @param verb the function's name
 * @throws {TypeError} the options are not an object, there is no such option, or one has the wrong type or is not one of the choices; the
 *   error names it
 * @throws {RangeError} a number is out of range
 */
export const checkOptions = <V extends string>(verb: V, given: unknown): OptionsOf<V> =>
  checkGiven(`${verb}()`, VERBS[verb], () => checksOf(verb), given) as OptionsOf<V>;

/**
 * As {@link checkOptions}, against a table of their own.
 *
 * @param caller name of the function in errors, with its parentheses
 * @param options all of them, in the order of the checks
 */
export function checkOwnOptions(caller: string, options: Record<string, Option>, given: unknown): Foreign {
  return checkGiven(caller, { options: () => options, isAbsent: none }, () => ({ options, rules: rulesOf(options) }), given);
}

function checkGiven(caller: string, table: Verb, checksFor: () => Checks, given: unknown) {
  const { expected = 'an object', isAbsent, isDropIn } = table;
  if (isAbsent(given)) return NONE;
  const at = `${caller}: options`;
  const isRefused = isDropIn ? given === null || typeof given !== 'object' : describe(given) !== 'object';
  if (isRefused && isDropIn) throw mismatch(at, expected, given);
  const checks = checksFor();
  if (isRefused) throw new TypeError(`${mismatch(at, expected, given).message}${passInstead(given, checks.options)}`);
  const own = given as Record<string, unknown>;
  if (checks.rules.areRight(own)) return own;
  // The drop-in takes arrays, buffers and the like for options, too; their members are no mistakes.
  if (!isDropIn || (describe(given) === 'object' && !ArrayBuffer.isView(given))) checkNames(caller, table, checks, own);
  checks.rules.check(own, at);
  return own;
}

const rulesOf = (options: Record<string, Option>) => new (require('./kinds.js') as typeof import('./kinds.js')).Rules(options);

function checksOf(verb: string): Checks {
  const known = CHECKS.get(verb);
  if (known !== undefined) return known;
  const options = VERBS[verb].options();
  const checks = { options, rules: rulesOf(options) };
  CHECKS.set(verb, checks);
  return checks;
}

/**
 * Copies the options of a function that are in the table, absent ones as undefined. Each is read once.
 *
 * @param verb the function's name
 */
export function copyOptions<V extends string>(verb: V, given: OptionsOf<V>): OptionsOf<V> {
  const copy: Record<string, unknown> = {};
  for (const name in checksOf(verb).options) copy[name] = (given as Record<string, unknown>)[name];
  return copy as OptionsOf<V>;
}

/** Returns the default of an option. */
export const defaultOf = (verb: string, name: string): any => checksOf(verb).options[name].default;
