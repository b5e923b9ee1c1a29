// @ts-check
'use strict';

const native = require('../native.js');
const { getIn } = require('../formats/copy.js');
const { formatOf } = require('../formats/index.js');
const {
  PART_COLUMN,
  PART_FLAG,
  PART_KIND,
  PART_ROLE,
  PIECE,
  PRUNE_EDIT_COLUMN,
  PRUNE_PIECE_COLUMN,
  SENTINEL,
} = require('../generated/layout.js');
const { countEdited } = require('../tokens/index.js');
const { providerOf } = require('../tokens/measure.js');
const { mediaOf, mediaTokens } = require('../tokens/media.js');
const { inOneGo, pace } = require('../steps.js');
const { givenTexts } = require('../texts.js');
const { FOR_MESSAGES, got } = require('../given.js');
const { named } = require('../places.js');
const { checkOptions } = require('../options/index.js');
const { MARKER_START, keysIn } = require('./marker.js');
const { applyEdits } = require('./originals.js');
const { createReport, RULES } = require('./report.js');
const { engineTools, reportTools } = require('./tools.js');
const { firstEditable, openThinking, strippedBy, strippedWith } = require('./thinking.js');

const STATUS_FLAG = { ok: PART_FLAG.OK, error: PART_FLAG.ERROR };

/** More than the stub of an image takes. */
const STUB_TOKENS = 40;

const DEFAULT_RECENT = 6;

/** A number for each distinct value, in order of first use. */
class Numbered {
  values = [];
  #numbers = new Map();

  number(value) {
    let number = this.#numbers.get(value);
    if (number === undefined) {
      number = this.values.length;
      this.#numbers.set(value, number);
      this.values.push(value);
    }
    return number;
  }
}

/** The data of an image or document: its longest string, by which equal ones are found. */
function mediaData(messages, part) {
  let longest = '';
  const pending = [valueAt(messages, part)];
  for (let looked = 0; pending.length > 0 && looked < 100; looked++) {
    const one = pending.pop();
    if (typeof one === 'string' && one.length > longest.length) longest = one;
    // Bytes have no entries that are worth a look.
    else if (one !== null && typeof one === 'object' && !ArrayBuffer.isView(one)) pending.push(...Object.values(one).slice(0, 100));
  }
  return longest;
}

const valueAt = (messages, { message, path }) => getIn(messages[message], path);

/** The parts with images and documents that take more tokens than a stub, in steps. */
function* costlyMedia(messages, parts, provider) {
  const costly = new Set();
  const images = [];
  const media = [];
  for (const part of parts) {
    if (part.kind !== 'media') continue;
    if (pace.mayPause) yield;
    const read = mediaOf(valueAt(messages, part));
    if (typeof read === 'string') costly.add(part);
    else {
      images.push(part);
      media.push(read);
    }
  }
  if (images.length === 0) return costly;
  mediaTokens(media, provider).forEach((tokens, index) => tokens > STUB_TOKENS && costly.add(images[index]));
  return costly;
}

/**
 * Flattens parts, in steps, for one call of the engine. Those before `editable` are locked. Without a `provider` no medium is compared with
 * others.
 */
function* gatherParts(messages, parts, provider, editable) {
  const count = parts.length;
  const texts = new Array(count);
  const columns = new Int32Array(PART_COLUMN.COUNT * count);
  const times = new Float64Array(count);
  const names = new Numbered();
  const media = new Numbered();
  const costly = provider === undefined ? new Set() : yield* costlyMedia(messages, parts, provider);
  let timed = count > 0;
  for (let index = 0; index < count; index++) {
    if (pace.mayPause) yield;
    const part = parts[index];
    const { kind, status } = part;
    const isLocked = part.locked !== undefined || index < editable;
    // Reasoning is never edited, and nothing that it says is counted as said.
    const text = kind === 'reasoning' || part.whole ? '' : part.text;
    texts[index] = text;
    const data = costly.has(part) ? mediaData(messages, part) : '';
    const isValue = kind === 'result' && text !== '' && typeof valueAt(messages, part) !== 'string';
    const at = PART_COLUMN.COUNT * index;
    columns[at + PART_COLUMN.MESSAGE] = part.message;
    columns[at + PART_COLUMN.FLAGS] =
      PART_ROLE[part.role] |
      (PART_KIND[kind] << PART_FLAG.KIND_SHIFT) |
      (status === undefined ? 0 : STATUS_FLAG[status]) |
      (isLocked ? PART_FLAG.LOCKED : 0) |
      (isValue ? PART_FLAG.VALUE : 0);
    columns[at + PART_COLUMN.NAME] = kind === 'call' && part.name !== undefined ? names.number(part.name) : SENTINEL.NONE;
    columns[at + PART_COLUMN.CALL] = part.call ?? SENTINEL.NONE;
    columns[at + PART_COLUMN.MEDIA] = data === '' ? SENTINEL.NONE : media.number(data);
    if (part.time === undefined) timed = false;
    else times[index] = part.time;
  }
  const copies = yield* givenTexts(texts);
  return { texts: copies, columns, times: timed ? times : undefined, names: names.values, messageCount: messages.length };
}

