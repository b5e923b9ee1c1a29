import { listMessages } from '../fit/request-messages.js';
import { firstOf, SHAPES } from '../providers/request.js';
import { trialOf } from './shadowing.js';
import type { Shadow } from '../../index.js';
import type { Shape } from '../providers/request.js';
import type { Foreign } from '../types.js';
import type { Integration, Turn } from './core.js';
import type { Trial } from './shadowing.js';

/** The request to send in place of a caller's. */
export interface Chosen {
  /** undefined where nothing changes */
  request?: Foreign;
  /** a session chose its messages */
  isChosen: boolean;
  /** takes the usage of the answer */
  observe: Turn['observe'];
  /** takes what identifies a call of the recall tool in the answer */
  called: Turn['called'];
  /** does work that reads the answer */
  look: Turn['look'];
  /** takes the answer, if it shall be compared with those to the whole request */
  trial?: Trial | undefined;
}

/**
 * Returns a function that chooses the messages of whole requests of one API.
 *
 * @param shadow compares answers to requests that were cut, if the caller wants it
 * @returns `whole` returns the request; undefined if it has to go out as it is.
 * `params`: what the caller's functions get
 */
export function chooserFor(
  integration: Integration,
  format: Shape['format'],
  shadow?: Shadow,
): (whole: () => Foreign, params: Foreign) => Promise<Chosen> {
  const { messages: key } = SHAPES[format];
  return async (whole, params) => {
    let asked: Foreign;
    const { sent, step, observe, called, look } = await integration.turn(() => {
      const request = whole();
      asked = request;
      if (request === undefined || readRequest(request, format) === undefined) return undefined;
      const noted = integration.note === undefined ? request : explained(request, format, integration);
      const { put, ...read } = readRequest(noted, format) as Foreign;
      const isUnchanged = ({ messages }: Foreign) => noted === request && messages === read.messages;
      return { ...read, write: (turn) => (isUnchanged(turn) ? undefined : { ...noted, [key]: put(turn.messages) }) };
    }, params);
    const trial = shadow && step && look(() => trialOf(shadow, step, asked, SHAPES[format]));
    return { request: sent, isChosen: step !== undefined, observe, called, look, trial };
  };
}

/** Returns a copy of a request whose system prompt explains the marks. */
function explained(request: Foreign, format: Shape['format'], integration: Integration) {
  if (format === 'anthropic') return { ...request, system: integration.explain(request.system) };
  if (format === 'openai-responses') return { ...request, instructions: integration.explain(request.instructions) };
  if (format === 'gemini') {
    return { ...request, config: { ...request.config, systemInstruction: integration.explain(request.config?.systemInstruction) } };
  }
  return { ...request, messages: integration.explainIn(request.messages) };
}

/**
 * Reads a whole request; undefined if the provider stores some of it.
 *
 * @throws {TypeError} its messages have a shape that can't be read
 */
function readRequest(request: Foreign, format: Shape['format']) {
  const { messages, system, tools, output, stored, hasBudget, isSummary } = SHAPES[format];
  if (firstOf(request, stored) !== undefined) return undefined;
  const listed = listMessages(request[messages], format, messages);
  const declared = tools.flatMap((path) => firstOf(request, [path])?.value ?? []);
  return {
    ...listed,
    system: firstOf(request, system)?.value,
    tools: declared.length > 0 ? declared : undefined,
    model: request.model,
    maxOutputTokens: firstOf(request, output)?.value,
    contextManagement: request.context_management,
    hasBudget: hasBudget?.(request),
    isSummary: isSummary?.(request),
  };
}
