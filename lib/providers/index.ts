import { isObject } from '../checks.js';
import { whatIs } from '../given.js';
import { definitionOf } from '../options/custom-format.js';
import { continued, misplaced } from '../places.js';
import { inOneGo } from '../steps.js';
import { checkNested } from './shared/json.js';
import { agUi } from './ag-ui/index.js';
import { aiSdkModel } from './ai-sdk-model/index.js';
import { aiSdkUi } from './ai-sdk-ui/index.js';
import { anthropic } from './anthropic/index.js';
import { gemini } from './gemini/index.js';
import { langchain } from './langchain/index.js';
import { mastra } from './mastra/index.js';
import { message } from './message/index.js';
import { openaiAgents } from './openai-agents/index.js';
import { openaiChat } from './openai-chat/index.js';
import { openaiResponses } from './openai-responses/index.js';
import { foreignShape, noObject, unknownFormat } from './shared/unknown.js';
import { write } from './shared/write.js';
import type { CustomFormat } from '../../index.js';
import type { Model } from '../models.js';
import type { Address, Format, Provider as Vendor } from '../types.js';
import type { ProviderDefinition } from './provider.js';
import type { Fields } from './shared/shapes.js';

/** Every provider and dialect, in the order of error messages. All are asked what messages are of; the rest of one is loaded when it is used. */
export const PROVIDERS: ProviderDefinition[] = [
  openaiChat,
  openaiResponses,
  openaiAgents,
  anthropic,
  aiSdkModel,
  aiSdkUi,
  gemini,
  langchain,
  mastra,
  agUi,
  message,
];

const answers = (kind: 'roles' | 'types') => new Set<unknown>(PROVIDERS.flatMap((one) => one.answers[kind] ?? []));
const [ANSWER_ROLES, ANSWER_TYPES] = [answers('roles'), answers('types')];

/** Returns whether a message is the model's, in any format. */
export function isAnswer(message: { type?: unknown; role?: unknown; getType?: unknown } | null | undefined) {
  const type: unknown = typeof message?.getType === 'function' ? message.getType() : message?.type;
  return ANSWER_ROLES.has(message?.role) || ANSWER_TYPES.has(type);
}

/** @param name of a format, checked */
export const providerNamed = (name: string) => PROVIDERS.find((one) => one.name === name) as ProviderDefinition;

const BY_VENDOR = new Map(PROVIDERS.toReversed().map((one) => [one.vendor, one]));

/** The definition of a vendor: each of its formats says the same of its limits and counts. */
export const ofVendor = (vendor: Vendor) =>
  BY_VENDOR.get(vendor) as ProviderDefinition & Required<Pick<ProviderDefinition, 'limits' | 'counts'>>;

const LOADED: Map<string, Format> = new Map();

/**
 * Returns the format of messages.
 *
 * `'auto'` asks every format about every message (with bounded work for each) and drops a format that rejects one of them.
 * Of the remaining formats, the one that recognises a message for sure is taken. If no message is characteristic (plain texts
 * with roles read and write the same in each), it is the first one of the hints that fits (never Anthropic for what begins with instructions), without one the
 * first of the list above,
 * `openai-chat` as a rule.
 *
 * @param name a format's name, a format that the caller defined, or `'auto'`, the default; checked
 * @param hints names of formats that something else indicates, the likeliest first
 * @throws {TypeError} `messages` is not an array of objects, or no format or more than one fits
 */
export function formatOf(messages: unknown, name: string | CustomFormat<any> | null = 'auto', hints: readonly string[] = []) {
  if (!Array.isArray(messages)) throw misplaced(`messages must be an array, got ${whatIs(messages, 'messages')}`);
  if (name === null || name === 'auto') return detect(messages, hints).format;
  if (typeof name !== 'string') return customFormat(name);
  checkSome(messages, name);
  return formatNamed(name);
}

/**
 * Checks that messages are not all of other formats than the one that is named, and the first one certainly of another.
 *
 * @throws {TypeError} they are
 */
function checkSome(messages: readonly unknown[], name: string) {
  const { recognises } = providerNamed(name);
  // What can't be read or is no message at all is found by who reads it, with its place.
  const isForeign = (message: unknown) => isObject(message) && answerOf(recognises, message) === 'no';
  if (messages.length === 0 || !messages.every(isForeign)) return;
  const sure = PROVIDERS.filter((format) => answerOf(format.recognises, messages[0]) === 'yes').map((format) => format.name);
  if (sure.length === 0 || name === 'langchain' || foreignShape(messages[0] as Fields, 0) !== undefined) return;
  throw misplaced(`messages[0] is ${sure.join(' or ')}, not ${name}: name its format in options.format, or leave that out`);
}

function answerOf(recognises: ProviderDefinition['recognises'], message: unknown) {
  try {
    return recognises(message);
  } catch {
    return 'maybe'; // a getter threw
  }
}

/** Says at an error of reading messages in a format which other one they look like: one of them shows it, or none is of this format. */
function withLook(error: unknown, messages: readonly unknown[], { name, recognises }: ProviderDefinition) {
  try {
    const { format, isShown } = detect(messages, []);
    const isOther = isShown ? format.name !== name : messages.every((message) => recognises(message) === 'no');
    return isOther ? continued(error, `; the messages look like ${format.name}`) : error;
  } catch {
    return error; // they look like none, or like several
  }
}

