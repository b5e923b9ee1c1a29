import { isObject, stringOf, tokensOf } from './transcripts/values.mjs';
import type { Json } from './transcripts/values.mjs';
import type { Served, Usage } from './types.mjs';

/** Input tokens of a request, wherever they were read from. */
export const inputTokens = ({ input, cacheRead, cacheWrite }: Usage) => input + cacheRead + cacheWrite;

/** @returns undefined if nothing was sent */
export const unlessEmpty = (usage: Usage): Usage | undefined => (inputTokens(usage) === 0 ? undefined : usage);

/** Usage where the tokens from the cache are among those of the input. */
export function usageWithin(input: unknown, cached: unknown, output: number): Usage {
  const all = tokensOf(input);
  const cacheRead = Math.min(tokensOf(cached), all);
  return { input: all - cacheRead, cacheRead, cacheWrite: 0, output };
}

/** What says how usage was served and what it called, for another usage that takes its place. */
export const servedLike = ({ served, tools }: Usage): Pick<Usage, 'served' | 'tools'> => ({
  ...(served && { served }),
  ...(tools && { tools }),
});

/** Words for what has the usual price. */
const USUAL = new Set(['standard', 'default', 'auto', 'global', 'not_available']);

/** How a provider says that it served a request. @returns undefined if that has the usual price */
export function servedAs(said: { speed?: unknown; tier?: unknown; geo?: unknown }): Served | undefined {
  const served: Served = {};
  for (const key of ['speed', 'tier', 'geo'] as const) {
    const value = stringOf(said[key])?.toLowerCase();
    if (value !== undefined && !USUAL.has(value)) served[key] = value;
  }
  return Object.keys(served).length > 0 ? served : undefined;
}

/** Calls of Anthropic's own tools. What it fetches costs nothing but tokens. */
function toolsOf(used: unknown): Record<string, number> | undefined {
  if (!isObject(used)) return undefined;
  const calls = Object.entries(used).flatMap(([key, count]): [string, number][] =>
    key.endsWith('_requests') && key !== 'web_fetch_requests' && tokensOf(count) !== 0
      ? [[key.slice(0, -'_requests'.length).replaceAll('_', ' '), tokensOf(count)]]
      : [],
  );
  return calls.length > 0 ? Object.fromEntries(calls) : undefined;
}

/** Reads usage as Anthropic's API reports it. */
export function anthropicUsage({
  input_tokens,
  cache_read_input_tokens,
  cache_creation_input_tokens,
  cache_creation,
  output_tokens,
  speed,
  service_tier: tier,
  inference_geo: geo,
  server_tool_use,
}: Json): Usage {
  const cacheWrite = tokensOf(cache_creation_input_tokens);
  const cacheWriteHour = Math.min(cacheWrite, tokensOf(cache_creation?.ephemeral_1h_input_tokens));
  const served = servedAs({ speed, tier, geo });
  const tools = toolsOf(server_tool_use);
  return {
    input: tokensOf(input_tokens),
    cacheRead: tokensOf(cache_read_input_tokens),
    cacheWrite,
    ...(cacheWriteHour !== 0 && { cacheWriteHour }),
    output: tokensOf(output_tokens),
    ...(served && { served }),
    ...(tools && { tools }),
  };
}

const COUNTS = ['input', 'cacheRead', 'cacheWrite', 'output'] as const;

/**
 * The iterations of an answer that Anthropic bills beside its usage: compactions, advisors, and what those that its own tools led to read again
 * (https://platform.claude.com/docs/en/build-with-claude/compaction).
 *
 * @param usage as Anthropic's API reports it
 */
export function iterationsBeside(usage: Json): { model?: string; usage: Usage }[] {
  if (!Array.isArray(usage.iterations)) return [];
  const list = usage.iterations.filter(isObject).map((one) => {
    const model = stringOf(one.model);
    const { served } = anthropicUsage(usage);
    const own = { ...anthropicUsage(one), ...(served && { served }) };
    return { isApart: one.type === 'compaction' || one.type === 'advisor_message', ...(model !== undefined && { model }), usage: own };
  });
  const whole = anthropicUsage(usage);
  const rest = (ones: typeof list) => {
    const sum = { ...whole };
    for (const key of COUNTS) sum[key] = ones.reduce((total, one) => total + one.usage[key], 0) - whole[key];
    return sum;
  };
  // Some who write it down add all of them up.
  if (COUNTS.every((key) => rest(list)[key] <= 0)) return [];
  const apart = list.filter(({ isApart }) => isApart).map(({ isApart, ...one }) => one);
  const { cacheWriteHour, tools, ...more } = rest(list.filter(({ isApart }) => !isApart));
  const isMore = COUNTS.every((key) => more[key] >= 0) && COUNTS.some((key) => more[key] > 0);
  return isMore ? [...apart, { usage: more }] : apart;
}
