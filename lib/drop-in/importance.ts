import { checkMessageList, checkString } from '../checks.js';
import { textOf } from '../messages.js';
import native from '../native.js';
import type { Message } from '../messages.js';
import type { Foreign } from '../types.js';

/** See `index.d.ts`. */
export function scoreContentSignals(content: Foreign) {
  checkString('scoreContentSignals(): content', content);
  return native.scoreContentSignals(content);
}

/** See `index.d.ts`. */
export function computeImportance(messages: Message[]) {
  checkMessageList('computeImportance(): messages', messages);
  return new Map(native.computeImportance(messages.map(textOf)).entries());
}
