import type { Foreign } from '../../types.js';

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

/** What reads the values of an answer: the whole answer, or the values of its stream. */
export abstract class AnswerReader {
  protected text = '';
  protected calls: Map<unknown, { name: string; input: unknown; json: string }> = new Map();
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

  protected call(key: unknown, name = '', input?: unknown) {
    const call = this.calls.get(key) ?? { name: '', input, json: '' };
    call.name += name;
    call.input = input ?? call.input;
    this.calls.set(key, call);
    return call;
  }

  protected count(input: unknown, output: unknown) {
    if (Number.isFinite(output)) this.output = output as number;
    if (Number.isFinite(input)) this.tokens = (input as number) + (this.output ?? 0);
  }
}

interface Part {
  text?: unknown;
  refusal?: unknown;
}

/** The text of content: a string, or parts of it. */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part: Part | null) => part?.text ?? part?.refusal ?? '').join('\n') : '';
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
