import { AnswerReader, textIn } from '../shared/answer.js';

/** A response, or an event of its stream. */
interface Value extends Response {
  object?: unknown;
  type?: unknown;
  item: Item;
  output_index: number;
  response?: Response;
}
interface Response {
  output?: Item[] | null;
  usage?: { input_tokens?: unknown; output_tokens?: unknown } | null;
  status?: unknown;
}
interface Item {
  type: string;
  name?: string;
  arguments?: string;
  input?: string;
  action?: unknown;
  operation?: unknown;
  content?: unknown;
}

/** Events that end a stream of Responses with the response. */
const ENDS = new Set<unknown>(['response.completed', 'response.incomplete']);

export class ResponsesAnswer extends AnswerReader {
  see({ object, type, item, response, ...rest }: Value) {
    if (type === 'response.output_item.done') this.#item(rest.output_index, item);
    const whole = object === 'response' ? rest : ENDS.has(type) ? response : undefined;
    if (whole === undefined) return;
    // Some servers send the items in their events alone.
    for (const [at, one] of (whole.output ?? []).entries()) if (!this.#seen.has(at)) this.#item(at, one);
    this.count(whole.usage?.input_tokens, whole.usage?.output_tokens);
    this.isWhole = whole.status === 'completed' || whole.status === 'incomplete';
  }

  #seen: Set<number> = new Set();

  #item(at: number, { type, name, arguments: json, input, action, operation, content }: Item) {
    this.#seen.add(at);
    if (type === 'message') this.text += `\n${textIn(content)}`;
    else if (type === 'function_call') this.call(at, name).json += json ?? '';
    else if (type === 'custom_tool_call') this.call(at, name).json += input ?? '';
    else if (/^(?:local_shell|shell|apply_patch|computer)_call$/.test(type)) this.call(at, type, action ?? operation);
  }
}
