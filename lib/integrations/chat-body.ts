// The conversation in the body of a request to a chat endpoint: a provider's whole request, or messages in any format.

import { checkArray, describe, isObject } from '../checks.js';
import { listMessages } from '../fit/request-messages.js';
import { systemIn, toolsIn } from '../fit/request-parts.js';
import { firstOf, shapeNamed, shapeOf, valueAt } from '../providers/request.js';
import { detect, formatNamed } from '../providers/index.js';
import { checkNested } from '../providers/shared/json.js';
import { tokensFrom0 } from '../options/limits.js';
import { validate } from '../validate/index.js';
import { rules } from '../providers/shared/rules.js';
import { BadRequest } from './bad-request.js';
import type { EndpointOptions } from './endpoint-options.js';
import type { Format } from '../../index.js';
import type { Shape } from '../providers/request.js';

/** The body of a request. */
type Body = Record<string, unknown>;

export interface Chat {
  format: Format;
  messages: object[];
  /** returns a copy of the body with other messages */
  put: (messages: object[]) => Body;
  /** these as far as the body has them */
  system?: unknown;
  tools?: unknown[] | undefined;
  model?: string | undefined;
  maxOutputTokens?: number | undefined;
  hasBudget?: boolean | undefined;
  isSummary?: boolean | undefined;
  /** place of `maxOutputTokens` */
  answerAt?: string | undefined;
}

/** Keys of messages, by precedence. */
const KEYS = ['messages', 'input', 'contents'];

/** A place at the beginning of an error: a member of the body, and what follows. */
const PATH = /^([A-Za-z_$][\w$]*)(?:\.[\w$]+|\[\d+\])*/;
/** What errors call a member whose name is not written without quotes. */
const OTHER_MEMBER = 'a member of the body';
/** The error for a message that no format has. */
const UNKNOWN = /^messages\[(\d+)\] is of no known format/;

/** Rules that may be broken: a call may be left to the server to answer, and not all of Gemini's models sign their thoughts. */
const NOT_CHECKED = new Set(['tool-call-at-end', 'thought-signature']);

/**
 * Returns the conversation in a body.
 *
 * @throws {BadRequest} something in it is wrong
 */
export function chatIn(
  given: unknown,
  { format: wanted, model, maxMessages }: Pick<EndpointOptions, 'format' | 'model'> & { maxMessages: number },
): Chat {
  const named = wanted === 'auto' ? undefined : (wanted ?? undefined);
  const { body, key } = bodyOf(given, named);
  const value = body[key];
  if (Array.isArray(value) && value.length > maxMessages) {
    throw new BadRequest(`${key} must have at most ${maxMessages} entries, got ${value.length}`, { status: 413, path: key });
  }
  const place = (text: string) => text.replace(/^messages\b/, key).replaceAll('messages[', `${key}[`);
  const check = checkerOf(body, place);
  const format = check(() => named ?? formatOf(body, key, model));
  // Only a whole request has more than messages.
  const whole = shapeNamed(format);
  const shape = whole?.messages === key ? whole : undefined;
  const { messages, put } = check(() => (shape === undefined ? listed(value) : listMessages(value, format, key)));
  check(() => checkDepth(body, key, messages));
  checkValid(messages, format, place, check);
  return {
    format,
    messages,
    put: (sent) => ({ ...body, [key]: put(sent) }),
    ...(shape === undefined ? {} : check(() => besideMessages(body, shape))),
  };
}

/** The body, and the key of its messages. */
function bodyOf(body: unknown, format: string | undefined): { body: Body; key: string } {
  const keys = format === undefined ? KEYS : [...new Set([shapeNamed(format)?.messages ?? 'messages', 'messages'])];
  const wanted = keys.join(', ').replace(/, (?=\w+$)/, ' or ');
  if (!isObject(body)) throw new BadRequest(`the body must be an object with ${wanted}, got ${describe(body)}`);
  const all = keys.filter((key) => Object.hasOwn(body, key));
  const given = all.filter((key) => body[key] !== null);
  // Only one is cut, and which one is sent depends on the provider.
  if (format === undefined && given.length > 1) throw new BadRequest(`the body must have only one of ${given.join(' and ')}`);
  const key = given[0] ?? all[0];
  if (key === undefined) throw new BadRequest(`the body must be an object with ${wanted}, got an object without`);
  return { body, key };
}

