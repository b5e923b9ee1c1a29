import type { Foreign } from '../types.js';

/** A call in an answer, or the text of one. */
export interface Call {
  name: string;
  /** its arguments: an object, or text that is no JSON */
  input: Foreign;
}

/** What an answer does next. */
export interface Answer {
  calls: Call[];
  text: string;
}

/** What is read of the values of an answer: the whole answer, or the values of its stream. */
abstract class Reader {
  protected text = '';
  protected calls: Map<unknown, { name: string; input: Foreign; json: string }> = new Map();
  /** Whether the answer came to its end. */
  protected isWhole = false;
  /** Tokens of the request and its answer; undefined if the provider did not tell them. */
  tokens: number | undefined;
  /** Of these, those of the answer. */
  output: number | undefined;

  abstract see(value: Foreign): void;

  /** Returns what the answer does; undefined if it did not come to its end. */
  end(): Answer | undefined {
    if (!this.isWhole) return undefined;
    const calls = [...this.calls.values()].map(({ name, input, json }) => ({ name, input: json === '' ? (input ?? {}) : parsed(json) }));
    return { calls, text: this.text.trim() };
  }

  protected call(key: unknown, name = '', input?: Foreign) {
    const call = this.calls.get(key) ?? { name: '', input, json: '' };
    call.name += name;
    call.input = input ?? call.input;
    this.calls.set(key, call);
    return call;
  }

  protected count(input: Foreign, output: Foreign) {
    if (Number.isFinite(output)) this.output = output;
    if (Number.isFinite(input)) this.tokens = input + (this.output ?? 0);
  }
}

class AnthropicReader extends Reader {
  #input: number | undefined;

  see({ type, index, message, content, content_block: block, delta, usage, stop_reason: stopped }: Foreign) {
    if (type === 'message') {
      for (const [at, one] of (content ?? []).entries()) this.#block(at, one);
      this.#usage(usage);
      this.isWhole = stopped != null;
    } else if (type === 'message_start') this.#usage(message?.usage);
    else if (type === 'content_block_start') this.#block(index, block);
    else if (type === 'content_block_delta' && delta?.type === 'text_delta') this.text += delta.text;
    else if (type === 'content_block_delta' && delta?.type === 'input_json_delta') this.#part(index, delta.partial_json);
    else if (type === 'message_delta') {
      this.count(this.#input, usage?.output_tokens);
      this.isWhole ||= delta?.stop_reason != null;
    }
  }

  #block(at: number, { type, text, name, input }: Foreign) {
    if (type === 'text') this.text += `\n${text ?? ''}`;
    if (type === 'tool_use') this.call(at, name, input);
  }

  #part(at: number, json: string) {
    const call = this.calls.get(at);
    if (call !== undefined) call.json += json ?? '';
  }

  #usage(usage: Foreign) {
    if (!Number.isFinite(usage?.input_tokens)) return;
    this.#input = usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
    this.count(this.#input, usage.output_tokens);
  }
}

class ChatReader extends Reader {
  see({ choices, usage }: Foreign) {
    this.count(usage?.prompt_tokens, usage?.completion_tokens);
    for (const { index = 0, message, delta, finish_reason: finished } of choices ?? []) {
      if (index !== 0) continue;
      const { content, refusal, tool_calls: calls, function_call: called } = message ?? delta ?? {};
      this.text += textIn(content ?? refusal);
      for (const [at, one] of (calls ?? (called ? [{ function: called }] : [])).entries()) this.#call(one.index ?? at, one);
      this.isWhole ||= finished != null;
    }
  }

  #call(at: number, { function: called, custom }: Foreign) {
    const { name, arguments: json, input } = called ?? custom ?? {};
    this.call(at, name ?? '').json += json ?? input ?? '';
  }
}

class ResponsesReader extends Reader {
  see({ object, type, item, response, ...rest }: Foreign) {
    if (type === 'response.output_item.done') this.#item(rest.output_index, item);
    const whole = object === 'response' ? rest : ENDS.has(type) ? response : undefined;
    if (whole === undefined) return;
    // Some servers send the items in their events alone.
    for (const [at, one] of (whole.output ?? []).entries()) if (!this.#seen.has(at)) this.#item(at, one);
    this.count(whole.usage?.input_tokens, whole.usage?.output_tokens);
    this.isWhole = whole.status === 'completed' || whole.status === 'incomplete';
  }

  #seen: Set<number> = new Set();

  #item(at: number, { type, name, arguments: json, input, action, operation, content }: Foreign) {
    this.#seen.add(at);
    if (type === 'message') this.text += `\n${textIn(content)}`;
    else if (type === 'function_call') this.call(at, name).json += json ?? '';
    else if (type === 'custom_tool_call') this.call(at, name).json += input ?? '';
    else if (/^(?:local_shell|shell|apply_patch|computer)_call$/.test(type)) this.call(at, type, action ?? operation);
  }
}

/** Events that end a stream of Responses with the response. */
const ENDS = new Set(['response.completed', 'response.incomplete']);

class GeminiReader extends Reader {
  see(value: Foreign) {
    // A stream without events is an array.
    if (Array.isArray(value)) for (const one of value) this.#chunk(one ?? {});
    else this.#chunk(value);
  }

  #chunk({ candidates, usageMetadata: usage }: Foreign) {
    if (usage !== undefined) this.count(usage.promptTokenCount, (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0));
    const { content, finishReason } = candidates?.[0] ?? {};
    for (const { text, thought, functionCall } of content?.parts ?? []) {
      if (typeof text === 'string' && !thought) this.text += text;
      if (functionCall) this.call(this.calls.size, functionCall.name, functionCall.args);
    }
    this.isWhole ||= finishReason != null;
  }
}

const READERS = { anthropic: AnthropicReader, 'openai-chat': ChatReader, 'openai-responses': ResponsesReader, gemini: GeminiReader };

export type ShadowFormat = keyof typeof READERS;

/** Formats whose answers can be read. */
export const FORMATS = Object.keys(READERS) as ShadowFormat[];

/** Returns what reads an answer of a provider, as it is sent or as an SDK gives it. */
export const readerOf = (format: ShadowFormat): Reader => new READERS[format]();

export type { Reader };

function textIn(content: Foreign): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part) => part?.text ?? part?.refusal ?? '').join('\n') : '';
}

function parsed(json: string): Foreign {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
