// A conversation as a session has it: played request by request, or saved by the program that had it.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Misuse, Problem } from '../errors.mjs';
import { requestsOf } from '../transcripts/messages.mjs';
import { LIMIT, LIMIT_OPTION } from './sessions.mjs';
import { checked, FORMAT, inputOf, library, MODEL, requestParts, SESSION } from './verbs.mjs';
import type { SavedSession, Session, SessionStep } from 'palimpsest';
import type { Input } from '../input.mjs';
import type { Invocation, Options } from './index.mjs';

export const PLAYED = {
  limit: LIMIT_OPTION,
  format: FORMAT,
  model: MODEL,
  session: SESSION,
} as const satisfies Options;

export const SAVED = {
  type: 'string',
  value: 'FILE',
  isFile: true,
  text: 'state that JSON.stringify(session) gave: answers for the requests that went out, in place of playing them',
} as const satisfies Options[string];

/** The numbers of messages that each request had: those of the transcript since the agent's last compaction, and last all messages. */
function lengthsOf({ messages, transcript }: Input) {
  const left = transcript === undefined ? 0 : transcript.messages.length - messages.length;
  const requests = transcript?.requests ?? requestsOf(messages);
  const lengths = requests.filter(({ from = 0 }) => from === left).map((request) => request.messages - left);
  return [...new Set([...lengths, messages.length])].filter((length) => length > 0).sort((a, b) => a - b);
}

async function savedIn(file: string, cwd: string): Promise<SavedSession> {
  try {
    return JSON.parse(await readFile(resolve(cwd, file), 'utf8'));
  } catch (error) {
    throw new Problem(`${file}: ${error instanceof SyntaxError ? 'is not JSON' : 'can’t be read'}`);
  }
}

/** Reads a conversation, and plays its requests within a limit, unless a state of its session was saved. */
export async function played(
  invocation: Invocation<typeof PLAYED>,
  saved?: string,
  onStep?: (step: SessionStep<object>) => void,
): Promise<{ session: Session; messages: object[]; input: Input }> {
  const { values, io } = invocation;
  const { createSession } = await library();
  const { input, shown } = await inputOf(invocation, 'playing');
  const { messages, format, options } = requestParts(input, values.format);
  if (messages.length === 0) throw new Problem(`${input.name}: has no messages`);
  const state = saved === undefined ? undefined : await savedIn(saved, io.cwd);
  try {
    const limit = values.limit ?? LIMIT;
    const settings = { ...options, format, limit, model: values.model, warn: false, now: () => io.now() };
    const session = checked(saved === undefined ? input : { ...input, name: saved }, () => createSession(settings, state));
    if (state === undefined)
      for (const length of lengthsOf(input)) {
        const step = checked(input, () => session.next(messages.slice(0, length)));
        onStep?.(step);
      }
    return { session, messages, input };
  } finally {
    shown.end();
  }
}

/** The text that is asked for, and where. */
export function askedIn([first, second]: string[], message: number | undefined) {
  if (message !== undefined) return { what: { message }, file: first };
  if (first === undefined || first.trim() === '') throw new Misuse('why needs a TEXT, or --message N');
  return { what: first, file: second };
}
