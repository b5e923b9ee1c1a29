import { listMessages } from '../fit/request-messages.js';
import { firstOf, SHAPES } from '../providers/request.js';
import { withNote, withNoteIn } from './note.js';
import { isOwn } from './recall.js';
import { trialOf } from './shadowing.js';
import type { Session, Shadow } from '../../index.js';
import type { Shape } from '../providers/request.js';
import type { Integration, Request, RequestPort, Turn } from './core.js';
import type { Trial } from './shadowing.js';
import type { Usage } from './streams.js';

/** A provider's request, as the caller gave it. */
export type Whole = Record<string, unknown>;

/** The request to send in place of a caller's, and what takes its answer. */
export interface Chosen extends Pick<Turn, 'observe' | 'called' | 'look'> {
  /** undefined where nothing changes */
  request?: Whole | undefined;
  /** a session chose its messages */
  isChosen: boolean;
  /** so that it is within the limit */
  isFitting: boolean;
  /** that one, unless it is switched off */
  session?: Turn['session'] | undefined;
  /** takes the answer, if it shall be compared with those to the whole request */
  trial?: Trial | undefined;
}

/** What is told by an answer of an API, or by a value of its stream. */
export interface Answers {
  usageOf: (answer: object) => Usage;
  /** returns the calls of tools as the SDK hands them on, if it does */
  callsOf: (answer: object) => readonly Call[];
}

/** A call of a tool. */
export interface Call {
  name?: string | undefined;
  id?: unknown;
}

/** Which requests of an integration are chosen. */
interface Chooser {
  integration: Integration;
  format: Shape['format'];
  /** compares answers to requests that were cut, if the caller wants it */
  shadow?: Shadow | undefined;
  isMarkable?: boolean;
  /** the model's window, as the caller knows it */
  window?: number | undefined;
  /** returns the session of a request where the caller knows it: see {@link Request} */
  use?: (request: Request) => Session | undefined;
}

/**
 * Chooses the messages of a whole request.
 *
 * @param whole returns the request; undefined if it has to go out as it is
 * @param params what the caller's functions get
 */
export async function choose(
  { integration, format, shadow, isMarkable, window, use }: Chooser,
  whole: () => Whole | undefined,
  params: unknown,
): Promise<Chosen> {
  const shape = SHAPES[format];
  const read = () => {
    const request = readRequest(whole(), shape, integration.note);
    if (request === undefined) return undefined;
    const known = { ...request, isMarkable, window };
    return { ...known, use: use && (() => use(known)) };
  };
  const { sent, step, session, observe, called, look } = await integration.turn(read, params);
  const trial = shadow && step && sent && look(() => trialOf(shadow, step, sent.asked, shape));
  return {
    request: sent?.request,
    isChosen: step !== undefined,
    isFitting: sent !== undefined && step?.fits === true,
    session: sent && session,
    observe,
    called,
    look,
    trial,
  };
}

/**
 * Reads a whole request; undefined if the provider stores some of it.
 *
 * @returns `write` returns the request as the caller gave it, and the one to send
 * @throws {TypeError} its messages have a shape that can't be read
 */
function readRequest(
  asked: Whole | undefined,
  shape: Shape,
  note: string | undefined,
): RequestPort<object, { asked: Whole; request?: Whole }> | undefined {
  if (asked === undefined || firstOf(asked, shape.stored) !== undefined) return undefined;
  const { format, messages: key } = shape;
  const given = listMessages(asked[key], format, key);
  const noted = note === undefined ? asked : explained(asked, format, note);
  const { messages, put } = noted[key] === asked[key] ? given : listMessages(noted[key], format, key);
  const declared: unknown[] = shape.tools.flatMap((path) => firstOf(noted, [path])?.value ?? []);
  return {
    messages,
    format,
    system: firstOf(noted, shape.system)?.value,
    tools: declared.length > 0 ? declared : undefined,
    model: noted.model,
    maxOutputTokens: firstOf(noted, shape.output)?.value,
    contextManagement: noted.context_management,
    hasBudget: shape.hasBudget?.(noted),
    isSummary: shape.isSummary?.(noted),
    write: (sent) => (noted === asked && sent === messages ? { asked } : { asked, request: { ...noted, [key]: put(sent as object[]) } }),
  };
}

/** Returns a copy of a request whose system prompt explains the marks. */
function explained(request: Whole, format: Shape['format'], note: string): Whole {
  if (format === 'anthropic') return { ...request, system: withNote(request.system, note) };
  if (format === 'openai-responses') return { ...request, instructions: withNote(request.instructions, note) };
  if (format === 'openai-chat') return { ...request, messages: withNoteIn(request.messages as object[], note) };
  const config = request.config as { systemInstruction?: unknown } | undefined;
  return { ...request, config: { ...config, systemInstruction: withNote(config?.systemInstruction, note) } };
}

/** Returns a function that takes an answer, or a value of its stream, for all that read it but the session, and returns the usage for that. */
export function reading({ usageOf, callsOf }: Answers, { called, trial }: Chosen) {
  return (answer: object): Usage => {
    for (const call of callsOf(answer)) if (isOwn(call.name)) for (const key of [call, call.id]) called(key);
    trial?.see(answer);
    return usageOf(answer);
  };
}
