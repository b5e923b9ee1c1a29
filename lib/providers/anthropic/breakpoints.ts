import { THINKING } from './recognise.js';

/** What is read of Anthropic's messages and of the blocks in them. */
type Message = { content?: unknown };
type Block = { type: string; text?: string; content?: unknown; cache_control?: { ttl?: unknown } };

/** Breakpoints that a request may have. */
export const MOST = 4;
/** Number of blocks before a breakpoint in which Anthropic looks for a cached prefix. */
const LOOKBACK = 20;
const HOUR = 3_600_000;

/** The end of the first `end` messages; of the last one of them only the blocks `before` one count. */
type Place = { end: number; before?: number };

/**
 * Messages of Anthropic's with breakpoints where they pay, as copies: at the end, so that the request is cached; at the end of the last
 * request, where it may be too far from there to be found; at the end of what the last epoch made, which stays whatever is undone; at the end of
 * what the next epoch leaves of it.
 *
 * @param places how many messages the last request had in common with this one if it is all of them, or 0; how many the last epoch made; how
 * many blocks the next one leaves; how long the cache lives, in ms
 */
export function withBreakpoints(
  messages: readonly object[],
  { last, epoch, head, ttl, system, tools }: { last: number; epoch: number; head: number; ttl: number; system: unknown; tools: unknown },
) {
  const own = [...markersIn(system), ...markersIn(tools), ...messages.flatMap(({ content }: Message) => markersIn(content))];
  // A breakpoint that lives longer must not follow one that lives shorter.
  const marker = ttl >= HOUR && own.every((other) => other?.ttl === '1h') ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' };
  const isFar = last > 0 && blocksIn(messages.slice(last)) >= LOOKBACK;
  const result = messages.slice();
  let left = MOST - own.length;
  for (const place of [{ end: messages.length }, ...(isFar ? [{ end: last }] : []), { end: epoch }, placeBehind(messages, head)]) {
    if (left <= 0) break;
    if (mark(result, place, marker)) left--;
  }
  return result;
}

/** The place behind the first `count` blocks. */
function placeBehind(messages: readonly object[], count: number): Place {
  let left = count;
  for (let index = 0; index < messages.length; index++) {
    const { length } = blocksOf(messages[index]);
    if (left <= length) return { end: index + 1, before: left };
    left -= length;
  }
  return { end: messages.length };
}

/** The blocks of a message; a text is one. */
export const blocksOf = ({ content }: Message): Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Block[]);

/** Marks the last block before a place that takes a breakpoint; returns whether the breakpoint is new. */
function mark(messages: object[], { end, before = Infinity }: Place, marker: object) {
  for (let index = end - 1; index >= 0; index--) {
    const blocks = blocksOf(messages[index]);
    const place = blocks.findLastIndex((block, at) => takesMark(block) && (index < end - 1 || at < before));
    if (place < 0) continue;
    if (blocks[place].cache_control) return false;
    messages[index] = { ...messages[index], content: blocks.with(place, { ...blocks[place], cache_control: marker }) };
    return true;
  }
  return false;
}

const takesMark = ({ type, text }: Block) => !THINKING.has(type) && (type !== 'text' || (text as string).trim() !== '');

/** The breakpoints of blocks or tools; those in the content of results count as well. */
function markersIn(blocks: unknown): { ttl?: unknown }[] {
  if (!Array.isArray(blocks)) return [];
  return blocks.flatMap((block: Partial<Block> | null) => [
    ...(block?.cache_control ? [block.cache_control] : []),
    ...(block?.type === 'tool_result' ? markersIn(block.content) : []),
  ]);
}

const blocksIn = (messages: object[]) => messages.reduce((sum, message) => sum + blocksOf(message).length, 0);
