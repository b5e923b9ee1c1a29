import { AnswerReader } from '../shared/answer.js';
import type { Foreign } from '../../types.js';

export class GeminiAnswer extends AnswerReader {
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
