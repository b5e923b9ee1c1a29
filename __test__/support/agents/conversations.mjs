// Which conversation a request belongs to, and how far it is.

const MARKER = /\[conversation ([\w.-]+)\]/;

/**
 * Name of the conversation by `conversationOf`, the header, or the first marker: in the instructions, which nobody cuts, in what was
 * sent, or in what the server keeps of it.
 * @param {{ headers: object, request: object, provider: string, json: string }} of `json`: what was sent
 */
export function nameOf({ headers, request, provider, json }, conversationOf) {
  const marked = (text) => MARKER.exec(text)?.[1];
  const { system, instructions, systemInstruction } = request;
  return (
    conversationOf?.({ headers, request, provider }) ??
    headers['x-conversation'] ??
    marked(JSON.stringify([system, instructions, systemInstruction])) ??
    marked(json) ??
    (json.includes('"previous_') ? marked(JSON.stringify(request)) : undefined) ??
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
