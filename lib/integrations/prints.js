// @ts-check
'use strict';

const { messagePrints } = require('../agent/fingerprint.js');
const { isUnchanged, snapshotOf } = require('../tokens/snapshot.js');

/** Fingerprints of messages without cache breakpoints. A message that was seen before and is unchanged is not hashed again. */
class Prints {
  /** @type {WeakMap<object, { values: unknown[], print: string }>} */
  #known = new WeakMap();

  /**
   * @param {readonly any[]} messages
   * @returns {string[]} those of `messages`, in their order
   * @throws {TypeError} a message is circular
   */
  of(messages) {
    const prints = /** @type {string[]} */ (messages.map((message) => this.#print(message)));
    const fresh = [...prints.keys()].filter((index) => prints[index] === undefined);
    messagePrints(fresh.map((index) => readIn(messages[index]))).forEach((print, place) => {
      prints[fresh[place]] = print;
      this.#learn(messages[fresh[place]], print);
    });
    return prints;
  }

  #print(message) {
    const known = this.#known.get(message);
    return known !== undefined && isUnchanged(known.values, message) ? known.print : undefined;
  }

  #learn(message, print) {
    if (message === null || typeof message !== 'object') return;
    const values = snapshotOf(message)?.values;
    if (values !== undefined) this.#known.set(message, { values, print });
  }
}

/** Returns of an instance of LangChain what its format reads: its class writes more into JSON. @param {any} message */
function readIn(message) {
  if (typeof message?.getType !== 'function') return message;
  const { role, content, name, tool_calls, tool_call_id } = message;
  return { type: message.getType(), role, content, name, tool_calls, tool_call_id };
}

module.exports = { Prints };
