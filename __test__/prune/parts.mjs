// Conversations as flat parts, written by hand: what a format reads from messages. Each message here is one part.
export const prose = (name) => `This is what was said about ${name}.\n${'The rest was as it had been. '.repeat(8)}\nNobody added anything.`;

/** Collects messages `{ text }` and the parts that stand for them. */
export class Talk {
  messages = [];
  parts = [];

  push(part) {
    this.messages.push({ text: part.text });
    this.parts.push({ message: this.messages.length - 1, path: ['text'], ...part });
    return this.parts.length - 1;
  }

  say(role, text) {
    return this.push({ role, kind: 'text', text });
  }

  /** A call and its result; the number of the call. */
  call(name, input, result, more = {}) {
    const callId = `call_${this.parts.length}`;
    const call = this.push({ role: 'assistant', kind: 'call', name, callId, text: JSON.stringify(input) });
    this.push({ role: 'tool', kind: 'result', callId, call, text: result, ...more });
    return call;
  }
}

/** The least that a format and its `applyEdits` do for such messages. */
export const formatOf = (talk) => () => ({ read: () => talk.parts });

export function applyEdits(_format, messages, edits) {
  const originals = {};
  const edited = messages.slice();
  for (const { part, text, key } of edits) {
    if (key !== undefined) originals[key] = part.text;
    edited[part.message] = text === undefined ? undefined : { text };
  }
  return { messages: edited.filter((message) => message !== undefined), originals };
}
