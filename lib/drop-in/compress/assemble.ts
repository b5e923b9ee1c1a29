import { OUTPUT_COLUMN, SENTINEL, STATISTIC } from '../../generated/layout.js';
import { decisionsOf } from './decisions.js';
import { nameOf } from '../../messages.js';
import native from '../../native.js';
import type { Message } from '../../messages.js';
import type { CompressOutcome, Trace } from '../../../binding';
import type { ClassifierResult, CompressionStats } from '../../../index.js';

/** A result of `compress`. */
export interface Result {
  messages: Message[];
  compression: Partial<CompressionStats>;
  verbatim: Record<string, Message>;
  fits?: boolean;
  tokenCount?: number;
  recencyWindow?: number;
}

/** What of a call's options and callbacks its statistics tell. */
export interface Reported {
  trace: boolean | null | undefined;
  /** of `preservePatterns` */
  labels: readonly string[] | undefined;
  adapters: readonly { name: string }[] | null | undefined;
  /** of the classifier, by message */
  verdicts: Map<number, ClassifierResult> | undefined;
  /** How often the callback of an option gave no usable answer, by option. */
  fallbacks: Record<string, number>;
}

/** The originals of a call, and what stands in the result for one that no text replaces. */
interface Replaced {
  originals: Originals;
  given: Message[];
  kept(index: number): Message;
}

/** The originals of a call, by the keys that `verbatim` and `_cce_original.ids` have for them. */
class Originals {
  messages: Message[];
  verbatim: Record<string, Message> = {};
  #provenance: Set<string> | undefined;
  #taken: Set<string> | undefined;
  #numbers: Map<string, number> = new Map();

  constructor(messages: Message[]) {
    this.messages = messages;
  }

  /**
   * Stores a message and returns its key: its id, or a new key if that id already stands for another original, here or in
   * the provenance of an input message.
   */
  store(message: Message) {
    const { id } = message;
    const name = typeof id === 'string' ? id : String(id);
    if (!Object.hasOwn(this.verbatim, name) && !this.provenanceIds().has(name)) {
      this.put(name, message);
      return id;
    }
    if (Object.hasOwn(this.verbatim, name) && this.verbatim[name] === message) return id;
    const key = this.freeKey(name);
    this.put(key, message);
    return key;
  }

  put(key: string, message: Message) {
    // Assigning to this key would set the prototype.
    if (key === '__proto__') {
      Object.defineProperty(this.verbatim, key, { value: message, enumerable: true, configurable: true, writable: true });
    } else {
      this.verbatim[key] = message;
    }
  }

  /** Returns the ids that messages of earlier calls stand for. Under these, `uncompress` must not find originals of this call. */
  provenanceIds() {
    if (this.#provenance === undefined) {
      this.#provenance = new Set();
      for (const { metadata } of this.messages) {
        const ids = metadata?._cce_original?.ids;
        if (Array.isArray(ids)) for (const id of ids as unknown[]) this.#provenance.add(nameOf(id) as string);
      }
    }
    return this.#provenance;
  }

