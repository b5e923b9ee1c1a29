import { AnswerReader } from '../shared/answer.js';

/** An answer, or a value of its stream. */
interface Value {
  type?: unknown;
  index: number;
  message?: { usage?: Usage | null } | null;
  content?: Block[] | null;
  content_block: Block;
  delta?: { type?: unknown; text?: unknown; partial_json?: string; stop_reason?: unknown } | null;
  usage?: Usage | null;
  stop_reason?: unknown;
}
interface Block {
  type?: unknown;
  text?: unknown;
  name?: string;
  input?: unknown;
}
type Usage = { [Count in 'input_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens' | 'output_tokens']?: number };

export class AnthropicAnswer extends AnswerReader {
  #input: number | undefined;

  see({ type, index, message, content, content_block: block, delta, usage, stop_reason: stopped }: Value) {
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

  #block(at: number, { type, text, name, input }: Block) {
    if (type === 'text') this.text += `\n${text ?? ''}`;
    if (type === 'tool_use') this.call(at, name, input);
  }

  #part(at: number, json: string | undefined) {
    const call = this.calls.get(at);
    if (call !== undefined) call.json += json ?? '';
  }

  #usage(usage: Usage | null | undefined) {
    if (usage?.input_tokens === undefined || !Number.isFinite(usage.input_tokens)) return;
    this.#input = usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
    this.count(this.#input, usage.output_tokens);
  }
}
