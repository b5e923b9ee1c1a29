// Row 13.
import { compress, uncompress } from '../../index.mjs';
import { agentSession } from '../generate.mjs';
import { medians } from '../measure.mjs';
import { targets } from '../targets.mjs';

/** The least that a restoration has to do: look up every id and collect what it finds. */
function lookUp(messages, store) {
  const restored = [];
  for (const message of messages) {
    const ids = message.metadata?._cce_original?.ids;
    if (!Array.isArray(ids)) restored.push(message);
    else for (const id of ids) if (Object.hasOwn(store, id)) restored.push(store[id]);
  }
  return restored;
}

export function restoring() {
  const { messages, verbatim } = compress(agentSession(8, 20_000, 13_000_000));
  const [loop, value] = medians([() => lookUp(messages, verbatim), () => uncompress(messages, verbatim)]);
  return [
    {
      number: 13,
      workload: 'uncompress, 13 MB / 20,000',
      value,
      unit: 'ms',
      ratio: value / loop,
      of: `JS loop, ${loop.toFixed(2)} ms`,
      ...targets.uncompress,
    },
  ];
}
