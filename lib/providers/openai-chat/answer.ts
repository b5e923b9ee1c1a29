import { AnswerReader, textIn } from '../shared/answer.js';
import type { Foreign } from '../../types.js';

export class ChatAnswer extends AnswerReader {
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
