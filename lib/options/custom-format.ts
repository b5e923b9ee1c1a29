import { mismatch } from '../checks.js';
import { oneOf } from './kinds.js';
import { FORMATS } from './presets.js';
import type { CustomFormat, FormatDefinition } from '../../index.js';
import type { Kind } from './kinds.js';

/** What callers defined, checked. */
const DEFINITIONS: WeakMap<CustomFormat, FormatDefinition<never>> = new WeakMap();

const vendor = oneOf(['openai', 'anthropic', 'gemini']);

/** See `index.d.ts`. */
export function defineFormat<T extends object>(definition: FormatDefinition<T>): CustomFormat<T> {
  const at = 'defineFormat(): definition';
  if (typeof definition !== 'object' || definition === null) throw mismatch(at, 'an object', definition);
  const { name, parts, provider } = definition;
  if (typeof name !== 'string' || name === '') throw mismatch(`${at}.name`, 'a name', name);
  if (name === 'auto' || FORMATS.includes(name)) throw new TypeError(`${at}.name must be a name of your own, got '${name}'`);
  if (typeof parts !== 'function') throw mismatch(`${at}.parts`, 'a function that lists the parts of a message', parts);
  if (provider != null) vendor(`${at}.provider`, provider, {});
  const format = Object.freeze({ name });
  DEFINITIONS.set(format, { name, parts, provider });
  return format;
}

/** What a caller defined. */
export const definitionOf = (format: CustomFormat) => DEFINITIONS.get(format) as FormatDefinition;

/** The name of a provider's format. */
export const formatName = oneOf([...FORMATS, 'auto']);

const named = oneOf([...FORMATS, 'auto'], ', or what defineFormat() returned');

/** The same, or a format that a caller defined. */
export const formatKind: Kind = (name, value, options) => {
  if (!DEFINITIONS.has(value as CustomFormat)) named(name, value, options);
};
