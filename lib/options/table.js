// @ts-check
'use strict';

// All functions with options, and where the table of their options is: names, kinds and defaults, from which the texts of errors are
// derived. A table is loaded when it is first needed, because the first call of a process should load no more than its own.

/** @typedef {import('./shared.js').Option} Option */

/**
 * @typedef {object} Verb
 * @property {() => Record<string, Option>} options returns all its options, in the order of the checks
 * @property {string} [expected] description of an options object in errors
 * @property {(value: unknown) => boolean} isAbsent returns whether a value means that no options are given
 * @property {true} [isDropIn] takes whatever the package that this one replaces takes: an option with an unknown name is a warning, and an
 *   array is an object
 */

/** @param {unknown} value */
const none = (value) => value === undefined || value === null;
/** An index is what `sessions.map(compress)` passes. @param {unknown} value */
const noneOrIndex = (value) => value === undefined || typeof value === 'number';
const never = () => false;

const dropIn = () => require('./drop-in.js');
const agent = () => require('./agent.js');
const llm = () => require('./llm.js');
const session = () => require('./session.js');

/** @type {Record<string, Verb>} */
const VERBS = {
  compress: { options: () => dropIn().compress, isAbsent: noneOrIndex, isDropIn: true },
  uncompress: { options: () => dropIn().uncompress, isAbsent: none, isDropIn: true },
  prune: { options: () => agent().prune, isAbsent: never },
  fit: { options: () => agent().fit, expected: 'an object with a budget', isAbsent: never },
  fitRequest: { options: () => agent().fitRequest, isAbsent: none },
  createSession: { options: () => session().createSession, expected: 'an object with a limit or a window', isAbsent: never },
  saveOriginals: { options: () => session().saveOriginals, isAbsent: none },
  countTokens: { options: () => agent().countTokens, isAbsent: none },
  recall: { options: () => agent().recall, isAbsent: none },
  validate: { options: () => agent().validate, isAbsent: none },
  warmUp: { options: () => agent().warmUp, isAbsent: none },
  createSummarizer: { options: () => llm().createSummarizer, isAbsent: none, isDropIn: true },
  createEscalatingSummarizer: { options: () => llm().createEscalatingSummarizer, isAbsent: none, isDropIn: true },
  createClassifier: { options: () => llm().createClassifier, isAbsent: none, isDropIn: true },
  createEscalatingClassifier: { options: () => llm().createClassifier, isAbsent: none, isDropIn: true },
  refineSummarizer: { options: () => llm().refined, isAbsent: never, isDropIn: true },
  tightenSummarizer: { options: () => llm().refined, isAbsent: never, isDropIn: true },
  refineSummarizerCandidates: { options: () => llm().refined, isAbsent: never, isDropIn: true },
};

module.exports = { none, VERBS };
