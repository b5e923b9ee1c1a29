// The tools of the model in an SDK: they find the session of the conversation that a call belongs to.

import { pinSaid } from '../session/index.js';
import { isPin, toolFor as pinToolFor } from '../session/pin-tool.js';
import { isRecall, toolFor } from '../session/recall-tool.js';
import type { Integration } from './core.js';

/** A tool of the model in a neutral shape, for the conversations of one client; `keys` identify the call. */
export interface NeutralTool {
  name: string;
  description: string;
  parameters: Schema & { type: 'object'; properties: Readonly<Record<string, Schema>> };
  execute: (input: unknown, ...keys: unknown[]) => string;
}

/**
 * Returns the recall tool of one client.
 *
 * @param all its integrations
 */
export function recallToolOf(...all: Integration[]): NeutralTool {
  for (const integration of all) integration.offerRecall();
  const tool = toolFor((keys: unknown[]) => sessionFor(all, keys));
  return { ...tool, execute: (input, ...keys) => tool.execute(input, keys) };
}

/**
 * Returns the tool that pins, of one client.
 *
 * @param all its integrations
 */
export function pinToolOf(...all: Integration[]): NeutralTool {
  const tool = pinToolFor((keys: unknown[]) => sessionFor(all, keys), pinSaid);
  return { ...tool, execute: (input, ...keys) => tool.execute(input, keys) };
}

/** Whether a tool is one of these, whose calls are told to the integration. */
export const isOwn = (name?: string) => isRecall(name) || isPin(name);

/** A JSON schema, as far as those of these tools go. */
type Schema = {
  readonly type: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  required?: string[];
  readonly additionalProperties?: boolean;
};

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
