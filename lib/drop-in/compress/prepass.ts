import { hasMembers } from '../../checks.js';
import { MESSAGE_COLUMN, MESSAGE_FLAG, TURN_KIND } from '../../generated/layout.js';
import { textOf } from '../../messages.js';
import native from '../../native.js';
import type { Result } from './assemble.js';
import type { Gathered } from './compared.js';
import type { Message } from '../../messages.js';

const { ANSWERS_TOOL_CALL, TOOL_CALLS } = MESSAGE_FLAG;

export interface Trimmed {
  /** with copies in the place of trimmed ones */
  messages: Message[];
  /** of trimmed messages */
  count: number;
  /** length of all messages before, in UTF-16 code units; 0 if none could be trimmed */
  units: number;
  /** UTF-16 code units by which the trimmed messages are shorter */
  removed: number;
  /** the messages as the engine has read them, if it had to */
  conversation?: object;
}

/**
 * Trims tool results that the agent will not need again, in `gathered` too. Kept as they are: results of preserved roles,
 * results with tool calls, and results that already stand for other messages.
 *
 * @param preserve roles
 */
export function trimToolResults(messages: Message[], gathered: Gathered, preserve: Set<string>): Trimmed {
  const { texts, ids, columns } = gathered;
  const kinds = kindsOf(messages, gathered, preserve);
  if (!kinds.includes(TURN_KIND.trimmable)) return { messages, count: 0, units: 0, removed: 0 };
  const { results, conversation } = native.trimToolResults(texts, ids, columns, kinds, answeredCalls(messages, gathered));
  const lengths = columnOf(columns, MESSAGE_COLUMN.LENGTH, messages.length);
  const units = lengths.reduce((sum, length) => sum + length, 0);
  const working = results.length > 0 ? messages.slice() : messages;
  let removed = 0;
  for (const { index, text } of results) {
    working[index] = { ...messages[index], content: text };
    removed += lengths[index] - text.length;
    texts[index] = text;
    lengths[index] = text.length;
  }
  return { messages: working, count: results.length, units, removed, conversation };
}

/** Returns one of the columns of `count` messages. */
const columnOf = (columns: Uint32Array, place: number, count: number) => columns.subarray(place * count, (place + 1) * count);

/**
 * Returns the `TURN_KIND` of each message.
 *
 * @param preserve roles
 */
function kindsOf(messages: Message[], { texts, columns }: Gathered, preserve: Set<string>) {
  const count = messages.length;
  const flags = columnOf(columns, MESSAGE_COLUMN.FLAGS, count);
  const kinds = new Uint8Array(count);
  for (let index = 0; index < count; index++) {
    const { role, metadata } = messages[index];
    if (role === 'assistant') kinds[index] = TURN_KIND.assistant;
    else if (role === 'tool' || role === 'function') {
      const calls = flags[index] & TOOL_CALLS;
      const stays = calls || preserve.has(role) || texts[index] === '' || metadata?._cce_original !== undefined;
      kinds[index] = stays ? TURN_KIND.tool : TURN_KIND.trimmable;
    }
  }
  return kinds;
}

/** Returns the calls that a later message answers, as the APIs of OpenAI and others write them. */
function answeredCalls(messages: Message[], { columns }: Gathered) {
  const answered = { names: [] as string[], arguments: [] as string[], answers: [] as number[] };
  const pending = new Map<unknown, { name: string; given: unknown }>();
  const flags = columnOf(columns, MESSAGE_COLUMN.FLAGS, messages.length);
  messages.forEach((message, index) => {
    if (flags[index] & ANSWERS_TOOL_CALL) {
      const call = pending.get(message.tool_call_id);
      if (call !== undefined) {
        answered.names.push(call.name);
        answered.arguments.push(jsonOf(call.given));
        answered.answers.push(index);
        pending.delete(message.tool_call_id);
      }
    }
    if (!(flags[index] & TOOL_CALLS)) return;
    for (const call of message.tool_calls as unknown[]) {
      if (!hasMembers(call)) continue;
      const called = hasMembers(call.function) ? call.function : {};
      const name = called.name ?? call.name;
      const given = called.arguments ?? call.arguments ?? call.args ?? call.input;
      if (typeof name === 'string' && given !== undefined) pending.set(call.id, { name, given });
    }
  });
  return { ...answered, answers: Uint32Array.from(answered.answers) };
}

function jsonOf(value: unknown) {
  try {
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  } catch {
    return ''; // an argument that JSON can't represent is unknown to the engine
  }
}

/**
 * Adds the trimming to the statistics of a result, and makes the ratios compare it with the given conversation: the engine
 * knows only the trimmed one.
 */
export function reportTrimmed(
  { count, units, removed }: Trimmed,
  given: Message[],
  { messages, compression, tokenCount }: Result,
  tokensOf: (messages: Message[]) => number,
) {
  if (count > 0) {
    const ratio = (before: number, after: number) => (after > 0 ? before / after : 1);
    compression.ratio = ratio(
      units,
      messages.reduce((sum, message) => sum + textOf(message).length, 0),
    );
    compression.token_ratio = ratio(tokensOf(given), tokenCount ?? tokensOf(messages));
  }
  compression.messages_tool_prepass_trimmed = count;
  compression.chars_tool_prepass_removed = removed;
}
