// Puts the messages that a session gives into the body of a request.
import { effectOf, isAnswer, REQUESTS, valueAt } from 'palimpsest/internal';
import { plain } from '../terminal.mjs';
import { SWITCH_HEADER } from './headers.mjs';
import { findArray, guarded, textsFor, withItems } from './json-source.mjs';
import type { IncomingHttpHeaders } from 'node:http';
import type { CacheReport, SessionStep } from 'palimpsest';
import type { Json } from '../transcripts/values.mjs';
import type { Api } from './apis.mjs';
import type { Sessions } from './sessions.mjs';
import type { Source } from './json-source.mjs';

export interface Fitted {
  /** the very buffer if nothing changed */
  body: Buffer;
  /** why the request went through as it came, without content */
  passed?: string | undefined;
  /** why no shadow request may repeat it */
  effect?: string | undefined;
  /** something of ours failed */
  isFailure?: boolean;
  model?: string | undefined;
  /** of the answer, as the request says it */
  maxOutputTokens?: number | undefined;
  step?: SessionStep<object>;
  /** the session that gave the step, and the number of the request in it */
  session?: object | undefined;
  number?: number | undefined;
  /** the messages as they came */
  source?: Source;
  /** JSON of the messages as they are sent; absent if nothing changed */
  parts?: string[] | undefined;
  observe?: (usage: object | undefined, diagnostics?: object) => CacheReport | undefined;
}

const OFF = 'the request switches palimpsest off';
const SMALL = 'a small request that counts tokens';
const SUMMARY = 'a request for a summary of all messages';
const KEPT = 'the provider keeps the history';
const COMPRESSED = 'the body is compressed';
/** What is as it should be. */
const MEANT = new Set([OFF, SMALL, SUMMARY]);

/** What to do about a conversation that goes out uncut, by the reason. */
export const REMEDIES: Record<string, string> = {
  [KEPT]: 'have the client send all messages with each request, and store nothing',
  [COMPRESSED]: "switch the client's compression of requests off",
};

/** Whether a request went through as it came without anybody asking for that, so that it may be longer than the limit. @param bytes of its body */
export const isUncut = ({ passed, step, isFailure }: Omit<Fitted, 'body'>, bytes: number, limit: number) =>
  // A token is at least a byte.
  passed !== undefined && step === undefined && !MEANT.has(passed) && (isFailure === true || passed === KEPT || bytes > limit);

/** Gives requests the messages of their sessions. */
export class Fitting {
  #sessions;
  #limit;
  #timeout;

  /** @param options `limit` in tokens, `timeout` in ms */
  constructor({ sessions, limit, timeout }: { sessions: Sessions; limit: number; timeout: number }) {
    this.#sessions = sessions;
    this.#limit = limit;
    this.#timeout = timeout;
  }

  /** Fits a body. Never rejects: if something of ours fails, the body is as it came. */
  async fit(api: Api, headers: IncomingHttpHeaders, body: Buffer): Promise<Fitted> {
    const passed = this.#reasonToPass(api, headers, body);
    if (passed !== undefined) return { body, passed };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Fitted>((resolve) => {
      timer = setTimeout(() => resolve({ body, passed: 'choosing messages took too long', isFailure: true }), this.#timeout);
    });
    try {
      return await Promise.race([this.#choose(api, body), late]);
    } catch (error) {
      return { body, passed: nameOf(error), isFailure: true };
    } finally {
      clearTimeout(timer);
    }
  }

  #reasonToPass({ counts }: Api, headers: IncomingHttpHeaders, body: Buffer) {
    if (headers[SWITCH_HEADER] === 'off') return OFF;
    if (!/^(?:identity)?$/i.test(headers['content-encoding'] ?? '')) return COMPRESSED;
    if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) return 'the body is not declared as JSON';
    // A token is at least a byte: nothing was cut of so little.
    return counts && body.length <= this.#limit ? SMALL : undefined;
  }

  async #choose({ format }: Api, body: Buffer): Promise<Fitted> {
    const { messages, stored, output } = REQUESTS[format];
    const text = decode(body);
    const source = text === undefined ? undefined : findArray(text, messages);
    if (source === undefined) return { body, passed: 'the body is no JSON with a list of messages' };
    const others = membersOf(source);
    if (others === undefined) return { body, passed: 'the body is no JSON with a list of messages' };
    if (valueAt(others, stored) !== undefined) return { body, passed: KEPT };
    const { model } = others;
    const maxOutputTokens = valueAt(others, output);
    const bytes = source.numbers.length === 0 ? body : Buffer.from(guarded(source));
    const chat = await this.#sessions.choose({ format, bytes, ...beginningOf(source) });
    // The parser gives back its own list where the session left it as it is.
    const parts = chat.step === undefined || chat.messages === chat.step.messages ? textsFor(source, chat.messages) : undefined;
    const changed = parts === undefined ? text : withItems(source, parts);
    const fitted = {
      body: changed === undefined || changed === text ? body : Buffer.from(changed),
      ...(typeof model === 'string' && { model: plain(model.slice(0, 100)) }),
      maxOutputTokens: Number.isFinite(maxOutputTokens) ? (maxOutputTokens as number) : undefined,
      effect: effectOf(format, others),
    };
    if (chat.step === undefined) return { ...fitted, ...(fitted.body === body && { passed: SUMMARY }) };
    return {
      ...fitted,
      ...(chat.step.report.off && { passed: 'palimpsest is switched off' }),
      step: chat.step,
      session: chat.session,
      number: chat.session?.report.requests,
      source,
      parts,
      observe: (usage, diagnostics) => chat.observe(usage, diagnostics),
    };
  }
}

function decode(bytes: Buffer) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the members of a body, with an empty list of messages; undefined if it is no JSON. */
function membersOf({ text, array: [start, end] }: Source): Json | undefined {
  try {
    return JSON.parse(`${text.slice(0, start)}[]${text.slice(end)}`);
  } catch {
    return undefined;
  }
}

/** Returns what the user began with, and the model's first answer to it. */
function beginningOf({ texts }: Source): { prompt?: unknown; answer?: unknown } {
  let prompt: unknown;
  for (const text of texts) {
    const message = JSON.parse(text);
    if (prompt === undefined) prompt = message?.role === 'user' ? (message.content ?? message.parts) : undefined;
    else if (isAnswer(message)) return { prompt, answer: message };
  }
  return { prompt };
}

/** Names a failure without content: messages of errors may quote what they are about. */
function nameOf(error: unknown) {
  const { name, code, message } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (/^the messages break a rule/.test(message ?? '')) return message;
  return `${name ?? 'Error'}${typeof code === 'string' ? ` (${code})` : ''} while choosing messages`;
}
