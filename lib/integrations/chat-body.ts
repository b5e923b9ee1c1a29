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
import type { Foreign, Format } from '../types.js';
import type { Shape } from '../providers/request.js';

export interface Chat {
  format: Format['name'];
  messages: Foreign[];
  /** returns a copy of the body with other messages */
  put: (messages: Foreign[]) => Foreign;
  /** these as far as the body has them */
  system?: Foreign;
  tools?: Foreign[] | undefined;
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
  body: Foreign,
  { format: given, model, maxMessages }: Pick<EndpointOptions<Foreign>, 'format' | 'model'> & { maxMessages: number },
): Chat {
  const named = given === 'auto' ? undefined : (given ?? undefined);
  const key = keyOf(body, named);
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

/** The key of the messages. */
function keyOf(body: Foreign, format: string | undefined) {
  const keys = format === undefined ? KEYS : [...new Set([shapeNamed(format)?.messages ?? 'messages', 'messages'])];
  const all = isObject(body) ? keys.filter((key) => Object.hasOwn(body, key)) : [];
  const given = all.filter((key) => body[key] !== null);
  // Only one is cut, and which one is sent depends on the provider.
  if (format === undefined && given.length > 1) throw new BadRequest(`the body must have only one of ${given.join(' and ')}`);
  const found = given[0] ?? all[0];
  if (found !== undefined) return found;
  const got = isObject(body) ? 'an object without' : describe(body);
  throw new BadRequest(`the body must be an object with ${keys.join(', ').replace(/, (?=\w+$)/, ' or ')}, got ${got}`);
}

/**
 * Returns a function that runs a check, and turns what it throws into what the client did wrong, if it is about a place in the body.
 *
 * @param place names a place as the client knows it
 */
function checkerOf(body: Foreign, place: (text: string) => string) {
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
function formatOf(body: Foreign, key: string, ownModel: unknown) {
  if (key !== 'messages') return key === 'input' ? 'openai-responses' : 'gemini';
  checkArray(key, body.messages);
  // Whether the model is a name is checked with what else is beside the messages.
  const model = ownModel ?? (typeof body.model === 'string' ? body.model : undefined);
  const formatFor = (messages: readonly Foreign[]) => {
    const { format, isShown } = detect(messages, []);
    return isShown ? format.name : shapeOf({ ...body, model }, 'auto', 'the body').format;
  };
  try {
    return formatFor(body.messages);
  } catch (error) {
    // A message of no format is most likely one of the others' with a mistake in it, whose place `validate` knows.
    const index = Number(UNKNOWN.exec((error as Error).message)?.[1]);
    if (typeof body.messages[index]?.role !== 'string') throw error;
    const format = formatFor(body.messages.slice(0, index));
    if (validate(body.messages, { format }).some(({ path }) => path.startsWith(`messages[${index}].`))) return format;
    throw error;
  }
}

function listed(value: Foreign) {
  checkArray('messages', value);
  return { messages: value, put: (messages: Foreign[]) => messages };
}

/** Programs that send or store the body recurse into it. */
function checkDepth(body: Foreign, key: string, messages: readonly Foreign[]) {
  for (const [index, message] of messages.entries()) if (isObject(message)) checkNested(message, () => `messages[${index}]`);
  for (const [name, value] of Object.entries(body)) {
    if (name !== key && value !== null && typeof value === 'object')
      checkNested(value, () => (PATH.exec(name)?.[1] === name ? name : OTHER_MEMBER));
  }
}

/** Checks what the provider would refuse, and what can't be read. What exceeds a limit beside tokens goes, like what exceeds the limit of tokens. */
function checkValid(messages: readonly Foreign[], format: string, place: (path: string) => string, check: ReturnType<typeof checkerOf>) {
  const [problem] = check(() => validate(messages, { format, requestLimits: false })).filter(({ rule }: Foreign) => !NOT_CHECKED.has(rule));
  if (problem !== undefined) {
    const [path, { why }] = [place(problem.path), rules[problem.rule as keyof typeof rules]];
    throw new BadRequest(`${path}: ${why}`, { path, rule: problem.rule });
  }
  check(() => formatNamed(format).read(messages));
}

/** What a whole request has beside its messages. */
function besideMessages(body: Foreign, shape: Shape) {
  const stored = shape.stored.find((path: string) => valueAt(body, path) != null);
  if (stored !== undefined) throw new TypeError(`${stored} must not be given: all content has to be in ${shape.messages}`);
  const nameOf = (path: string) => path;
  const system = systemIn(body, shape, nameOf);
  const tools = toolsIn(body, shape, nameOf);
  if (body.model != null && typeof body.model !== 'string') throw new TypeError(`model must be a string, got ${describe(body.model)}`);
  const output = firstOf(body, shape.output);
  if (output !== undefined) tokensFrom0(output.path, output.value, {});
  return {
    system,
    tools: tools.length > 0 ? tools : undefined,
    model: body.model ?? undefined,
    maxOutputTokens: output?.value,
    hasBudget: shape.hasBudget?.(body),
    isSummary: shape.isSummary?.(body),
    answerAt: output?.path,
  };
}

/** The messages of a body that could not be read. */
export const anyMessages = (body: Foreign): Foreign[] => KEYS.map((key) => body?.[key]).find(Array.isArray) ?? [];
