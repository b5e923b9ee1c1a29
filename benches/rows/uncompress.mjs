// Row 13.
import { compress } from 'palimpsest';
import { agentSession } from '../generate.mjs';
import { timed } from '../row.mjs';
import { targets } from '../targets.mjs';

/** The minimum that a restoration has to do: look up every id and collect the messages found. */
function lookUp(messages, store) {
  const restored = [];
  for (const message of messages) {
    const ids = message.metadata?._cce_original?.ids;
    if (!Array.isArray(ids)) restored.push(message);
    else for (const id of ids) if (Object.hasOwn(store, id)) restored.push(store[id]);
  }
  return restored;
}

export const restoring = timed({
  number: 13,
  workload: 'uncompress, 13 MB / 20,000',
  input: () => compress(agentSession(8, 20_000, 13_000_000)),
  task:
    ({ uncompress }, { messages, verbatim }) =>
    () =>
      uncompress(messages, verbatim),
  beside: {
    of: 'JS loop',
    task:
      (_, { messages, verbatim }) =>
      () =>
        lookUp(messages, verbatim),
  },
  bytes: null,
  target: targets.uncompress,
});