/**
 * Returns a function that runs a check, and turns what it throws into what the client did wrong, if it is about a place in the body.
 *
 * @param place names a place as the client knows it
 */
function checkerOf(body: Body, place: (text: string) => string) {
  return <T>(check: () => T) => {
    try {
      return check();
    } catch (error) {
      const message = place(String((error as Error)?.message).replace(/^\w+\(\): /, ''));
      const [path, member] = PATH.exec(message) ?? [];
      if (member !== undefined && Object.hasOwn(body, member)) throw new BadRequest(message, { path });
      if (message.startsWith(OTHER_MEMBER)) throw new BadRequest(message);
      throw error;
    }
  };
}

/** The name of the format that messages are in: they show it, or else the rest of the body and the model do. */
function formatOf(body: Body, key: string, ownModel: unknown): Format {
  if (key !== 'messages') return key === 'input' ? 'openai-responses' : 'gemini';
  checkArray(key, body.messages);
  const messages = body.messages as { role?: unknown }[];
  // Whether the model is a name is checked with what else is beside the messages.
  const model = ownModel ?? (typeof body.model === 'string' ? body.model : undefined);
  const formatFor = (some: readonly object[]) => {
    const { format, isShown } = detect(some, []);
    return isShown ? format.name : shapeOf({ ...body, model }, 'auto', 'the body').format;
  };
  try {
    return formatFor(messages);
  } catch (error) {
    // A message of no format is most likely one of the others' with a mistake in it, whose place `validate` knows.
    const index = Number(UNKNOWN.exec((error as Error).message)?.[1]);
    if (typeof messages[index]?.role !== 'string') throw error;
    const format = formatFor(messages.slice(0, index));
    if (validate(messages, { format }).some(({ path }) => path.startsWith(`messages[${index}].`))) return format;
    throw error;
  }
}

function listed(value: unknown) {
  checkArray('messages', value);
  return { messages: value as object[], put: (messages: object[]): unknown => messages };
}

/** Programs that send or store the body recurse into it. */
function checkDepth(body: Body, key: string, messages: readonly object[]) {
  for (const [index, message] of messages.entries()) if (isObject(message)) checkNested(message, () => `messages[${index}]`);
  for (const [name, value] of Object.entries(body)) {
    if (name !== key && value !== null && typeof value === 'object')
      checkNested(value, () => (PATH.exec(name)?.[1] === name ? name : OTHER_MEMBER));
  }
}

/** Checks what the provider would refuse, and what can't be read. What exceeds a limit beside tokens goes, like what exceeds the limit of tokens. */
function checkValid(messages: readonly object[], format: Format, place: (path: string) => string, check: ReturnType<typeof checkerOf>) {
  const [problem] = check(() => validate(messages, { format, requestLimits: false })).filter(({ rule }) => !NOT_CHECKED.has(rule));
  if (problem !== undefined) {
    const [path, { why }] = [place(problem.path), rules[problem.rule as keyof typeof rules]];
    throw new BadRequest(`${path}: ${why}`, { path, rule: problem.rule });
  }
  check(() => formatNamed(format).read(messages));
}

/** What a whole request has beside its messages. */
function besideMessages(body: Body, shape: Shape) {
  const stored = shape.stored.find((path: string) => valueAt(body, path) != null);
  if (stored !== undefined) throw new TypeError(`${stored} must not be given: all content has to be in ${shape.messages}`);
  const nameOf = (path: string) => path;
  const system: unknown = systemIn(body, shape, nameOf);
  const tools: unknown[] = toolsIn(body, shape, nameOf);
  const model = body.model ?? undefined;
  if (model !== undefined && typeof model !== 'string') throw new TypeError(`model must be a string, got ${describe(model)}`);
  const output = firstOf(body, shape.output);
  if (output !== undefined) tokensFrom0(output.path, output.value, {});
  return {
    system,
    tools: tools.length > 0 ? tools : undefined,
    model,
    maxOutputTokens: output?.value as number | undefined,
    hasBudget: shape.hasBudget?.(body),
    isSummary: shape.isSummary?.(body),
    answerAt: output?.path,
  };
}

/** The messages of a body that could not be read. */
export const anyMessages = (body: Body | null | undefined): object[] => KEYS.map((key) => body?.[key]).find(Array.isArray) ?? [];
