import { AnswerReader, textIn } from '../shared/answer.js';

/** An answer, or a chunk of its stream. */
interface Value {
  choices?: Choice[] | null;
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown } | null;
}
interface Choice {
  index?: number;
  message?: Message | null;
  delta?: Message | null;
  finish_reason?: unknown;
}
interface Message {
  content?: unknown;
  refusal?: unknown;
  tool_calls?: Call[] | null;
  function_call?: Called | null;
}
interface Call {
  index?: number;
  function?: Called | null;
  custom?: Called | null;
}
interface Called {
  name?: string;
  arguments?: string;
  input?: string;
}

export class ChatAnswer extends AnswerReader {
  see({ choices, usage }: Value) {
    this.count(usage?.prompt_tokens, usage?.completion_tokens);
    for (const { index = 0, message, delta, finish_reason: finished } of choices ?? []) {
      if (index !== 0) continue;
      const { content, refusal, tool_calls: calls, function_call: called }: Message = message ?? delta ?? {};
      this.text += textIn(content ?? refusal);
      for (const [at, one] of (calls ?? (called ? [{ function: called } as Call] : [])).entries()) this.#call(one.index ?? at, one);
      this.isWhole ||= finished != null;
    }
  }

  #call(at: number, { function: called, custom }: Call) {
    const { name, arguments: json, input }: Called = called ?? custom ?? {};
    this.call(at, name ?? '').json += json ?? input ?? '';
  }
}