  freeKey(name: string) {
    this.#taken ??= new Set([...this.messages.map((message) => String(message.id)), ...this.provenanceIds()]);
    let number = this.#numbers.get(name) ?? 2;
    while (this.#taken.has(`${name} (${number})`)) number++;
    this.#numbers.set(name, number + 1);
    return `${name} (${number})`;
  }
}

/**
 * Returns the message with `text` that replaces `count` messages from `start`.
 *
 * @param ids keys of the originals
 */
export function writtenMessage(
  messages: Message[],
  start: number,
  count: number,
  text: string,
  idsHash: number,
  ids: unknown[],
  version: number,
): Message {
  const base = messages[start];
  const provenance: Record<string, unknown> = { ids, summary_id: `cce_sum_${idsHash.toString(36)}` };
  let parents: string[] | undefined;
  for (let index = start; index < start + count; index++) {
    const parent = messages[index].metadata?._cce_original?.summary_id;
    if (typeof parent !== 'string' || parent === '') continue;
    parents ??= [];
    parents.push(parent);
  }
  if (parents !== undefined) provenance.parent_ids = parents;
  provenance.version = version;
  const message = copyOf(base);
  message.content = text;
  const metadata = copyOf(base.metadata);
  metadata._cce_original = provenance;
  message.metadata = metadata;
  return message;
}

/**
 * Returns `{ ...object }`, to which properties can be added. V8 makes a new hidden class for each property that is added to a spread
 * object, which takes ten times as long as copying it.
 */
function copyOf<T extends object>(object: T | null | undefined): T {
  // `Object.assign` would call the setter of the prototype.
  return object && Object.hasOwn(object, '__proto__') ? { ...object } : Object.assign({} as T, object);
}

/**
 * Returns the message of the result for one that was trimmed first and then kept.
 *
 * @param id key of its original
 */
export function trimmedMessage(messages: Message[], index: number, id: unknown, version: number) {
  const message = messages[index];
  const idsHash = native.hashOfId(typeof message.id === 'string' ? message.id : '');
  return writtenMessage(messages, index, 1, message.content as string, idsHash, [id], version);
}

/**
 * Assembles the result of `compress`.
 *
 * @param messages those that the engine read: the given ones, or trimmed copies of them
 */
export function assembleResult(messages: Message[], given: Message[], found: CompressOutcome, version: number, options: Reported): Result {
  const { numbers } = found;
  const originals = new Originals(given);
  const trimmed: Set<number> = new Set();
  const kept = (index: number) => {
    const message = messages[index];
    if (message === given[index]) return message;
    trimmed.add(index);
    return trimmedMessage(messages, index, originals.store(given[index]), version);
  };
  let output = given;
  if (numbers[STATISTIC.OUTPUTS] !== SENTINEL.NONE) output = assembleMessages(messages, found, version, { originals, given, kept });
  else if (messages !== given) output = messages.map((_, index) => kept(index));
  const result: Result = {
    messages: output,
    compression: assembleStatistics(given, found, version, options, trimmed),
    verbatim: originals.verbatim,
  };
  if (numbers[STATISTIC.FITS] !== SENTINEL.NONE) {
    result.fits = numbers[STATISTIC.FITS] === 1;
    result.tokenCount = numbers[STATISTIC.TOKEN_COUNT];
    result.recencyWindow = numbers[STATISTIC.RECENCY_WINDOW];
  }
  return result;
}

function assembleMessages(messages: Message[], { numbers, texts }: CompressOutcome, version: number, { originals, given, kept }: Replaced) {
  const length = numbers[STATISTIC.OUTPUTS];
  const result = new Array<Message>(length);
  for (let at = STATISTIC.COUNT, position = 0; position < length; at += OUTPUT_COLUMN.COUNT, position++) {
    const start = numbers[at + OUTPUT_COLUMN.START];
    const count = numbers[at + OUTPUT_COLUMN.MESSAGES];
    const text = numbers[at + OUTPUT_COLUMN.TEXT];
    if (text === 0) {
      result[position] = kept(start);
      continue;
    }
    const ids = new Array<unknown>(count);
    for (let member = 0; member < count; member++) ids[member] = originals.store(given[start + member]);
    result[position] = writtenMessage(messages, start, count, texts[text - 1], numbers[at + OUTPUT_COLUMN.IDS_HASH], ids, version);
  }
  return result;
}

function assembleStatistics(messages: Message[], found: CompressOutcome, version: number, options: Reported, trimmed: Set<number>) {
  const { numbers } = found;
  const { trace, verdicts, fallbacks } = options;
  const statistics: Partial<CompressionStats> = {
    original_version: version,
    ratio: numbers[STATISTIC.RATIO],
    token_ratio: numbers[STATISTIC.TOKEN_RATIO],
    messages_compressed: numbers[STATISTIC.COMPRESSED] + trimmed.size,
    messages_preserved: numbers[STATISTIC.PRESERVED] - trimmed.size,
  };
  addCount(statistics, 'messages_deduped', numbers[STATISTIC.DEDUPED]);
  addCount(statistics, 'messages_fuzzy_deduped', numbers[STATISTIC.FUZZY_DEDUPED]);
  addCount(statistics, 'messages_pattern_preserved', numbers[STATISTIC.PATTERN_PRESERVED]);
  addCount(statistics, 'messages_llm_classified', verdicts?.size);
  addCount(statistics, 'messages_llm_preserved', numbers[STATISTIC.LLM_PRESERVED]);
  addCount(statistics, 'messages_importance_preserved', numbers[STATISTIC.IMPORTANCE_PRESERVED]);
  addCount(statistics, 'messages_contradicted', numbers[STATISTIC.CONTRADICTED]);
  addCount(statistics, 'messages_relevance_dropped', numbers[STATISTIC.RELEVANCE_DROPPED]);
  // If the engine returned the input, it decided nothing.
  if (trace && numbers[STATISTIC.OUTPUTS] > 0) {
    statistics.decisions = decisionsOf(messages, found.trace as Trace, options, trimmed);
    if (numbers[STATISTIC.SCORER_FALLBACKS] > 0) fallbacks.entropyScorer = numbers[STATISTIC.SCORER_FALLBACKS];
    if (Object.keys(fallbacks).length > 0) statistics.callback_fallbacks = fallbacks;
  }
  return statistics;
}

/** Adds a count to statistics, which have no zeros. */
function addCount(statistics: Record<string, unknown>, name: keyof CompressionStats, count = 0) {
  if (count > 0) statistics[name] = count;
}