function engineOptions({ mode, edits, failures, keep, toolMap, tools }) {
  return {
    remove: mode === 'remove',
    lastEditOnly: edits === 'last',
    failuresByWords: failures === 'words',
    // More than any conversation has is all of it.
    keepRecent: Math.min(keep?.recent ?? DEFAULT_RECENT, 0xffffffff),
    keepTools: [...(keep?.tools ?? [])],
    keepPaths: [...(keep?.paths ?? [])],
    tools: engineTools(toolMap ?? tools),
  };
}

/**
 * An edit, the name of its rule, and the part that supersedes it.
 *
 * @typedef {import('../types.d.ts').Edit & { keyAt?: number, rule: string, supersededBy?: import('../types.d.ts').Part }} PruneEdit
 */

/**
 * Finds what can be removed from a conversation, as edits of its parts. Applies none of them.
 *
 * @param {readonly import('../types.d.ts').Foreign[]} messages the messages that `parts` were read from
 * @param {readonly import('../types.d.ts').Part[]} parts
 * @param {any} options of `prune`, checked
 * @param {'openai' | 'anthropic' | 'gemini'} provider by whose rules images are counted
 * @returns {{ edits: PruneEdit[], counts: Uint32Array, taken: Set<string> }} `taken`: the keys of the
 *   markers that are there already
 */
function planPrune(messages, parts, options, provider) {
  const gathered = inOneGo(gatherParts(messages, parts, provider, firstEditable(parts, options.thinking)));
  const found = native.pruneTranscript(gathered, engineOptions(options));
  /** @type {PruneEdit[]} */
  const edits = [];
  let piece = 0;
  for (let at = 0; at < found.edits.length; at += PRUNE_EDIT_COLUMN.COUNT) {
    const part = parts[found.edits[at + PRUNE_EDIT_COLUMN.PART]];
    const rule = RULES[found.edits[at + PRUNE_EDIT_COLUMN.RULE]];
    const by = found.edits[at + PRUNE_EDIT_COLUMN.SUPERSEDED_BY];
    const supersededBy = by === SENTINEL.NONE ? undefined : parts[by];
    const count = found.edits[at + PRUNE_EDIT_COLUMN.PIECES];
    if (count === SENTINEL.NONE) {
      edits.push({ part, remove: true, rule, supersededBy });
      continue;
    }
    let text = '';
    let keyAt;
    for (const end = piece + PRUNE_PIECE_COLUMN.COUNT * count; piece < end; piece += PRUNE_PIECE_COLUMN.COUNT) {
      const kind = found.pieces[piece + PRUNE_PIECE_COLUMN.KIND];
      const from = found.pieces[piece + PRUNE_PIECE_COLUMN.START];
      const to = found.pieces[piece + PRUNE_PIECE_COLUMN.END];
      if (kind === PIECE.KEPT) text += part.text.slice(from, to);
      else if (kind === PIECE.STUB) text += found.stubs.slice(from, to);
      else {
        text += MARKER_START;
        keyAt = text.length;
        text += found.markers[from];
      }
    }
    edits.push({ part, text, keyAt, rule, supersededBy });
  }
  const taken = new Set(Array.from(found.marked, (part) => keysIn(parts[part].text)).flat());
  return { edits, counts: found.counts, taken };
}

/** Why each edit was made: positions of parts, the rule, and the call that supersedes it. */
function traceOf(edits) {
  const position = ({ message, path, name, callId }) => ({
    message,
    path,
    ...(name === undefined ? {} : { name }),
    ...(callId === undefined ? {} : { callId }),
  });
  return edits.map(({ part, remove, text, rule, supersededBy }) => ({
    ...position(part),
    reason: rule,
    action: remove ? 'remove' : 'replace',
    charsBefore: part.text.length,
    charsAfter: remove ? 0 : text.length,
    ...(supersededBy === undefined ? {} : { supersededBy: position(supersededBy) }),
  }));
}

/** Whether the turn whose calls are being answered lost its thinking. */
function isOpenTurnStripped(parts, stripped) {
  const message = openThinking(parts);
  return stripped.some(({ part }) => part.message === message);
}

/** See `index.d.ts`. */
function prune(messages, options = {}) {
  if (!Array.isArray(messages)) throw new TypeError(`prune(): messages must be an array, got ${got(messages, FOR_MESSAGES)}`);
  checkOptions('prune', options);
  const format = formatOf(messages, options.format ?? 'auto');
  const parts = format.read(messages);
  const { edits, counts, taken } = planPrune(messages, parts, options, providerOf(format.name));
  const stripped = options.thinking === 'leave' ? strippedWith(format, messages, parts, edits) : strippedBy(parts, edits);
  const all = [...edits, ...stripped];
  const pruned = applyEdits(messages, format, all, taken);
  // Both arrays may have grown when the tokens are asked for.
  const [before, after] = [messages.slice(), pruned.messages.slice()];
  const report = createReport({
    counts,
    strippedThinking: stripped.length,
    tools: reportTools(parts, options, 'options'),
    isOpenTurnStripped: options.thinking === 'strip' && isOpenTurnStripped(parts, stripped),
    messages: { before: messages.length, after: pruned.messages.length },
    countTokens: () => countEdited(before, parts, after, format),
    ...(options.trace ? { trace: traceOf(all) } : {}),
  });
  return { ...pruned, format: format.name, report };
}

module.exports = { prune: named('prune', prune), planPrune, gatherParts, engineOptions };
