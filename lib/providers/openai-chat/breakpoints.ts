// OpenAI's explicit breakpoints, of Chat Completions and of Responses.

import type { OpenAI } from 'openai';

/** What is read of messages, items and the blocks in them. */
type Message = { role?: unknown; type?: unknown; content?: unknown; output?: unknown };
type Block = { type?: unknown; text?: unknown; prompt_cache_breakpoint?: unknown };

/** Breakpoints that a request writes beside the one that OpenAI puts at its end. */
const MOST = 3;
const MARKER: OpenAI.ChatCompletionContentPartText['prompt_cache_breakpoint'] &
  OpenAI.Responses.ResponseInputText['prompt_cache_breakpoint'] = {
  mode: 'explicit',
};
type Content = OpenAI.ChatCompletionContentPart | OpenAI.Responses.ResponseInputContent;
type MarkableType<C> = C extends { type: string } ? ('prompt_cache_breakpoint' extends keyof C ? C['type'] : never) : never;
/** Blocks that take a breakpoint: those of Chat Completions, then those of Responses. */
const MARKABLE: Record<MarkableType<Content>, true> = {
  text: true,
  image_url: true,
  input_audio: true,
  file: true,
  input_text: true,
  input_image: true,
  input_file: true,
};
const OUTPUTS = new Set<unknown>(['function_call_output', 'custom_tool_call_output']);
const INSTRUCTING = new Set<unknown>(['system', 'developer']);
/** Messages of Chat Completions whose text may be a block. In Responses, what the model said takes no breakpoint. */
const CHAT_ROLES = new Set<unknown>(['system', 'developer', 'user', 'tool', 'assistant']);
const ITEM_ROLES = new Set<unknown>(['system', 'developer', 'user']);

type Api = 'openai-chat' | 'openai-responses';

/**
 * Messages of OpenAI's with breakpoints where they pay, as copies: at the end of the instructions or, where the messages begin with none, of the
 * first message, which a cut leaves; and at the end of what the last epoch made, which stays whatever is undone. OpenAI itself puts one at the
 * end of a request. So no breakpoint moves from request to request: whether a text and a block of it are the same to the cache is not documented.
 *
 * @param epoch how many messages the last epoch made
 */
export function withBreakpoints(messages: readonly object[], epoch: number, api: Api) {
  const result = messages.slice();
  let left = MOST - messages.reduce((sum: number, message) => sum + markersIn(message), 0);
  for (const end of [frontOf(messages, api), epoch]) {
    if (left <= 0) break;
    if (mark(result, end, api)) left--;
  }
  return result;
}

/** Number of the first messages at whose end the first breakpoint is; 0: there is none. */
export function frontOf(messages: readonly object[], api: Api) {
  const end = messages.findIndex(({ role }: Message) => !INSTRUCTING.has(role));
  const lead = end < 0 ? messages.length : end;
  return placeIn(messages, Math.max(1, lead), api) + 1;
}

/** Index of the last of the first `end` messages that takes a breakpoint, or -1. */
function placeIn(messages: readonly object[], end: number, api: Api) {
  for (let index = Math.min(end, messages.length) - 1; index >= 0; index--) if (blockIn(messages[index], api) >= 0) return index;
  return -1;
}

/** Marks the end of the first `end` messages; returns whether the breakpoint is new. */
function mark(messages: object[], end: number, api: Api) {
  const index = placeIn(messages, end, api);
  if (index < 0) return false;
  const message = messages[index] as Record<string, unknown>;
  const key = keyOf(message);
  const blocks = blocksOf(message[key], api);
  const place = blockIn(message, api);
  if (blocks[place].prompt_cache_breakpoint) return false;
  messages[index] = { ...message, [key]: blocks.with(place, { ...blocks[place], prompt_cache_breakpoint: MARKER }) };
  return true;
}

/** Index of the block of a message that takes its last breakpoint, or -1. */
function blockIn(message: Message, api: Api) {
  const { role, type, output } = message;
  const isTaking = api === 'openai-chat' ? CHAT_ROLES.has(role) : ITEM_ROLES.has(role) || (OUTPUTS.has(type) && output !== undefined);
  return isTaking ? blocksOf(message[keyOf(message)], api).findLastIndex(takesMark) : -1;
}

const keyOf = ({ type }: Message) => (OUTPUTS.has(type) ? 'output' : 'content');

const blocksOf = (content: unknown, api: Api): Block[] =>
  typeof content === 'string'
    ? [{ type: api === 'openai-chat' ? 'text' : 'input_text', text: content }]
    : Array.isArray(content)
      ? (content as Block[])
      : [];

const takesMark = ({ type, text }: Block) => Object.hasOwn(MARKABLE, type as string) && (typeof text !== 'string' || text.trim() !== '');

const markersIn = (message: Message) => {
  const blocks = message[keyOf(message)];
  return Array.isArray(blocks) ? blocks.filter((block: Block | null) => block?.prompt_cache_breakpoint).length : 0;
};
