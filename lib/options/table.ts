import type { Option } from './shared.js';

// All functions with options, and where the table of their options is: names, kinds and defaults, from which the texts of errors are
// derived. A table is loaded when it is first needed, because the first call of a process should load no more than its own.

export interface Verb {
  /** returns all its options, in the order of the checks */
  options: () => Record<string, Option>;
  /** description of an options object in errors */
  expected?: string;
  /** returns whether a value means that no options are given */
  isAbsent: (value: unknown) => boolean;
  /** what is no option, but goes elsewhere: by name, what to do with it */
  elsewhere?: Record<string, string>;
  /** takes whatever the package that this one replaces takes: an option with an unknown name is a warning, and an array is an object */
  isDropIn?: true;
}

export const none = (value: unknown) => value === undefined || value === null;
/** An index is what `sessions.map(compress)` passes. */
const noneOrIndex = (value: unknown) => value === undefined || typeof value === 'number';
const never = () => false;

const BOUNDED = 'an object with limit, window or model';
const TO_NEXT = 'pass the history to next()';

const dropIn = () => require('./drop-in.js') as typeof import('./drop-in.js');
const agent = () => require('./agent.js') as typeof import('./agent.js');
const llm = () => require('./llm.js') as typeof import('./llm.js');
const session = () => require('./session.js') as typeof import('./session.js');
const shadow = () => require('./shadow.js') as typeof import('./shadow.js');

export const VERBS: Record<string, Verb> = {
  compress: { options: () => dropIn().compress, isAbsent: noneOrIndex, isDropIn: true },
  uncompress: { options: () => dropIn().uncompress, isAbsent: none, isDropIn: true },
  prune: { options: () => agent().prune, isAbsent: never },
  fit: { options: () => agent().fit, expected: BOUNDED, isAbsent: never },
  fitRequest: { options: () => agent().fitRequest, isAbsent: none },
  fitAsync: { options: () => agent().fitAsync, expected: BOUNDED, isAbsent: never },
  fitRequestAsync: { options: () => agent().fitRequestAsync, isAbsent: none },
  createSession: {
    options: () => session().createSession,
    expected: BOUNDED,
    isAbsent: never,
    elsewhere: { saved: 'pass the saved session as the second argument', messages: TO_NEXT, history: TO_NEXT },
  },
  createShadow: { options: () => shadow().createShadow, expected: 'an object with share and maxTokens', isAbsent: never },
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
