import { getIn } from '../formats/copy.js';
import { CONTENT, COUNTED_MESSAGE_COLUMN, COUNTED_PART_COLUMN, EXTRA, SENTINEL } from '../generated/layout.js';
import { Numbered } from '../numbered.js';
import { pace } from '../steps.js';
import { givenTexts } from '../texts.js';
import { contentOf, mediaOf } from './media.js';
import { addTools } from './tools.js';
import type { Foreign, Part, Tool } from '../types.js';
import type { Steps } from '../steps.js';
import type { GatheredRequest } from '../../binding';

/** UTF-16 code units up to which it pays to look whether a text was there before. */
const SHORT_TEXT = 64;

const { COUNT: PART_COLUMNS, MESSAGE, CONTENT: PART_CONTENT, NAME, ID } = COUNTED_PART_COLUMN;
const { COUNT: MESSAGE_COLUMNS, ROLE, NAME: AUTHOR } = COUNTED_MESSAGE_COLUMN;
const { TEXT, TOKENS, JSON: JSON_UNITS, CALL } = CONTENT;
const { NONE } = SENTINEL;

class NumberedTexts extends Numbered<string> {
  /** The number of a text, of which equal ones have the same only where they are short. */
  content(text: string) {
    return text.length > SHORT_TEXT ? this.values.push(text) - 1 : this.number(text);
  }
}

/**
 * Gathers what a request sends, for the engine to count, in steps.
 *
 * @param parts their parts, in order
 */
export function* gatherRequest(
  messages: readonly Foreign[],
  parts: readonly Part[],
  provider: 'openai' | 'anthropic' | 'gemini',
  tokenizer: 'o200k_base' | 'cl100k_base' | 'estimate',
  {
    schemas = [],
    prompts = [],
    texts: known,
  }: {
    /** those of the tools that are sent along, as `toolSchemas` gives them */
    schemas?: Tool[];
    /** the texts of each system prompt beside the messages */
    prompts?: string[][];
    /** tokens of texts that are known; `false` leaves all texts out that can be cut */
    texts?: false | ReadonlyMap<string, number>;
  } = {},
): Steps<GatheredRequest> {
  const texts = new NumberedTexts();
  const rows = new Int32Array(PART_COLUMNS * parts.length);
  for (let index = 0; index < parts.length; index++) {
    if (pace.mayPause) yield;
    const part = parts[index];
    const at = PART_COLUMNS * index;
    const isCall = part.kind === 'call';
    rows[at + MESSAGE] = part.message;
    gatherContent(part, messages[part.message], rows, at + PART_CONTENT, texts, known);
    if (isCall) rows[at + PART_CONTENT] |= CALL;
    rows[at + NAME] = isCall && part.name !== undefined ? texts.number(part.name) : NONE;
    rows[at + ID] = part.callId === undefined ? NONE : texts.number(part.callId);
  }
  const columns = new Int32Array(MESSAGE_COLUMNS * messages.length);
  for (let index = 0, next = 0; index < messages.length; index++) {
    if (pace.mayPause) yield;
    const { role, name } = messages[index];
    const first = parts[next]?.message === index ? parts[next] : undefined;
    while (parts[next]?.message === index) next++;
    const at = MESSAGE_COLUMNS * index;
    columns[at + ROLE] = texts.number(typeof role === 'string' ? role : (first?.role ?? 'user'));
    columns[at + AUTHOR] = typeof name === 'string' && !isOfTool(first) ? texts.number(name) : NONE;
  }
  const extras: Foreign[] = [];
  const add = (row: number, text?: string) => extras.push(row, text === undefined ? NONE : texts.content(text));
  if (schemas.length > 0) addTools(schemas, provider, add);
  for (const prompt of prompts) {
    add(EXTRA.prompt, 'system');
    for (const text of prompt) add(EXTRA.promptText, text);
  }
  const copies = yield* givenTexts(texts.values);
  return { texts: copies, parts: rows, messages: columns, extras: Int32Array.from(extras), provider, tokenizer };
}

/** Whether an item of OpenAI's is itself a call or its output: its name is the tool's. */
function isOfTool(first: Part | undefined) {
  if (first?.kind === 'call') return first.path.length === 1;
  return first?.path[0] === 'output' || first?.path[0] === 'providerData';
}

/** Writes what is sent of a part into the three columns from `at` on. */
function gatherContent(
  { kind, text, path, whole }: Part,
  message: Foreign,
  rows: Int32Array,
  at: number,
  texts: NumberedTexts,
  known: false | ReadonlyMap<string, number> | undefined,
) {
  if (kind === 'media') {
    const media = mediaOf(getIn(message, path));
    if (typeof media === 'string') set(rows, at, TEXT, texts.content(media));
    else rows.set(contentOf(media), at);
  }
  // Encrypted and unknown content can't be counted, but it is sent.
  else if (kind === 'opaque' || (kind === 'reasoning' && text === '')) set(rows, at, JSON_UNITS, unitsOf(getIn(message, path)));
  else if (known !== false || kind === 'reasoning' || whole) {
    const tokens = known ? known.get(text) : undefined;
    if (tokens === undefined) set(rows, at, TEXT, texts.content(text));
    else set(rows, at, TOKENS, tokens);
  }
}

function set(rows: Int32Array, at: number, what: number, number: number) {
  rows[at] = what;
  rows[at + 1] = number;
}

/** The length of a value's JSON in UTF-16 code units. */
function unitsOf(value: Foreign) {
  try {
    return (JSON.stringify(value) ?? '').length;
  } catch {
    // Cycles and BigInts can't be sent as JSON either.
    return 0;
  }
}
