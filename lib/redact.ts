// Texts without their secrets, before they are stored or handed to a summarizer.

import { types } from 'node:util';
import { describe } from './checks.js';

const REDACTED = '[redacted]';

/** Private keys in PEM, whose end may be cut off. */
const PEM = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\w+/=\s\\,:.]*(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g;

/** Keys of known services, the same as in crates/drop-in/src/classify/secrets.rs, and JSON Web Tokens. */
const KEYS = anyOf([
  /(?<![A-Za-z0-9-])sk-[\w-]{20,}/,
  /(?<!\w)AKIA[A-Z0-9]{16}(?!\w)/,
  /(?<!\w)gh[posrt]_[A-Za-z0-9]{36,}/,
  /(?<!\w)github_pat_\w{36,}/,
  /(?<!\w)[sr]k_(?:live|test)_[A-Za-z0-9]{24,}/,
  /(?<!\w)xox[bpra]-[A-Za-z0-9-]{20,}/,
  /(?<!\w)glpat-[\w-]{20,}/,
  /(?<!\w)npm_[A-Za-z0-9]{36,}/,
  /(?<!\w)AIza[\w-]{35,}/,
  /(?<!\w)SG\.[\w-]{20,}\.[\w-]{20,}/,
  /(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/,
]);

function anyOf(patterns: RegExp[]) {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'g');
}

/** What follows `Authorization: Bearer`, and the password in a URL. */
const CREDENTIALS = /(?<=\b(?:[Bb]earer|[Bb]asic) )[\w+/=.~-]{16,}|(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,100}:)[^\s@/]{1,200}(?=@)/g;

/** A token of a short prefix and 20 characters or more. Only one with a digit and a letter, and no words in it, is a key. */
const GENERIC = /(?<!\w)[A-Za-z][A-Za-z0-9]{1,14}[_-][\w-]{20,}/g;

function isKey(token: string) {
  const [, prefix, body] = token.match(/^([A-Za-z0-9]+)[_-](.*)$/) ?? ['', '', ''];
  return /[g-zG-Z]/.test(prefix.slice(1)) && /\d/.test(body) && /[A-Za-z]/.test(body) && !/[a-z]{2}-[a-z]{2,40}-/.test(body);
}

/** Replaces API keys, access tokens and private keys of known forms by `[redacted]`. See `index.d.ts`. */
export function redactSecrets(text: string) {
  if (typeof text !== 'string') throw new TypeError(`redactSecrets(): text must be a string, got ${describe(text)}`);
  return text
    .replace(PEM, REDACTED)
    .replace(KEYS, REDACTED)
    .replace(CREDENTIALS, REDACTED)
    .replace(GENERIC, (token) => (isKey(token) ? REDACTED : token));
}

/**
 * Returns the function of an option `redact`: the caller's, checked, or one that replaces all matches of the caller's patterns.
 *
 * @param redact a function or RegExps; undefined and null: texts stay as they are
 * @param caller name of the function in errors
 */
export function redactorOf(redact: unknown, caller: string): (text: string) => string {
  if (redact === undefined || redact === null) return (text) => text;
  if (typeof redact === 'function') {
    return (text) => {
      const answer = redact(text);
      if (typeof answer === 'string') return answer;
      throw new TypeError(`${caller}: options.redact must return a string, got ${describe(answer)}`);
    };
  }
  const patterns = (redact as RegExp[])
    .filter(types.isRegExp)
    .map(({ source, flags }) => new RegExp(source, `${flags.replace(/[gy]/g, '')}g`));
  return (text) => patterns.reduce((left, pattern) => left.replace(pattern, REDACTED), text);
}
