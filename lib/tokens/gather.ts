import { withoutIgnored } from '../equality/ignored.js';
import { getIn } from '../providers/shared/copy.js';
import { weigh } from '../providers/shared/files.js';
import { ofVendor } from '../providers/index.js';
import { CONTENT, COUNTED_MESSAGE_COLUMN, COUNTED_PART_COLUMN, EXTRA, SENTINEL } from '../generated/layout.js';
import native from '../native.js';
import { Numbered } from '../numbered.js';
import { pace } from '../steps.js';
import { givenTexts } from '../texts.js';
import { Loaded } from './loaded.js';
import { contentOf, mediaOf, mediaTokens } from './media.js';
import { addTools } from './tools.js';
import type { Inner } from '../providers/shared/files.js';
import type { Part, Provider, Tokenizer, Tool } from '../types.js';
import type { Steps } from '../steps.js';
import type { GatheredRequest } from '../../binding';

/** UTF-16 code units of a token, where nothing is known of a text: as the engine estimates. */
const UNITS_PER_TOKEN = 3.5;
/** UTF-16 code units up to which it pays to look whether a text was there before. */
const SHORT_TEXT = 64;

const { COUNT: PART_COLUMNS, MESSAGE, CONTENT: PART_CONTENT, NAME, ID } = COUNTED_PART_COLUMN;
const { COUNT: MESSAGE_COLUMNS, ROLE, NAME: AUTHOR } = COUNTED_MESSAGE_COLUMN;
const { NOTHING, TEXT, TOKENS, JSON: JSON_UNITS, CALL } = CONTENT;
const { NONE } = SENTINEL;

class NumberedTexts extends Numbered<string> {
  /** The number of a text, of which equal ones have the same only where they are short. */
  content(text: string) {
    return text.length > SHORT_TEXT ? this.values.push(text) - 1 : this.number(text);
  }
}

/** A request as the engine counts it. */
export interface Gathered extends GatheredRequest {
  /** The messages with something whose tokens are not known: of what is encrypted, or a file of unknown size. Some more than once; `NONE` is the request. */
  guessed: number[];
}

/**
 * Gathers what a request sends, for the engine to count, in steps.
 *
 * @param parts their parts, in order
 */
export function* gatherRequest(
  messages: readonly { role?: unknown; name?: unknown }[],
  parts: readonly Part[],
  provider: Provider,
  tokenizer: 'o200k_base' | 'cl100k_base' | 'estimate',
  {
    schemas = [],
    deferred,
    prompts = [],
    texts: known,
    notes,
  }: {
    /** those of the tools that are sent along, as `toolSchemas` gives them */
    schemas?: Tool[];
    /** tools of which those count that references in these messages load; by default those of `schemas`, which calls load as well */
    deferred?: readonly Tool[];
    /** the texts of each system prompt beside the messages */
    prompts?: string[][];
    /** tokens of texts that are known; `false` leaves all texts out that can be cut */
    texts?: false | ReadonlyMap<string, number>;
    /** texts that are sent in the place of parts */
    notes?: ReadonlyMap<Part, string> | undefined;
  } = {},
): Steps<Gathered> {
  const texts = new NumberedTexts();
  const rows = new Int32Array(PART_COLUMNS * parts.length);
  const guessed: number[] = schemas.some(({ isHosted }) => isHosted) ? [NONE] : [];
  const given = { texts, known, provider, tokenizer };
  const loaded = new Loaded(deferred ?? schemas, tokenizer, deferred === undefined);
  const { message: perMessage } = ofVendor(provider).counts;
  const countText = (text: string) => native.countTexts([text], tokenizer)[0];
  /** The tokens of the content at `at`. */
  const tokensAt = (at: number) => {
    const [what, first] = [rows[at], rows[at + 1]];
    if (what === TEXT) return countText(texts.values[first]);
    if (what === JSON_UNITS) return Math.ceil(first / UNITS_PER_TOKEN);
    if (what === TOKENS) return first;
    return what === NOTHING ? 0 : native.mediaTokens(provider, rows.slice(at, at + 3))[0];
  };
  for (let index = 0; index < parts.length; index++) {
    if (pace.isDue) yield;
    const part = parts[index];
    const at = PART_COLUMNS * index;
    const isCall = part.kind === 'call';
    rows[at + MESSAGE] = part.message;
    const note = notes?.get(part);
    if (note !== undefined) set(rows, at + PART_CONTENT, TEXT, texts.content(note));
    else if (!gatherContent(part, messages[part.message], rows, at + PART_CONTENT, given)) guessed.push(part.message);
    const loads = loaded.isWaiting ? loaded.tokensBy(part, messages[part.message]) : 0;
    // Nothing is written beside what a text takes the place of.
    const beside = part.beside === undefined || note !== undefined ? 0 : countText(part.beside);
    const more = loads + beside + (part.further ?? 0) * perMessage;
    if (more > 0) set(rows, at + PART_CONTENT, TOKENS, more + tokensAt(at + PART_CONTENT));
    if (isCall) rows[at + PART_CONTENT] |= CALL;
    rows[at + NAME] = isCall && part.name !== undefined ? texts.number(part.name) : NONE;
    rows[at + ID] = part.callId === undefined ? NONE : texts.number(part.callId);
  }
  const columns = new Int32Array(MESSAGE_COLUMNS * messages.length);
  for (let index = 0, next = 0; index < messages.length; index++) {
    if (pace.isDue) yield;
    const { role, name } = messages[index];
    const first = parts[next]?.message === index ? parts[next] : undefined;
    let isSent = first === undefined;
    for (; parts[next]?.message === index; next++) isSent ||= parts[next].unsent !== true;
    const at = MESSAGE_COLUMNS * index;
    columns[at + ROLE] = isSent ? texts.number(typeof role === 'string' ? role : (first?.role ?? 'user')) : NONE;
    columns[at + AUTHOR] = typeof name === 'string' && !isOfTool(first) ? texts.number(name) : NONE;
  }
  const extras: number[] = [];
  const add = (row: number, text?: string) => extras.push(row, text === undefined ? NONE : texts.content(text));
  if (schemas.length > 0) addTools(schemas, provider, add);
  for (const prompt of prompts) {
    add(EXTRA.prompt, 'system');
    for (const text of prompt) add(EXTRA.promptText, text);
  }
  const copies = yield* givenTexts(texts.values);
  return { texts: copies, parts: rows, messages: columns, extras: Int32Array.from(extras), provider, tokenizer, guessed };
}

