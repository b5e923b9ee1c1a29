// The switch that leaves requests as they come.

import { describe } from './checks.js';
import type { SessionSettings } from '../index.js';

/**
 * Whether requests go out as they came: the caller says so, or whoever started the process does.
 *
 * @param at what errors call the options
 * @throws {TypeError} `enabled` returns no boolean
 */
export function isOff({ enabled }: Pick<SessionSettings, 'enabled'>, at: string) {
  // At the edge there may be no process.
  if (globalThis.process?.env?.PALIMPSEST?.toLowerCase() === 'off') return true;
  const isOn: unknown = typeof enabled === 'function' ? enabled() : (enabled ?? true);
  if (typeof isOn !== 'boolean') throw new TypeError(`${at}.enabled must return true or false, got ${describe(isOn)}`);
  return !isOn;
}
