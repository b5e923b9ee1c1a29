import { checkMessageList, checkObject } from '../../checks.js';
import { nameOf, textOf } from '../../messages.js';
import type { Message } from '../../messages.js';

/** See `index.d.ts`. */
export function createDistillationPairs(result: unknown) {
  checkObject('createDistillationPairs(): result', result);
  const { messages, verbatim } = result;
  checkMessageList('createDistillationPairs(): result.messages', messages);
  checkObject('createDistillationPairs(): result.verbatim', verbatim);
  const pairs: { input: string; output: string }[] = [];
  for (const message of messages as Message[]) {
    const ids = message.metadata?._cce_original?.ids;
    if (!Array.isArray(ids)) continue;
    const names = ids
      .map(nameOf)
      .filter((name) => name !== undefined)
      .filter((name) => Object.hasOwn(verbatim, name));
    for (const name of names) checkObject(`createDistillationPairs(): result.verbatim[${JSON.stringify(name)}]`, verbatim[name]);
    const input = names.map((name) => textOf(verbatim[name] as Message)).join('\n');
    const output = textOf(message);
    if (input !== '' && output !== '' && input !== output) pairs.push({ input, output });
  }
  return pairs;
}
