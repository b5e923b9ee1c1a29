import { isObject } from '../../checks.js';
// Compaction by the provider: a block, an item or a part that stands for all that is before it. Of several, the newest one counts.

import type { Compaction, Format, Part, Provider } from '../../types.js';

/** A block, an item or a part, as far as it may be a compaction. */
interface Block {
  type?: unknown;
  content?: unknown;
  encrypted_content?: unknown;
  kind?: unknown;
  text?: unknown;
  value?: unknown;
  providerData?: unknown;
  providerOptions?: unknown;
  providerMetadata?: unknown;
}
type Options = { anthropic?: { type?: unknown } | null } | null | undefined;

/**
 * Returns what becomes of what is before a block, an item or a part; undefined if it is no compaction, or one that failed.
 *
 * @param to the provider of the request, where it is known: to all others than its own, a compaction is what it says
 */
export function compactionOf(value: Block | null | undefined, to?: Provider): Compaction | undefined {
  switch (value?.type) {
    case 'compaction':
      // OpenAI's holds nothing but encrypted content. Anthropic's holds a summary, or null where it failed, and then it stands for nothing.
      if (!('content' in value)) return typeof value.encrypted_content === 'string' ? 'optional' : undefined;
      return isSaid(value.content) ? 'ignored' : undefined;
    // The Agents SDK and LangChain keep so what they don't know.
    case 'unknown':
      return compactionOf(value.providerData as Block | null, to);
    case 'non_standard':
      return compactionOf(value.value as Block | null, to);
    // The AI SDK's: Anthropic's is a text.
    case 'text':
      return (to ?? 'anthropic') === 'anthropic' &&
        isSaid(value.text) &&
        ((value.providerOptions ?? value.providerMetadata) as Options)?.anthropic?.type === 'compaction'
        ? 'ignored'
        : undefined;
    case 'custom':
      return typeof value.kind === 'string' && /\.compaction$/.test(value.kind) && (to === undefined || value.kind.startsWith(to))
        ? 'optional'
        : undefined;
  }
  return undefined;
}

const isSaid = (text: unknown) => typeof text === 'string' && text !== '';

interface Message extends Block {
  parts?: unknown;
  role?: unknown;
}

/** Returns what becomes of the messages before one; undefined if it holds no compaction. */
export function compactionIn(message: Message, to?: Provider): Compaction | undefined {
  const list = message.parts ?? (message.content as Message | null | undefined)?.parts ?? message.content;
  if (!Array.isArray(list)) return compactionOf(message, to);
  for (let index = list.length - 1; index >= 0; index--) {
    const found = compactionOf(list[index], to);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns whether the provider ignores a message that stands before a compaction. SDKs send the system's messages beside the others.
 *
 * @param format its name
 */
export const isIgnored = (role: string, format: string) => format === 'anthropic' || role !== 'system';

const SYSTEM = new Set<unknown>(['system', 'developer']);
/** Formats in which a compaction of Anthropic's may stand. */
const OF_ANTHROPIC = new Set(['anthropic', 'ai-sdk-model', 'ai-sdk-ui', 'langchain', 'mastra']);

/** The same for what may be no message, or one that can't be read: reading it says why. */
function safelyIn(message: unknown, to: Provider | undefined) {
  try {
    return isObject(message) ? compactionIn(message, to) : undefined;
  } catch {
    return undefined;
  }
}

/** A message, or an instance of LangChain's. */
interface Typed {
  role?: unknown;
  getType?(): unknown;
  _getType?(): unknown;
}

/** Returns which messages the provider ignores, because its newest compaction stands behind them; undefined if it ignores none. */
export function ignoredIn(
  messages: readonly unknown[],
  { name, to }: Pick<Format, 'name' | 'to'>,
): ((index: number) => boolean) | undefined {
  if (!OF_ANTHROPIC.has(name)) return undefined;
  const newest = messages.findLastIndex((message) => safelyIn(message, to) !== undefined);
  if (newest < 0 || safelyIn(messages[newest], to) !== 'ignored') return undefined;
  const isSystem = (message: Typed) => SYSTEM.has(message.role ?? message.getType?.() ?? message._getType?.());
  return (index) => index < newest && isIgnored(isSystem(messages[index] as Typed) ? 'system' : '', name);
}

/** What stands before the newest compaction of a conversation, by part. */
export interface Compacted {
  compaction: Compaction;
  /** what goes before anything else is cut */
  gone: Set<Part>;
  /** each message of the user's that goes after that, and before what follows the compaction; the user's last one is none of them */
  words: Part[][];
}

/**
 * Returns what the newest compaction of a conversation stands for: what the provider ignores; or what may be left out, from the model's and its
 * tools' messages to the user's. What answers a call behind it stays, and so does the call.
 *
 * @param format its name
 * @param isKept whether a part has to stay, and all that is behind it, where the provider reads it
 * @param keepsUser whether that is so of the user's words
 */
export function compactedIn(
  parts: readonly Part[],
  format: string,
  isKept: (part: Part) => boolean = () => false,
  keepsUser = false,
): Compacted | undefined {
  const newest = parts.findLastIndex(({ compacts }) => compacts !== undefined);
  const compaction = parts[newest]?.compacts;
  if (compaction === undefined) return undefined;
  const isOptional = compaction === 'optional';
  const goesBack = backIn(parts);
  let end = newest;
  const kept = isOptional ? parts.findIndex((part, index) => index < newest && isKept(part)) : -1;
  if (kept >= 0) end = goesBack(kept);
  for (let index = parts.length - 1; index >= end; index--) {
    const { call } = parts[index];
    if (call !== undefined && call >= 0 && call < end) end = goesBack(call);
  }
  const gone = new Set<Part>();
  const words = new Map<number, Part[]>();
  const users = parts.filter(isOfUser);
  const last = users.at(-1)?.message;
  if (isOptional) for (const { message } of users) words.set(message, []);
  for (const part of parts.slice(0, end)) {
    if (!isIgnored(part.role, isOptional ? '' : format)) continue;
    const of = words.get(part.message);
    if (of === undefined) gone.add(part);
    else if (!keepsUser && part.message !== last) of.push(part);
  }
  const said = [...words.values()].filter((list) => list.length > 0);
  return gone.size + said.length === 0 ? undefined : { compaction, gone, words: said };
}

/** Whether a part is what the user says or shows. */
export const isOfUser = ({ role, kind, call }: Part) => role === 'user' && call === undefined && (kind === 'text' || kind === 'media');

/** Returns a function from a part to the first one that goes with its message: of the messages of its response, and the reasoning before them. */
function backIn(parts: readonly Part[]) {
  const isStart = (index: number) => parts[index].message !== parts[index - 1]?.message;
  return (index: number) => {
    let goesOn = false;
    for (let at = index; ; at--) {
      goesOn ||= parts[at].goes === 'withPrevious';
      if (!isStart(at)) continue;
      if (at === 0 || !(goesOn || parts[at - 1].kind === 'reasoning')) return at;
      goesOn = false;
    }
  };
}
