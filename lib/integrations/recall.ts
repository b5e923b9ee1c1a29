// The recall tool in an SDK: it finds the session of the conversation that a call belongs to.

import { toolFor } from '../session/recall-tool.js';
import type { Integration } from './core.js';

/**
 * Returns the recall tool in a neutral shape, for the conversations of one client.
 *
 * @param all its integrations
 * @returns `keys` identify the call
 */
export function recallToolOf(...all: Integration[]): {
  name: string;
  description: string;
  parameters: ReturnType<typeof toolFor>['parameters'];
  execute: (input: unknown, ...keys: unknown[]) => string;
} {
  for (const integration of all) integration.offerRecall();
  const tool = toolFor((keys: unknown[]) => sessionFor(all, keys));
  return { ...tool, execute: (input, ...keys) => tool.execute(input, keys) };
}

/** A JSON schema, as far as that of the recall tool goes. */
interface Schema {
  readonly type: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
}

/** A JSON schema as Gemini's own `Schema`, which every version of Google's SDKs sends. */
export function geminiSchema({ additionalProperties, type, properties, ...rest }: Schema): object {
  const inner = properties && Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, geminiSchema(schema)]));
  return { ...rest, type: type.toUpperCase(), ...(inner && { properties: inner }) };
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
