// Conversations as flat parts, written by hand, as a format reads them from messages. Each message here is one part.
export const prose = (name) => `This is what was said about ${name}.\n${'The rest was as it had been. '.repeat(8)}\nNobody added anything.`;

/** Collects messages of OpenAI's chat, one part each, and these parts. */
export class Talk {
  messages = [];
  parts = [];

  push(message, part) {
    this.parts.push({ message: this.messages.push(message) - 1, ...part });
    return this.parts.length - 1;
  }

  say(role, text) {
    return this.push({ role, content: text }, { path: ['content'], role, kind: 'text', text });
  }

  /** Adds a call and its result. Returns the number of the call. */
  call(name, input, result, more = {}) {
    const callId = `call_${this.parts.length}`;
    const text = JSON.stringify(input);
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: callId, type: 'function', function: { name, arguments: text } }],
    };
    const call = this.push(message, {
      path: ['tool_calls', 0, 'function', 'arguments'],
      role: 'assistant',
      kind: 'call',
      name,
      callId,
      text,
    });
    this.push(
      { role: 'tool', tool_call_id: callId, content: result },
      { path: ['content'], role: 'tool', kind: 'result', callId, call, text: result, ...more },
    );
    return call;
  }
}
