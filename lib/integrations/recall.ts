// The recall tool in an SDK: it finds the session of the conversation that a call belongs to.

import { mismatch } from '../checks.js';
import { toolFor } from '../session/recall-tool.js';
import { offerRecall } from '../session/index.js';
import type { Integration } from './core.js';

/** The integrations behind each object that a caller got. */
const integrations: WeakMap<object, Integration[]> = new WeakMap();

/**
 * Lets a caller create a recall tool from what an integration returned.
 *
 * @param all those that it uses
 */
export function withRecall<T extends object>(object: T, ...all: Integration[]): T {
  integrations.set(object, all);
  return object;
}

/**
 * Returns the recall tool in a neutral shape for what an integration returned, or for one session.
 *
 * @param expected description of what the integration returned
 * @returns `keys` identify the call
 * @throws {TypeError} it is neither
 */
export function recallToolOf(
  from: any,
  expected: string,
): { name: string; description: string; parameters: any; execute: (input: any, ...keys: any[]) => string } {
  const isObject = from !== null && (typeof from === 'object' || typeof from === 'function');
  const known = isObject ? integrations.get(from) : undefined;
  if (known === undefined && !(isObject && typeof from.recall === 'function' && typeof from.nextAsync === 'function'))
    throw mismatch('recallTool(): from', `${expected} or a session`, from);
  if (known === undefined) offerRecall(from);
  else for (const integration of known) integration.offerRecall();
  const tool = toolFor((keys) => (known === undefined ? from : sessionFor(known, keys)));
  return { ...tool, execute: (input, ...keys) => tool.execute(input, keys) };
}

/**
 * Returns the session of a call; undefined if it can't be told.
 *
 * @param all those of one client, of which each has the calls of one API
 * @param keys what may identify the call
 */
function sessionFor(all: Integration[], keys: unknown[]) {
  if (all[0].own !== undefined) return all[0].own;
  const asked = all.map((integration) => integration.askedBy(keys)).filter((one) => one !== undefined);
  if (asked.length === 0) return sole(all.map((integration) => integration.onlyFor(keys)).filter((session) => session !== undefined));
  const request = sole(asked);
  // A session that was given another request since then recalls what that one lacks, and it may be somebody else's.
  return request?.isLast ? request.session : undefined;
}

/** Returns what all of a list are; undefined if they differ, or if it is null. */
const sole = <T>(list: T[]): NonNullable<T> | undefined => (list.every((one) => one === list[0]) ? (list[0] ?? undefined) : undefined);

export { isRecall } from '../session/recall-tool.js';
