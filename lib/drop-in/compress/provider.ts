import { applyTexts } from '../../agent/originals.js';
import { firstEditable } from '../../agent/thinking.js';
import { whatIs } from '../../given.js';
import { compressPlain } from './plain.js';
import { getIn } from '../../providers/shared/copy.js';
import { formatOf } from '../../providers/index.js';
import { placeOf } from '../../providers/shared/reader.js';
import { checkOptions } from '../../options/index.js';
import { named } from '../../places.js';
import native from '../../native.js';
import { measure } from '../../tokens/measure.js';
import { providerOf } from '../../tokens/provider.js';
import type { Result } from './assemble.js';
import type { Counting } from './count.js';
import type { Options } from './plain.js';
import type { Message } from '../../messages.js';
import type { Format, Part } from '../../types.js';
import type { CustomFormat } from '../../../index.js';

const DEFAULT_PRESERVE = ['system'];
const DEFAULT_RECENCY = 4;
/** Role of texts that may not be edited, for the engine. */
const LOCKED = 'locked';

export type Text = { part: Part; number: number | undefined; entry: Entry };
/** The message that represents a text; the engine copies it, with another text. */
type Entry = { id: string; index: number; role: string; content: string | undefined; tool_calls: Part[] | undefined; tool_call_id: string };

/**
 * Compresses the messages of a provider. Each of their texts goes through the engine as a message of its own and returns to its
 * place, so that no message is merged or removed, and calls stay beside their results.
 *
 * @param options those of `compress`, with `format`
 */
function compressProvider(given: unknown, options: Options & { format?: string | CustomFormat | null }) {
  if (!Array.isArray(given)) throw new TypeError(`compress(): messages must be an array, got ${whatIs(given, 'messages')}`);
  checkOptions('compress', options);
  // A copy, because a callback may change the list.
  const messages: object[] = given.slice();
  const format = formatOf(messages, options.format) as Format;
  const parts = format.read(messages);
  const texts = textsOf(messages, parts);
  const window = (recency: number) => windowOf(texts, messages.length, recency);
  const entries = texts.map(({ entry }) => entry);
  const result = compressPlain(entries, {
    ...options,
    format: undefined,
    preserve: [...(options.preserve ?? DEFAULT_PRESERVE), LOCKED],
    recencyWindow: window(options.recencyWindow ?? DEFAULT_RECENCY),
    minRecencyWindow: window(options.minRecencyWindow ?? 0),
    tokenizer: undefined,
    tokenCounter: counterOf(messages, parts, texts, format, options),
  });
  const finish = (outcome: Result) => {
    const result = assemble(messages, format, texts, entries, outcome);
    return result.messages === messages ? { ...result, messages: given } : result;
  };
  return 'then' in result ? result.then(finish) : finish(result);
}

/**
 * Returns the texts of a conversation, each with the message that represents it. A message without texts gets an empty one, so
 * that the recency window counts every message.
 */
function textsOf(messages: object[], parts: readonly Part[]): Text[] {
  const editable = firstEditable(parts, 'keep');
  const texts: Text[] = [];
  for (let first = 0, end: number; first < parts.length; first = end) {
    const { message } = parts[first];
    const own: (number | undefined)[] = [];
    let calls: Part[] | undefined;
    for (end = first; parts[end]?.message === message; end++) {
      const { kind, path, isFile } = parts[end];
      if (kind === 'call') calls = [parts[end]];
      // Anything but a string is data, such as a tool's output in JSON; so is a file.
      if ((kind === 'text' || kind === 'result') && !isFile && typeof getIn(messages[message], path) === 'string') own.push(end);
    }
    if (own.length === 0) own.push(undefined);
    own.forEach((number, place) => {
      const part = parts[number ?? first];
      const isLocked = number !== undefined && (part.locked !== undefined || number < editable);
      const id = own.length > 1 ? `message ${message + 1}, text ${place + 1}` : `message ${message + 1}`;
      const entry = {
        id,
        index: texts.length,
        role: isLocked ? LOCKED : part.role,
        content: number === undefined ? undefined : part.text,
        tool_calls: part.kind === 'result' ? undefined : calls,
        tool_call_id: id, // keeps it from being merged
      };
      texts.push({ part, number, entry });
    });
  }
  return texts;
}

