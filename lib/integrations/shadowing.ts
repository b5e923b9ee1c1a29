// Shadow requests of a client: they go out behind the answer to the caller's own request, and never touch it.

import { firstOf } from '../providers/request.js';
import { shadow as OPTION } from '../options/shadow.js';
import { createShadow } from '../shadow/index.js';
import { turn as nextTurn } from '../turns.js';
import type { SessionStep, Shadow } from '../../index.js';
import type { Shape } from '../providers/request.js';
import type { Integration } from './core.js';

/** The table of the option. */
export const SHADOW = { shadow: OPTION };

/** Returns what compares the requests of a client; undefined if the caller doesn't want that. */
export const shadowOf = ({ options }: Integration): Shadow | undefined =>
  options.shadow == null ? undefined : createShadow(options.shadow);

/** A request that was sampled. */
export interface Trial {
  /** takes the answer to the caller's own request, or a value of its stream */
  see: (value: unknown) => void;
  /** sends the shadow requests, once the caller has the answer; only the first call counts. `send` returns an answer or its stream */
  finish: (send: (whole: object) => PromiseLike<unknown>) => void;
}

/**
 * Takes a request whose messages were chosen.
 *
 * @param request as the caller gave it. Agents add to the list of its messages, so that it is copied
 * @returns undefined if it isn't sampled, or nothing of it was cut
 */
export function trialOf(
  shadow: Shadow,
  step: SessionStep<object>,
  request: Record<string, unknown>,
  { format, messages: key, output }: Shape,
): Trial | undefined {
  if (step.tokens.after >= step.tokens.before) return undefined;
  const list = request[key];
  const whole = { ...request, [key]: Array.isArray(list) ? [...list] : list };
  const maxOutputTokens: number | undefined = firstOf(request, output)?.value;
  const trial = shadow.sample({ format, whole: () => whole, tokens: step.tokens.before, maxOutputTokens });
  if (trial === undefined) return undefined;
  let isFinished = false;
  const finish: Trial['finish'] = async (send) => {
    if (isFinished) return;
    isFinished = true;
    await nextTurn();
    await trial.run((see) => ask(() => send(whole), see));
  };
  return { see: trial.see, finish };
}

/** Sends a whole request. Returns false if the provider refused it. */
async function ask(send: () => PromiseLike<unknown>, see: (value: unknown) => void) {
  let answer: Partial<AsyncIterable<unknown>> | null | undefined;
  try {
    answer = (await send()) as typeof answer;
  } catch (error) {
    if (typeof (error as { status?: unknown } | undefined)?.status === 'number') return false;
    throw error;
  }
  if (typeof answer?.[Symbol.asyncIterator] !== 'function') see(answer);
  else for await (const value of answer as AsyncIterable<unknown>) see(value);
  return true;
}
