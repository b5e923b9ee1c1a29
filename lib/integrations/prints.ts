import { messagePrints } from '../agent/fingerprint.js';
import { isUnchanged, snapshotOf } from '../tokens/snapshot.js';
import type { Foreign } from '../types.js';

/** Fingerprints of messages without cache breakpoints. A message that was seen before and is unchanged is not hashed again. */
export class Prints {
  #known: WeakMap<object, { values: unknown[]; print: string }> = new WeakMap();

  /**
   * @returns those of `messages`, in their order
   * @throws {TypeError} a message is circular
   */
  of(messages: readonly any[]): string[] {
    const prints = messages.map((message) => this.#print(message)) as string[];
    const fresh = [...prints.keys()].filter((index) => prints[index] === undefined);
    messagePrints(fresh.map((index) => readIn(messages[index]))).forEach((print, place) => {
      prints[fresh[place]] = print;
      this.#learn(messages[fresh[place]], print);
    });
    return prints;
  }

  #print(message: Foreign) {
    const known = this.#known.get(message);
    return known !== undefined && isUnchanged(known.values, message) ? known.print : undefined;
  }

  #learn(message: Foreign, print: string) {
    if (message === null || typeof message !== 'object') return;
    const values = snapshotOf(message)?.values;
    if (values !== undefined) this.#known.set(message, { values, print });
  }
}

/** Returns of an instance of LangChain what its format reads: its class writes more into JSON. */
function readIn(message: any) {
  if (typeof message?.getType !== 'function') return message;
  const { role, content, name, tool_calls, tool_call_id } = message;
  return { type: message.getType(), role, content, name, tool_calls, tool_call_id };
}
