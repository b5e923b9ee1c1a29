// @ts-check
// Puts the messages that a session gives into the body of a request.
import { findArray, guarded, textsFor, withItems } from './json-source.mjs';

/**
 * @typedef {object} Fitted
 * @property {Buffer} body the very buffer if nothing changed
 * @property {string} [passed] why the request went through as it came, without content
 * @property {boolean} [isFailure] something of ours failed
 * @property {string} [model]
 * @property {number} [maxOutputTokens] of the answer, as the request says it
 * @property {import('palimpsest').SessionStep<object>} [step]
 * @property {object} [session] identifies the session that gave the step
 * @property {import('./json-source.mjs').Source} [source] the messages as they came
 * @property {string[]} [parts] JSON of the messages as they are sent; absent if nothing changed
 * @property {(usage: object | undefined) => void} [observe]
 */

/** Gives requests the messages of their sessions. */
export class Fitting {
  #sessions;
  #limit;
  #timeout;

  /** @param {{ sessions: import('./sessions.mjs').Sessions, limit: number, timeout: number }} options `limit` in tokens, `timeout` in ms */
  constructor({ sessions, limit, timeout }) {
    this.#sessions = sessions;
    this.#limit = limit;
    this.#timeout = timeout;
  }

  /**
   * Fits a body. Never rejects: if something of ours fails, the body is as it came.
   *
   * @param {import('./apis.mjs').Api} api
   * @param {import('node:http').IncomingHttpHeaders} headers
   * @param {Buffer} body
   * @returns {Promise<Fitted>}
   */
  async fit(api, headers, body) {
    const passed = this.#reasonToPass(api, headers, body);
    if (passed !== undefined) return { body, passed };
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const late = new Promise((resolve) => {
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

  /**
   * @param {import('./apis.mjs').Api} api
   * @param {import('node:http').IncomingHttpHeaders} headers
   * @param {Buffer} body
   */
  #reasonToPass({ counts }, headers, body) {
    if (!/^(?:identity)?$/i.test(headers['content-encoding'] ?? '')) return 'the body is compressed';
    if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) return 'the body is not declared as JSON';
    // A token is at least a byte: nothing was cut of so little.
    return counts && body.length <= this.#limit ? 'a small request that counts tokens' : undefined;
  }

  /**
   * @param {import('./apis.mjs').Api} api
   * @param {Buffer} body
   * @returns {Promise<Fitted>}
   */
  async #choose({ format, messages, stored }, body) {
    const text = decode(body);
    const source = text === undefined ? undefined : findArray(text, messages);
    if (source === undefined) return { body, passed: 'the body is no JSON with a list of messages' };
    const others = membersOf(source);
    if (others === undefined) return { body, passed: 'the body is no JSON with a list of messages' };
    if (stored.some((key) => others[key] != null)) return { body, passed: 'the provider keeps the history' };
    const { model } = others;
    const maxOutputTokens = OUTPUTS.map((name) => others[name] ?? others.generationConfig?.[name]).find(Number.isFinite);
    const bytes = source.numbers.length === 0 ? body : Buffer.from(guarded(source));
    const chat = await this.#sessions.choose({ format, bytes, ...beginningOf(source) });
    // The parser gives back its own list where the session left it as it is.
    const parts = chat.step === undefined || chat.messages === chat.step.messages ? textsFor(source, chat.messages) : undefined;
    const changed = parts === undefined ? text : withItems(source, parts);
    const fitted = {
      body: changed === undefined || changed === text ? body : Buffer.from(changed),
      ...(typeof model === 'string' && { model: model.slice(0, 100) }),
      maxOutputTokens,
    };
    if (chat.step === undefined) return { ...fitted, ...(fitted.body === body && { passed: 'a request for a summary of all messages' }) };
    return {
      ...fitted,
      step: chat.step,
      session: chat.session,
      source,
      parts,
      observe: (usage) => chat.observe(usage),
    };
  }
}

/** @param {Buffer} bytes */
function decode(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Returns the members of a body, with an empty list of messages; undefined if it is no JSON.
 *
 * @param {import('./json-source.mjs').Source} source
 * @returns {any}
 */
function membersOf({ text, array: [start, end] }) {
  try {
    return JSON.parse(`${text.slice(0, start)}[]${text.slice(end)}`);
  } catch {
    return undefined;
  }
}

/**
 * Returns what the user began with, and the model's first answer to it.
 *
 * @param {import('./json-source.mjs').Source} source
 * @returns {{ prompt?: unknown, answer?: unknown }}
 */
function beginningOf({ texts }) {
  let prompt;
  for (const text of texts) {
    const message = JSON.parse(text);
    if (prompt === undefined) prompt = message?.role === 'user' ? (message.content ?? message.parts) : undefined;
    else if (ANSWERS.has(message?.role ?? message?.type)) return { prompt, answer: message };
  }
  return { prompt };
}

/** Names of the maximum number of tokens of an answer. */
const OUTPUTS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens'];

/** Roles of the model's messages, and types of items of the Responses API that have no role. palimpsest has the same in `lib/providers/`. */
const ANSWERS = new Set([
  'assistant',
  'model',
  'reasoning',
  'program',
  'mcp_list_tools',
  'mcp_approval_request',
  'function_call',
  'custom_tool_call',
  'file_search_call',
  'web_search_call',
  'computer_call',
  'tool_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
  'mcp_call',
]);

/** Names a failure without content: messages of errors may quote what they are about. @param {unknown} error */
function nameOf(error) {
  const { name, code, message } = /** @type {any} */ (error ?? {});
  if (/^the messages break a rule/.test(message ?? '')) return message;
  return `${name ?? 'Error'}${typeof code === 'string' ? ` (${code})` : ''} while choosing messages`;
}
