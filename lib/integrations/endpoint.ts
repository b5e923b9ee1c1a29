import { excessIn } from '../fit/limits-report.js';
import { isObject } from '../checks.js';
import { modelOf } from '../model-of.js';
import { findModel } from '../models.js';
import { integration } from '../options/integrations.js';
import { numberWhere } from '../options/kinds.js';
import { BadRequest } from './bad-request.js';
import { anyMessages, chatIn } from './chat-body.js';
import { Integration } from './core.js';
import type { Format } from '../../index.js';
import type { Kind } from '../options/kinds.js';
import type { Option } from '../options/shared.js';
import type { Chat } from './chat-body.js';
import type { FittedChat } from './endpoint-options.js';
import type { Turn } from './core.js';

const from0 = numberWhere((value) => Number.isInteger(value) && value >= 0, 'a whole number from 0');
const from1 = numberWhere((value) => Number.isInteger(value) && value >= 1, 'a whole number from 1');

const notHere: Kind = (name, value) => {
  if (value) throw new TypeError(`${name} is not for endpoints: put marksNote at the end of the system prompt that you send`);
};

const OPTIONS = {
  conversations: { ...integration.conversations, kind: from0 },
  maxBytes: { kind: from1, default: 4_000_000 },
  maxMessages: { kind: from1, default: 10_000 },
  explainMarks: { kind: notHere, default: false },
} satisfies Record<string, Option>;

/** Share of the limit that a request of its own gets. No later request needs room. */
const WHOLE = 0.9999;

/** What a chat endpoint does with the body of a request. */
export class Endpoint {
  maxBytes;
  #integration;
  #options;
  #caller;

  /**
   * @param caller name in errors and warnings: `chatParser()`
   * @param options the caller's
   * @throws {TypeError | RangeError} one is wrong
   */
  constructor(caller: string, options: unknown) {
    this.#caller = caller;
    this.#integration = new Integration(caller, withShare(options), { extra: OPTIONS, isStepReturned: true });
    this.#options = this.#integration.options;
    this.maxBytes = this.#options.maxBytes ?? OPTIONS.maxBytes.default;
  }

  /**
   * Fits the conversation in a body.
   *
   * @param params the server's request, for the caller's functions
   * @throws {BadRequest} something in the body is wrong. A failure of ours rejects only if `options.onError` throws
   */
  async fit(given: unknown, params: unknown): Promise<FittedChat> {
    const chat = await this.#read(given, params);
    const body = given as Record<string, unknown>;
    if (chat === undefined) return { request: body, messages: anyMessages(body), observe: () => undefined };
    const { put, answerAt: _answerAt, ...read } = chat;
    const { messages } = chat;
    const own = { system: this.#options.system ?? read.system, tools: this.#options.tools ?? read.tools };
    const request = { ...read, ...own, contextManagement: body.context_management };
    const use = this.#options.conversations === 0 ? () => this.#integration.create(request) : undefined;
    const write = (sent: readonly object[]) =>
      sent === messages ? { request: body, messages } : { request: put(sent as object[]), messages: sent as object[] };
    const { sent, called: _called, look: _look, ...turn } = await this.#integration.turn(() => ({ ...request, use, write }), params);
    checkFits(turn.step);
    return { request: body, messages, format: chat.format, ...sent, ...turn };
  }

  /** @returns undefined after a failure of ours */
  async #read(body: unknown, params: unknown): Promise<Chat | undefined> {
    const { format, model, maxMessages } = this.#options;
    try {
      const chat = chatIn(body, {
        format: format as Format | 'auto' | null | undefined,
        model,
        maxMessages: maxMessages ?? OPTIONS.maxMessages.default,
      });
      this.#checkAnswer(chat);
      return chat;
    } catch (error) {
      if (error instanceof BadRequest) throw error;
      await this.#integration.guard.take(error, params);
      return undefined;
    }
  }

  /** Checks that there is room for something else than the answer that the client wants. */
  #checkAnswer({ model, maxOutputTokens, answerAt }: Chat) {
    const { limit, maxOutputTokens: own, window } = this.#options;
    if (maxOutputTokens === undefined || limit != null || own != null) return;
    const name = this.#options.model ?? (model !== undefined && findModel(model) !== undefined ? model : undefined);
    const most = window ?? modelOf({ model: name }, `${this.#caller}: options`)?.window;
    if (most === undefined || maxOutputTokens < most) return;
    throw new BadRequest(`${answerAt} must be less than the window (${most}), got ${maxOutputTokens}`, { path: answerAt });
  }
}

/** Checks that the request is within its limit. What a client sent, and can't be cut, may not go beyond it. */
function checkFits(step: Turn['step']) {
  if (step === undefined || step.fits || step.report.off) return;
  throw new BadRequest(`the conversation ${excessIn(step)}, and nothing more of it can go`);
}

function withShare(options: unknown) {
  if (!isObject(options) || options.conversations !== 0 || options.preset != null) return options;
  return { ...options, low: options.low ?? WHOLE, coldLow: options.coldLow ?? options.low ?? WHOLE };
}