/** @param name of a format, or one that the caller defined; checked */
export function formatNamed(name: string | CustomFormat<any>): Format {
  if (typeof name !== 'string') return customFormat(name);
  const known = LOADED.get(name);
  if (known !== undefined) return known;
  const kind = providerNamed(name);
  const { recognises, vendor } = kind;
  const { reading, ...rest } = kind.parts();
  const format: Format = {
    name: kind.name,
    vendor,
    recognises,
    ...rest,
    *reading(messages, to, adapter) {
      try {
        return yield* reading(messages, to, adapter);
      } catch (error) {
        throw withLook(error, messages, kind);
      }
    },
    read: (messages) => inOneGo(format.reading(messages)),
    write: (messages, edits) => write(format, messages, edits).messages,
  };
  LOADED.set(name, format);
  return format;
}

/** Formats that callers defined. */
const CUSTOM: WeakMap<CustomFormat, Format> = new WeakMap();

function customFormat(defined: CustomFormat): Format {
  const known = CUSTOM.get(defined);
  if (known !== undefined) return known;
  const { customParts } = require('./custom.js') as typeof import('./custom.js');
  const format: Format = {
    name: defined.name as Format['name'],
    vendor: definitionOf(defined).provider ?? undefined,
    isMixed: true,
    recognises: () => 'yes',
    ...customParts(defined),
    read: (messages) => inOneGo(format.reading(messages)),
    write: (messages, edits) => write(format, messages, edits).messages,
  };
  CUSTOM.set(defined, format);
  return format;
}

/** What {@link addressed} returned, by format, and by provider and maker. */
const ADDRESSED: WeakMap<Format, Map<string, Format>> = new WeakMap();

/**
 * Returns a format as it is read for requests to a model: of a conversation that others have made in part, its SDK sends less to a provider. One
 * for messages to any provider is counted by the rules of the model's.
 *
 * @param address what is known of where requests go
 */
export function addressed(
  given: Format,
  { provider, maker = provider }: Pick<Model, 'provider' | 'maker'> = {},
  { roles, adapter }: Address = {},
): Format {
  const format = given.base ?? given;
  const alternating = roles === 'alternate' ? format.alternating : undefined;
  const [to, rules] = format.isMixed ? [provider, maker] : [undefined, undefined];
  if (alternating === undefined && to === undefined && rules === undefined && adapter === undefined) return format;
  const key = `${to} by ${rules} as ${adapter?.api} ${adapter?.wrapsErrors}${alternating === undefined ? '' : ', alternating'}`;
  const all = ADDRESSED.get(format) ?? new Map<string, Format>();
  const known = all.get(key);
  if (known !== undefined) return known;
  const { reading } = format;
  const made: Format = {
    ...format,
    base: format,
    ...alternating,
    to,
    rules,
    adapter,
    reading: (messages) => reading(messages, to, adapter),
    read: (messages) => inOneGo(reading(messages, to, adapter)),
    write: (messages, edits) => write(made, messages, edits).messages,
  };
  ADDRESSED.set(format, all.set(key, made));
  return made;
}

/**
 * Detects the format of messages.
 *
 * @param hints formats of which the first that fits is taken if no message is characteristic
 * @returns `isShown`: a message shows that it is this one
 * @throws {TypeError} no format or more than one fits
 */
export function detect(messages: readonly unknown[], hints: readonly string[]): { format: Format; isShown: boolean } {
  let candidates = PROVIDERS;
  const shows = new Map(); // format → the first message that is certainly of it
  for (let index = 0; index < messages.length; index++) candidates = fitting(messages[index], index, candidates, shows);
  const sure = candidates.filter((format) => shows.has(format));
  if (sure.length === 1) return { format: formatNamed(sure[0].name), isShown: true };
  if (sure.length === 0) {
    // No history of Anthropic's begins with instructions, whatever hints at it: tools in its form, or a model behind a gateway.
    const isInstructed = isObject(messages[0]) && messages[0].role === 'system';
    const isMeant = (name: string, hint: string) => name === hint && !(isInstructed && name === 'anthropic');
    const hinted = hints.map((hint) => candidates.find(({ name }) => isMeant(name, hint))).find((format) => format !== undefined);
    return { format: formatNamed((hinted ?? candidates[0]).name), isShown: false };
  }
  const found = sure.map((format) => `${format.name} (messages[${shows.get(format)}])`).join(' and ');
  throw misplaced(`messages fit ${found}: say which with options.format`);
}

/** Outside of the loop above: V8 would allocate a scope for each format of each message. */
const without = <F>(list: F[], format: F) => list.filter((other) => other !== format);

/**
 * Checks that the messages from `start` on are of a format.
 *
 * @throws {TypeError} one doesn't
 */
export function checkFormat(messages: readonly unknown[], format: Format, start: number) {
  const only = [format];
  for (let index = start; index < messages.length; index++) fitting(messages[index], index, only, new Map());
}

/**
 * Returns the candidates to which a message may belong. Notes in `shows` those to which it certainly does.
 *
 * @throws {TypeError} there is none
 */
function fitting<F extends Pick<ProviderDefinition, 'name' | 'recognises'>>(
  message: unknown,
  index: number,
  candidates: F[],
  shows: Map<F, number>,
) {
  if (!isObject(message)) throw noObject(message, index);
  let left = candidates;
  let foreign: TypeError | undefined;
  try {
    foreign = foreignShape(message, index);
    for (const format of foreign === undefined ? candidates : []) {
      const answer = format.recognises(message);
      if (answer === 'no') left = without(left, format);
      else if (answer === 'yes' && !shows.has(format)) shows.set(format, index);
    }
  } catch (error) {
    // A getter threw. This names its place.
    checkNested(message, () => `messages[${index}]`);
    throw error;
  }
  if (foreign !== undefined) throw foreign;
  if (left.length === 0) throw unknownFormat(PROVIDERS, message, index, candidates, shows);
  return left;
}
