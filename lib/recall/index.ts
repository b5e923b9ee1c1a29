import { describe } from '../checks.js';
import { checkMessages } from '../given.js';
import { formatOf } from '../providers/index.js';
import { modelOf } from '../model-of.js';
import { checkOptions, defaultOf } from '../options/index.js';
import { named } from '../places.js';
import { shown, textOf } from './place.js';
import { RecallIndex } from './recall-index.js';
import type { RecallOptions, RecallResult } from '../../index.js';

const AT = 'recall(): options';

/** See `index.d.ts`. */
function recall(history: readonly object[], messages: readonly object[], query: string, options?: RecallOptions | null): RecallResult {
  for (const [name, list] of Object.entries({ history, messages })) checkMessages(`recall(): ${name}`, list);
  if (typeof query !== 'string') throw new TypeError(`recall(): query must be a string, got ${describe(query)}`);
  const given = checkOptions('recall', options);
  const model = modelOf(given, AT, 'tokenizer');
  const format = ofHistory(() => formatOf(history, given.format ?? 'auto', []));
  const index = new RecallIndex();
  index.append(ofHistory(() => format.read(history)));
  index.setSent(format.read(messages));
  const passages = index.search(query, {
    limit: given.limit ?? defaultOf('recall', 'limit'),
    tokenizer: given.tokenizer ?? model?.tokenizer ?? defaultOf('recall', 'tokenizer'),
  });
  const text = textOf(passages);
  return { passages: passages.map(shown), tokens: passages.reduce((sum, { cost }) => sum + cost, 0), text };
}

/** Returns what `read` returns for the history; errors about places in messages name the history. */
function ofHistory<T>(read: () => T) {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError) || !error.message.startsWith('messages')) throw error;
    throw new TypeError(`recall(): ${error.message.replace('messages', 'history')}`, { cause: error.cause });
  }
}

const recallNamed = named('recall', recall);
export { recallNamed as recall };
