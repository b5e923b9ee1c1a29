// The breakpoints of caches that a session sets.

import { withBreakpoints as withAnthropic } from '../providers/anthropic/breakpoints.js';
import { frontOf, withBreakpoints as withOpenAI } from '../providers/openai-chat/breakpoints.js';
import { cacheOf } from './cache.js';
import type { Format } from '../types.js';
import type { Config } from './config.js';
import type { History } from './history.js';
import type { Sent } from './sent.js';

/** Formats with breakpoints that a session sets. */
const MARKED_FORMATS = ['anthropic', 'openai-chat', 'openai-responses'];

/** @throws {TypeError} a session can't set breakpoints in messages of this format */
export function checkMarked(caller: string, format: string) {
  if (!MARKED_FORMATS.includes(format))
    throw new TypeError(
      `${caller}: options.cacheControl is for messages of format 'anthropic', 'openai-chat' or 'openai-responses', got ${format}`,
    );
}

/**
 * OpenAI's API that messages go to, where it is certain that the session may set breakpoints for it: the model takes them, and is not called
 * through a gateway.
 */
function openAIFor({ model }: Config, { name }: Format) {
  const isTaking = model?.provider === 'openai' && model.isExplicit;
  return isTaking && (name === 'openai-chat' || name === 'openai-responses') ? name : undefined;
}

/**
 * Returns messages as they go out: with breakpoints, if the session sets them.
 *
 * @param last how many messages the last request had in common with this one if it is all of them, or 0
 */
export function marked(
  config: Config,
  format: Format,
  messages: object[],
  { last, sent, history }: { last: number; sent: Sent; history: History },
) {
  const { cacheControl, system, tools, cache } = config.options;
  if (!cacheControl) return messages;
  const { staying } = require('./head.js') as typeof import('./head.js');
  const { epoch, head } = staying(sent, history);
  if (format.name === 'anthropic')
    return withAnthropic(messages, { last, epoch, head, ttl: cacheOf(cache, config.model, format).ttl, system, tools });
  const api = openAIFor(config, format);
  return api === undefined ? messages : withOpenAI(messages, epoch, api);
}

/** Number of the first messages at whose end there is a breakpoint of the session's in every request; 0: there is none. */
export function markedFront(config: Config, format: Format, messages: readonly object[]) {
  const api = config.options.cacheControl ? openAIFor(config, format) : undefined;
  return api === undefined ? 0 : frontOf(messages, api);
}
