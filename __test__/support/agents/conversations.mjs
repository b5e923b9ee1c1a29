// Which conversation a request belongs to, and how far it is.

const MARKER = /\[conversation ([\w.-]+)\]/;

/** Name of the conversation by `conversationOf`, the header, or the first marker in the request. */
export function nameOf({ headers, request, provider }, conversationOf) {
  const { system, instructions, systemInstruction, ...rest } = request ?? {};
  // Instructions first: nobody cuts them.
  return (
    conversationOf?.({ headers, request, provider }) ??
    headers['x-conversation'] ??
    MARKER.exec(JSON.stringify([system, instructions, systemInstruction, rest]))?.[1] ??
    'default'
  );
}

export class Conversations {
  #all = new Map();

  /** `step`: number of answers that arrived whole. `begun`: number of those that were begun. */
  get(name) {
    if (!this.#all.has(name)) this.#all.set(name, { step: 0, begun: 0 });
    return this.#all.get(name);
  }
}