/**
 * Returns the number of texts in the last `recency` messages. Returns `recency` itself if it is not above 0.
 *
 * @param count of messages
 */
function windowOf(texts: Text[], count: number, recency: number) {
  if (!(recency > 0)) return recency;
  const first = texts.findIndex(({ part }) => part.message >= count - recency);
  return first < 0 ? 0 : texts.length - first;
}

/** Returns a counter for the messages that represent texts, by the caller's counter or tokenizer, if there is one. */
function counterOf(
  messages: object[],
  parts: readonly Part[],
  texts: Text[],
  format: Format,
  { tokenizer, tokenCounter }: Counting,
): ((message: Message) => unknown) | undefined {
  if (tokenCounter) {
    return (entry) => {
      const { index, id, content } = entry as Entry;
      const { message, role } = texts[index].part;
      return tokenCounter({ id, index: message, role, content: content ?? '' });
    };
  }
  if (!tokenizer) return undefined;
  const measured = measure(messages, parts, providerOf(format), tokenizer);
  const isText = new Set(texts.map(({ number }) => number));
  const firstOf = new Map<number, number>(); // message → its first text, which is charged for everything but the texts
  texts.forEach(({ part }, index) => firstOf.has(part.message) || firstOf.set(part.message, index));
  const beside = new Float64Array(texts.length);
  measured.own.forEach((tokens, message) => (beside[firstOf.get(message) as number] += tokens));
  measured.parts.forEach((tokens, number) => {
    if (!isText.has(number)) beside[firstOf.get(parts[number].message) as number] += tokens;
  });
  if (texts.length > 0) beside[0] += measured.request;
  return (entry) => {
    const { index, content } = entry as Entry;
    const { part, number } = texts[index];
    if (number === undefined) return beside[index];
    return beside[index] + (content === part.text ? measured.parts[number] : native.countTexts([content as string], tokenizer)[0]);
  };
}

/**
 * Assembles the result from the provider's messages.
 *
 * @param outcome of `compressPlain`
 */
function assemble(messages: object[], format: Format, texts: Text[], entries: Message[], outcome: Result) {
  const edits: { part: Part; text: string }[] = [];
  outcome.messages.forEach((entry, index) => {
    const content = entry.content as string;
    // An adapter may have returned a blank text, which some providers refuse.
    if (entry === entries[index] || content.trim() === '') return;
    const { part } = texts[index];
    // Anthropic continues the last message, and refuses one that ends in blanks. A summary may end in blank lines.
    const mayEndBlank = part.message < messages.length - 1 || /\s$/.test(part.text);
    edits.push({ part, text: mayEndBlank ? content : content.trimEnd() });
  });
  const isUntouched = outcome.messages === entries;
  const { messages: compressed, originals } = isUntouched ? { messages, originals: {} } : applyTexts(messages, format, edits);
  const result = { ...outcome, messages: compressed, verbatim: originals };
  const { recencyWindow, compression } = outcome;
  if (recencyWindow !== undefined && recencyWindow > 0) {
    const before = texts[texts.length - 1 - recencyWindow];
    result.recencyWindow = before === undefined ? messages.length : messages.length - 1 - before.part.message;
  }
  if (compression.decisions) {
    compression.decisions = compression.decisions.map((decision) => {
      const { part, number } = texts[decision.messageIndex];
      return { ...decision, messageId: placeOf(part.message, number === undefined ? [] : part.path), messageIndex: part.message };
    });
  }
  return result;
}

const compressProviderNamed = named('compress', compressProvider);
export { compressProviderNamed as compressProvider };
