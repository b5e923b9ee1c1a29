import { AnswerReader } from '../shared/answer.js';

interface Chunk {
  candidates?: { content?: { parts?: Part[] | null } | null; finishReason?: unknown }[] | null;
  usageMetadata?: { promptTokenCount?: number; candidatesTokenCount?: number; thoughtsTokenCount?: number };
}
interface Part {
  text?: unknown;
  thought?: unknown;
  functionCall?: { name?: string; args?: unknown } | null;
}

export class GeminiAnswer extends AnswerReader {
  see(value: Chunk | (Chunk | null)[]) {
    // A stream without events is an array.
    if (Array.isArray(value)) for (const one of value) this.#chunk(one ?? {});
    else this.#chunk(value);
  }

  #chunk({ candidates, usageMetadata: usage }: Chunk) {
    if (usage !== undefined) this.count(usage.promptTokenCount, (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0));
    const { content, finishReason } = candidates?.[0] ?? {};
    for (const { text, thought, functionCall } of content?.parts ?? []) {
      if (typeof text === 'string' && !thought) this.text += text;
      if (functionCall) this.call(this.calls.size, functionCall.name, functionCall.args);
    }
    this.isWhole ||= finishReason != null;
  }
}
