// @ts-check
'use strict';

const { OUTPUT_COLUMN, SENTINEL, STATISTIC } = require('../generated/layout.js');
const { decisionsOf } = require('./decisions.js');
const { nameOf } = require('../messages.js');
const native = require('../native.js');

/** @typedef {import('../messages.js').Message} Message */

/** The originals of a call, by the keys that `verbatim` and `_cce_original.ids` have for them. */
class Originals {
  /** @type {Record<string, Message>} */
  verbatim = {};
  /** @type {Set<string> | undefined} ids that messages of earlier calls stand for */
  #provenance;
  /** @type {Set<string> | undefined} names that a new key must not have */
  #taken;
  /** @type {Map<string, number>} the next number to try, by name */
  #numbers = new Map();

  /** @param {Message[]} messages */
  constructor(messages) {
    this.messages = messages;
  }

  /**
   * Stores a message and returns its key: its id, or a new key if that id already stands for another original, here or in
   * the provenance of an input message.
   *
   * @param {Message} message
   */
  store(message) {
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

  /**
   * @param {string} key
   * @param {Message} message
   */
  put(key, message) {
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
        if (Array.isArray(ids)) for (const id of ids) this.#provenance.add(/** @type {string} */ (nameOf(id)));
      }
    }
    return this.#provenance;
  }

  /** @param {string} name */
  freeKey(name) {
    this.#taken ??= new Set([...this.messages.map((message) => String(message.id)), ...this.provenanceIds()]);
    let number = this.#numbers.get(name) ?? 2;
    while (this.#taken.has(`${name} (${number})`)) number++;
    this.#numbers.set(name, number + 1);
    return `${name} (${number})`;
  }
}

const CODE_OF_0 = 48;
const CODE_OF_A = 97;

/**
 * Returns `number.toString(36)` of an integer of 32 bits. The built-in computes with doubles and takes ten times as long, and a string for
 * each digit twice as long.
 *
 * @param {number} number
 */
function base36(number) {
  // In two halves, which are small integers: V8 divides those by a constant without a division.
  const high = Math.floor(number / 46656) | 0;
  const low = (number - 46656 * high) | 0;
  const digit = (/** @type {number} */ from) => {
    const value = (from | 0) % 36;
    return value + (value < 10 ? CODE_OF_0 : CODE_OF_A - 10);
  };
  const text = String.fromCharCode(
    digit(high / 46656),
    digit(high / 1296),
    digit(high / 36),
    digit(high),
    digit(low / 1296),
    digit(low / 36),
    digit(low),
  );
  let zeros = 0;
  while (zeros < 6 && text[zeros] === '0') zeros++;
  return zeros === 0 ? text : text.slice(zeros);
}

/**
 * Returns the message with `text` that replaces `count` messages from `start`.
 *
 * @param {Message[]} messages
 * @param {number} start
 * @param {number} count
 * @param {string} text
 * @param {number} idsHash
 * @param {unknown[]} ids keys of the originals
 * @param {number} version
 * @returns {Message}
 */
function writtenMessage(messages, start, count, text, idsHash, ids, version) {
  const base = messages[start];
  /** @type {Record<string, unknown>} */
  const provenance = { ids, summary_id: `cce_sum_${base36(idsHash)}` };
  /** @type {string[] | undefined} */
  let parents;
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
 *
 * @param {any} object
 * @returns {any}
 */
function copyOf(object) {
  // `Object.assign` would call the setter of the prototype.
  return object && Object.hasOwn(object, '__proto__') ? { ...object } : Object.assign({}, object);
}

/**
 * Returns the message of the result for one that was trimmed first and then kept.
 *
 * @param {Message[]} messages
 * @param {number} index
 * @param {unknown} id key of its original
 * @param {number} version
 */
function trimmedMessage(messages, index, id, version) {
  const message = messages[index];
  const idsHash = native.hashOfId(typeof message.id === 'string' ? message.id : '');
  return writtenMessage(messages, index, 1, message.content, idsHash, [id], version);
}

/**
 * Assembles the result of `compress`.
 *
 * @param {Message[]} messages those that the engine read: the given ones, or trimmed copies of them
 * @param {Message[]} given
 * @param {import('../../binding').CompressOutcome} found
 * @param {number} version
 * @param {any} options
 */
function assembleResult(messages, given, found, version, options) {
  const { numbers } = found;
  const originals = new Originals(given);
  /** @type {Set<number>} messages that were trimmed and otherwise kept */
  const trimmed = new Set();
  const kept = (/** @type {number} */ index) => {
    const message = messages[index];
    if (message === given[index]) return message;
    trimmed.add(index);
    return trimmedMessage(messages, index, originals.store(given[index]), version);
  };
  let output = given;
  if (numbers[STATISTIC.OUTPUTS] !== SENTINEL.NONE) output = assembleMessages(messages, found, version, { originals, given, kept });
  else if (messages !== given) output = messages.map((_, index) => kept(index));
  /** @type {Record<string, any>} */
  const result = {
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

function assembleMessages(messages, { numbers, texts }, version, { originals, given, kept }) {
  const length = numbers[STATISTIC.OUTPUTS];
  const result = new Array(length);
  for (let at = STATISTIC.COUNT, position = 0; position < length; at += OUTPUT_COLUMN.COUNT, position++) {
    const start = numbers[at + OUTPUT_COLUMN.START];
    const count = numbers[at + OUTPUT_COLUMN.MESSAGES];
    const text = numbers[at + OUTPUT_COLUMN.TEXT];
    if (text === 0) {
      result[position] = kept(start);
      continue;
    }
    const ids = new Array(count);
    for (let member = 0; member < count; member++) ids[member] = originals.store(given[start + member]);
    result[position] = writtenMessage(messages, start, count, texts[text - 1], numbers[at + OUTPUT_COLUMN.IDS_HASH], ids, version);
  }
  return result;
}

function assembleStatistics(messages, found, version, options, trimmed) {
  const { numbers } = found;
  const { trace, verdicts, fallbacks } = options;
  /** @type {Record<string, any>} */
  const statistics = {
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
    statistics.decisions = decisionsOf(messages, found.trace, options, trimmed);
    if (numbers[STATISTIC.SCORER_FALLBACKS] > 0) fallbacks.entropyScorer = numbers[STATISTIC.SCORER_FALLBACKS];
    if (Object.keys(fallbacks).length > 0) statistics.callback_fallbacks = fallbacks;
  }
  return statistics;
}

/** Adds a count to statistics, which have no zeros. */
function addCount(statistics, name, count) {
  if (count > 0) statistics[name] = count;
}

module.exports = { assembleResult, trimmedMessage, writtenMessage };
