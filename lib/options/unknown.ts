import { stepOf } from '../checks.js';
import { meantBy } from './meant.js';
import { Names } from './names.js';
import { VERBS } from './table.js';
import { warnOnce } from './warnings.js';
import type { Verb } from './table.js';
import type { Checks } from './index.js';
import type { Scope } from './names.js';

/** Refuses a name that is none of the options; in the drop-in's functions, warns of it once. */
export function checkNames(caller: string, table: Verb, checks: Checks, given: Record<string, unknown>) {
  checks.names ??= new Names(table.options());
  checks.names.check(given, 'options', (name, scopes) => {
    const text = `${caller}: ${scopes[0].at}${stepOf(name)} is not an option`;
    const help = helpWith(name, scopes, table);
    if (!table.isDropIn) throw new TypeError(`${text}: ${help}`);
    checks.rules.passOver(name);
    warnOnce(`${text} and has no effect: ${help}`, 'PALIMPSEST_UNKNOWN_OPTION');
  });
}

/**
 * Returns advice about an unknown name: where its value goes, the option that it may mean, the functions that have it, or the options that exist.
 *
 * @param scopes the objects that it is in, from the inside out
 */
function helpWith(name: string, scopes: Scope[], table: Verb) {
  const { elsewhere } = table;
  if (elsewhere !== undefined && scopes.length === 1 && Object.hasOwn(elsewhere, name)) return elsewhere[name];
  const meant = meantBy(name, scopes);
  if (meant !== undefined) return `did you mean ${meant}?`;
  const others = Object.keys(VERBS).filter((verb) => VERBS[verb] !== table && Object.hasOwn(VERBS[verb].options(), name));
  if (others.length > 0) return `it is an option of ${others.join(', ')}`;
  return `the options are ${scopes[0].names.own().join(', ')}`;
}
