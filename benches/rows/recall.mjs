// Rows 28 and 29: recall.
import { createRequire } from 'node:module';
import { agentSession } from '../generate.mjs';
import { timed } from '../row.mjs';
import { targets } from '../targets.mjs';

const require = createRequire(import.meta.url);
const { formatNamed } = require('../../unbundled/providers/index.js');

const QUERY = 'Where does the worker read its configuration, and which test failed in src/queue.ts?';
const megabyte = () => agentSession(1, 750, 1_000_000);

/** An index, by the package in a folder, of a history of which the newest quarter was sent. */
function indexOf(messages, folder) {
  const { RecallIndex } = require(`${folder}/unbundled/recall/recall-index.js`);
  const index = new RecallIndex();
  index.append(formatNamed('message').read(messages));
  index.setSent(formatNamed('message').read(messages.slice(-messages.length / 4)));
  return index;
}

export const recallRows = () => [
  timed({
    number: 28,
    workload: 'recall, index of an agent session, 1 MB',
    input: megabyte,
    task: (_, messages, folder) => () => indexOf(messages, folder),
    target: targets.recallIndex,
  }),
  timed({
    number: 29,
    workload: 'recall, a query of it',
    input: megabyte,
    task: (_, messages, folder) => {
      const index = indexOf(messages, folder);
      return () => index.search(QUERY, { limit: 500, tokenizer: 'o200k_base' });
    },
    beside: { of: '1 ms', task: () => () => {} },
    bytes: null,
    judge: ({ value }) => ({ ratio: value, of: '1 ms' }),
    target: targets.recallQuery,
  }),
];