/** Whether an item of OpenAI's is itself a call or its output: its name is the tool's. */
function isOfTool(first: Part | undefined) {
  if (first?.path[0] === 'providerData') return true;
  return first?.kind === 'call' ? first.path.length === 1 : first?.path[0] === 'output';
}

/** Writes what is sent of a part into the three columns from `at` on. Returns whether its tokens are known. */
function gatherContent(
  { kind, text, path, whole, unsent, sent }: Part,
  message: object,
  rows: Int32Array,
  at: number,
  {
    texts,
    known,
    provider,
    tokenizer,
  }: { texts: NumberedTexts; known: false | ReadonlyMap<string, number> | undefined; provider: Provider; tokenizer: Tokenizer },
) {
  if (unsent) return true;
  if (sent !== undefined) {
    if (known !== false || text === '') set(rows, at, TEXT, texts.content(sent()));
    else {
      // What can be cut is left out, and with it goes what only JSON adds.
      const [whole, own] = native.countTexts([sent(), text], tokenizer);
      set(rows, at, TOKENS, Math.max(0, whole - own));
    }
    return true;
  }
  if (kind === 'media') {
    const media = mediaOf(getIn(message, path), provider);
    if (typeof media !== 'string') rows.set(contentOf(media), at);
    else set(rows, at, TEXT, texts.content(media));
    return typeof media === 'string' || media.isKnown;
  }
  // Encrypted and unknown content can't be counted, but it is sent.
  if (kind === 'opaque' || (kind === 'reasoning' && text === '')) {
    const { units, files } = weigh(withoutIgnored(message, path));
    if (files.length === 0) set(rows, at, JSON_UNITS, units);
    else set(rows, at, TOKENS, Math.ceil(units / UNITS_PER_TOKEN) + tokensOf(files, provider));
    return units === 0;
  }
  if (known !== false || kind === 'reasoning' || whole) {
    const tokens = known ? known.get(text) : undefined;
    if (tokens === undefined) set(rows, at, TEXT, texts.content(text));
    else set(rows, at, TOKENS, tokens);
  }
  return kind !== 'reasoning';
}

/** The tokens of files that stand inside other content; of those that are texts, by their length. */
function tokensOf(files: readonly Inner[], provider: Provider) {
  const read = files.map((file) => mediaOf(file as object, provider));
  const media = read.filter((one) => typeof one !== 'string');
  const units = read.reduce((sum, one) => sum + (typeof one === 'string' ? one.length : 0), 0);
  return Math.ceil(units / UNITS_PER_TOKEN) + mediaTokens(media, provider).reduce((sum, tokens) => sum + tokens, 0);
}

function set(rows: Int32Array, at: number, what: number, number: number) {
  rows[at] = what;
  rows[at + 1] = number;
}
