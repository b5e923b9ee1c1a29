// What a test of an agent asks: is it still in the request?
import { AssertionError } from 'node:assert';
import { formsOf } from './texts.js';
import type { AsyncSession, Session } from '../index.js';

const kindOf = (what: unknown) => (what === null ? 'null' : typeof what);

/** Whether a value holds a string that passes a test, at any depth. */
function hasText(value: unknown, passes: (text: string) => boolean): boolean {
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string' && passes(next)) return true;
    if (typeof next === 'object' && next !== null) waiting.push(...Object.values(next));
  }
  return false;
}

/**
 * Throws unless the last request of a session has a text, for tests with `node:test`, Vitest or Jest.
 *
 * Pinned and recalled texts count, and so does each string of the messages, such as an argument in JSON. Instructions and tools that are passed as
 * options do not.
 *
 * @param what a text, word for word, or a pattern
 * @param history that of the last request, for a session that was saved and has made none since
 * @throws {AssertionError} the request lacks it, or is not known. Where `what` is a text, the message is that of
 *   {@link Session.why}: when it went, why, and what brings it back
 * @throws {TypeError} `session` is none, `what` is neither a text that is not blank nor a RegExp, or `history` is missing
 * @example
 * import { createSession } from 'palimpsest';
 * import { expectKept } from 'palimpsest/testing';
 *
 * const session = createSession({ limit: 32_000 });
 * session.next([{ role: 'user', content: 'Never push to main.' }]);
 * expectKept(session, /never push/i);
 */
export function expectKept(
  session: Pick<Session | AsyncSession, 'at' | 'why' | 'report'>,
  what: string | RegExp,
  history?: readonly object[] | null,
): void {
  if (typeof session?.why !== 'function')
    throw new TypeError(`expectKept(): session must be what createSession returns, got ${kindOf(session)}`);
  if (!(what instanceof RegExp) && (typeof what !== 'string' || what.trim() === ''))
    throw new TypeError(
      `expectKept(): what must be a text that is not blank, or a RegExp, got ${typeof what === 'string' ? 'a blank text' : kindOf(what)}`,
    );
  const number = session.report.requests;
  const sent = number === 0 ? undefined : session.at(number, history);
  const failure = (message: string) =>
    new AssertionError({ message, actual: false, expected: true, operator: 'expectKept', stackStartFn: expectKept });
  if (sent === undefined) throw failure('expectKept(): the session has made no request');
  if (!sent.known) throw failure(`expectKept(): ${sent.text}`);
  // A pattern with the flag g or y goes on where it ended.
  const pattern = typeof what === 'string' ? undefined : new RegExp(what.source, what.flags.replace(/[gy]/g, ''));
  const forms = typeof what === 'string' ? formsOf(what) : [];
  const passes = (text: string) => (pattern === undefined ? forms.some((form) => text.includes(form)) : pattern.test(text));
  if (hasText(sent.messages, passes)) return;
  throw failure(
    typeof what === 'string'
      ? `expectKept(): request ${number} lacks it. ${session.why(what, history).summary}`
      : `expectKept(): nothing in request ${number} matches ${what}`,
  );
}
