import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Counts the requests that sessions choose while `work` runs. @param {() => Promise<void>} work */
export async function sessionCalls(work) {
  let count = 0;
  const onEvent = ({ type }) => {
    if (type === 'request') count++;
  };
  subscribe('palimpsest:session', onEvent);
  await work().finally(() => unsubscribe('palimpsest:session', onEvent));
  return count;
}
