// @ts-check
'use strict';

const { stepOf } = require('../checks.js');
const { meantBy } = require('./meant.js');
const { Names } = require('./names.js');
const { VERBS } = require('./table.js');
const { warnOnce } = require('./warnings.js');

/**
 * Refuses a name that is none of the options; in the drop-in's functions, warns of it once.
 *
 * @param {string} caller
 * @param {import('./table.js').Verb} table
 * @param {import('./index.js').Checks} checks
 * @param {Record<string, any>} given
 */
function checkNames(caller, table, checks, given) {
  checks.names ??= new Names(table.options());
  checks.names.check(given, 'options', (name, scopes) => {
    const text = `${caller}: ${scopes[0].at}${stepOf(name)} is not an option`;
    const help = helpWith(name, scopes, table);
    if (!table.isDropIn) throw new TypeError(`${text}: ${help}`);
    checks.rules.passOver(name);
    warnOnce(`${text} and has no effect: ${help}`, 'PALIMPSEST_UNKNOWN_OPTION', 'Warning');
  });
}

/**
 * Returns advice about an unknown name: the option that it may mean, the functions that have it, or the options that exist.
 *
 * @param {string} name
 * @param {import('./names.js').Scope[]} scopes the objects that it is in, from the inside out
 * @param {import('./table.js').Verb} table
 */
function helpWith(name, scopes, table) {
  const meant = meantBy(name, scopes);
  if (meant !== undefined) return `did you mean ${meant}?`;
  const others = Object.keys(VERBS).filter((verb) => VERBS[verb] !== table && Object.hasOwn(VERBS[verb].options(), name));
  if (others.length > 0) return `it is an option of ${others.join(', ')}`;
  return `the options are ${scopes[0].names.own().join(', ')}`;
}

module.exports = { checkNames };
